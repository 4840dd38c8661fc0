"""Whatever bytes are changed in a file of any format, it is read or refused with one sentence, never with a crash."""

import gzip
import io
import random
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from attnviz.document.errors import FileError
from attnviz.sources import WordVectors, describe, read_word_vectors

WORDS = [f"word{i}" for i in range(20)]
VECTORS = np.random.default_rng(0).normal(size=(20, 4))
TEXT = "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, VECTORS, strict=True)).encode()
PIECES = (b"\n", b"\r", b"\0", b'"', b" ", b"\t", b";", b"\xff\xff", b"9999999999", b"nan", b"-", b"{")


def zipped(method: int) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("glove.txt", TEXT)
    return target.getvalue()


def saved(save: Callable[..., None], *arrays: np.ndarray, **named: np.ndarray) -> bytes:
    target = io.BytesIO()
    save(target, *arrays, **named)
    return target.getvalue()


WHOLE_FILES = {
    "glove.txt": TEXT,
    "header.vec": b"20 4\n" + TEXT,
    "table.csv": b"word,a,b,c,d\n" + TEXT.replace(b" ", b","),
    "quoted.csv": b'"New York";"1,5";2\r\n"z";-1;2\r\n' * 5,
    "glove.txt.gz": gzip.compress(TEXT),
    "stored.zip": zipped(zipfile.ZIP_STORED),
    "deflated.zip": zipped(zipfile.ZIP_DEFLATED),
    "c.npy": saved(np.save, VECTORS),
    "fortran.npy": saved(np.save, np.asfortranarray(VECTORS)),
    "stored.npz": saved(np.savez, vectors=VECTORS, tokens=np.array(WORDS)),
    "deflated.npz": saved(np.savez_compressed, vectors=VECTORS.astype("f4"), tokens=np.array(WORDS, dtype="S")),
}


def damage(content: bytes, draw: random.Random) -> bytes:
    """Change, cut out or put in a few bytes, mostly near the ends, where headers and directories are."""
    damaged = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 5))):
        place = draw.choice((draw.randrange(len(content)), draw.randrange(140), len(content) - draw.randrange(1, 140)))
        change = draw.randrange(4)
        if change == 0 and 0 <= place < len(damaged):
            damaged[place] = draw.randrange(256)
        elif change == 1:
            del damaged[place : place + draw.randrange(1, 20)]
        elif change == 2:
            damaged[place:place] = draw.choice(PIECES)
        else:
            del damaged[max(1, place) :]
    return bytes(damaged)


def read(path: Path, wanted: list[str] | None) -> WordVectors | str:
    try:
        return read_word_vectors(path, wanted)
    except FileError as error:
        return str(error)


def check_every_reading(path: Path) -> None:
    with suppress(FileError):
        describe(path)
    for wanted in (None, ["word3", "WORD19", "absent"]):
        found = read(path, wanted)
        if isinstance(found, str):
            assert found.startswith(path.name)
            assert "\n" not in found
            assert len(found) < 400
        else:
            assert np.isfinite(found.vectors).all()
            assert len(found.words) == len(found.vectors)


@pytest.mark.parametrize("name", WHOLE_FILES)
def test_damaged_file_is_read_or_refused(tmp_path: Path, name: str) -> None:
    draw = random.Random(name)
    for _ in range(60):
        (tmp_path / name).write_bytes(damage(WHOLE_FILES[name], draw))
        check_every_reading(tmp_path / name)


@pytest.mark.long
@pytest.mark.parametrize("name", WHOLE_FILES)
def test_thousands_of_damaged_files_are_read_or_refused(tmp_path: Path, name: str) -> None:
    draw = random.Random(f"long {name}")
    for _ in range(1500):
        (tmp_path / name).write_bytes(damage(WHOLE_FILES[name], draw))
        check_every_reading(tmp_path / name)
