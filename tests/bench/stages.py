"""How much processor time the stage strip takes to show another frame and to follow the mouse, painting included.

Run as ``python -m tests.bench.stages``; with ``--check`` it ends with 1 if a median is over its limit. "Show" is
the panel's ``show_frame`` alone, "frame" the same with the painting, of a document with other numbers, as while a
token is dragged; "hover" the way of the mouse from one cell to the next; "edit" the first frame of other shapes. The
frames themselves are not counted, but where a document is large its matrices are computed where they are in sight.
"""

import os
import sys
from time import process_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from attnviz.app.main import make_application
from attnviz.appearance import DARK
from attnviz.document.frame import Frame, compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.selection import Selection
from attnviz.views.stages.stages_view import StagesView

# Tokens, and the limits in milliseconds of showing a frame without painting and of a step of the mouse; None: told.
CASES = ((3, 2.0, 8.0), (16, 2.0, 8.0), (40, 2.0, 8.0), (128, None, 8.0), (512, None, None), (2048, None, None))
SIZE = (1262, 154)
ROUNDS = 40


def frame_of(n: int, seed: int) -> Frame:
    embeddings = np.random.default_rng(seed).uniform(-0.9, 0.9, size=(n, 2))
    return compute(State(TokenSequence(tuple(f"token{i}" for i in range(n)), embeddings)))


def timed_ms(deed, *arguments) -> float:
    """Give the processor time that something takes."""
    start = process_time()
    deed(*arguments)
    return (process_time() - start) * 1000.0


def measure(n: int, opened: str) -> tuple[float, float, float, float]:
    """Give the medians of show_frame, of a frame and of a step of the mouse, and a first frame of other shapes."""
    view = StagesView(Selection())
    view.apply_theme(DARK)
    view.resize(*SIZE)
    view.show()
    view.offer_frame(frame_of(3, 0))
    if opened:
        view.body.toggle(opened)
    QApplication.processEvents()
    edit = timed_ms(view.offer_frame, frame_of(n, 0)) + timed_ms(QApplication.processEvents)
    rounds = ROUNDS if n <= 512 else 5
    shows, frames, hovers = [], [], []
    for seed in range(1, rounds + 1):
        shows.append(timed_ms(view.offer_frame, frame_of(n, seed)))
        frames.append(shows[-1] + timed_ms(QApplication.processEvents))
    for i in range(rounds):
        hovers.append(timed_ms(view.body.strip.cell_pointed.emit, "score", i % n, (2 * i) % n))
        hovers[-1] += timed_ms(QApplication.processEvents)
    view.close()
    return float(np.median(shows)), float(np.median(frames)), float(np.median(hovers)), edit


def main() -> int:
    application = make_application()
    slow = 0
    print("    n  open      show ms  frame ms  hover ms   edit ms")
    for n, show_limit, hover_limit in CASES:
        for opened in ("", "weight"):
            show, frame, hover, edit = measure(n, opened)
            print(f"{n:5d}  {opened or 'none':6s}  {show:9.2f} {frame:9.2f} {hover:9.2f} {edit:9.2f}")
            slow += show_limit is not None and show > show_limit
            slow += hover_limit is not None and hover > hover_limit
    del application
    return 1 if slow and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
