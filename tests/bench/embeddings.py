"""Prints the time and extra memory of reading a ten-word sentence from word vectors of 400,000 x 50 as text.

Run by hand or by CI: python tests/bench/embeddings.py [rows] [dimension]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_S = 10.0
LIMIT_EXTRA_MIB = 100.0
READ_IN_OWN_PROCESS = """
import json, resource, sys, time
from attnviz.sources import read_word_vectors
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
found = read_word_vectors(sys.argv[1], sys.argv[2].split())
seconds = time.perf_counter() - start
extra = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps({"seconds": seconds, "extra_mib": extra / 1024, "shape": found.vectors.shape}))
"""


def write_vectors(path: Path, row_count: int, dimension: int) -> None:
    """Write made-up vectors in the way GloVe writes them."""
    draw = random.Random(0)
    tails = [" ".join(f"{draw.gauss(0, 0.4):.6f}" for _ in range(dimension)) for _ in range(1000)]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for index in range(row_count):
            file.write(f"word{index} {tails[index % 1000]}\n")


def measure(path: Path, words: list[str]) -> dict[str, object]:
    """Read in a process of its own, so that its peak memory is that of the reading.

    A process inherits the peak of the one that started it, so this script keeps small and imports no NumPy.
    """
    done = subprocess.run(
        [sys.executable, "-c", READ_IN_OWN_PROCESS, str(path), " ".join(words)],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


def main() -> int:
    """Measure the plain file and its gzip; return 1 when a limit is broken, of the time by far."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="hold the time to its limit, not to four times that")
    parser.add_argument("rows", type=int, nargs="?", default=400_000)
    parser.add_argument("dimension", type=int, nargs="?", default=50)
    arguments = parser.parse_args()
    row_count, dimension = arguments.rows, arguments.dimension
    words = [f"word{(row_count - 1) * place // 9}" for place in range(10)]
    is_within, is_far_off = True, False
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "vectors.txt")
        write_vectors(path, row_count, dimension)
        packed = Path(folder, "vectors.txt.gz")
        with path.open("rb") as plain, gzip.open(packed, "wb", compresslevel=1) as file:
            shutil.copyfileobj(plain, file, 1 << 20)
        for each in (path, packed):
            start = time.perf_counter()
            figures = measure(each, words)
            whole_s = time.perf_counter() - start
            assert figures["shape"] == [len(words), dimension]
            is_small = figures["extra_mib"] < LIMIT_EXTRA_MIB
            is_within = is_within and figures["seconds"] < LIMIT_S and is_small
            is_far_off = is_far_off or figures["seconds"] > 4 * LIMIT_S or not is_small
            print(
                f"{each.name:15} {each.stat().st_size / 2**20:7.1f} MiB  {row_count:,} x {dimension}: "
                f"{figures['seconds']:.2f} s ({whole_s:.2f} s with start-up), {figures['extra_mib']:.1f} MiB extra"
            )
    print(f"limits: {LIMIT_S:.0f} s, {LIMIT_EXTRA_MIB:.0f} MiB: {'kept' if is_within else 'BROKEN'}")
    return int(not is_within if arguments.check else is_far_off)


if __name__ == "__main__":
    sys.exit(main())
