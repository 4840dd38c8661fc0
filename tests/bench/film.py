"""How long a step of the film takes, from the key to the painted stage: median and 95th percentile, by size.

Run as ``python tests/bench/film.py``; with ``--check`` it ends with 1 if a median is over its limit.
"Edit" is the first step that is shown with the numbers of another frame; the frame itself is not counted.
"""

import os
import sys
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from attnviz.app.main import make_application
from attnviz.appearance import DARK
from attnviz.document.frame import Frame, compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.film.film_view import FilmView
from attnviz.views.selection import Selection

# Tokens and limit in milliseconds a step.
CASES = ((3, 8.0), (16, 8.0), (200, 16.0), (1000, 40.0))
SIZES = ((520, 560), (1240, 620))
STEPS = 240


def frame_of(n: int, seed: int) -> Frame:
    embeddings = np.random.default_rng(seed).normal(size=(n, 8))
    return compute(State(TokenSequence(tuple(f"token{i}" for i in range(n)), embeddings)))


def shown_ms(view: FilmView, index: int) -> float:
    """Go to a step and paint what it changed: stage, timeline and controls."""
    start = perf_counter()
    view.body.go_to(index)
    QApplication.processEvents()
    return (perf_counter() - start) * 1000.0


def measure(n: int, size: tuple[int, int], extent: str) -> tuple[list[float], list[float]]:
    """Give the times of steps in order, and of the first step after an edit, at places all over the film."""
    view = FilmView(Selection())
    view.apply_theme(DARK)
    view.resize(*size)
    view.show()
    view.body.choose_extent(extent)
    frames = [frame_of(n, seed) for seed in range(2)]
    view.offer_frame(frames[0])
    QApplication.processEvents()
    count = len(view.body.script)
    stride = max(1, count // STEPS)
    shown_ms(view, 0)
    steps = [shown_ms(view, index) for index in range(0, count, stride)]
    edits = []
    for i, index in enumerate(range(0, count, max(1, count // 24))):
        view.body.frame = frames[i % 2]
        edits.append(shown_ms(view, index))
    view.close()
    return steps, edits


def main() -> int:
    application = make_application()
    slow = 0
    print("   n  rows  panel       median ms    p95 ms   edit ms  limit ms")
    for n, limit in CASES:
        for size in SIZES:
            for extent in ("one", "all"):
                steps, edits = measure(n, size, extent)
                median, late, edit = np.median(steps), np.percentile(steps, 95), np.median(edits)
                panel = f"{size[0]} x {size[1]}"
                print(f"{n:4d}  {extent:4s}  {panel:10s}  {median:9.2f} {late:9.2f} {edit:9.2f} {limit:9.1f}")
                slow += median > limit
    del application
    return 1 if slow and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
