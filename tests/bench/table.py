"""How long the table takes to open, to follow a drag and to be pointed at: median and 95th percentile, by size.

Run as ``python -m tests.bench.table``; with ``--check`` it ends with 1 if a median is over its limit. "Frame" is
from a frame at hand to the painted panel, sorted by a column and with a row selected; the frame itself is not counted.
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
from attnviz.views.selection import Selection
from attnviz.views.table.table_view import TableView

# Tokens, and limits in milliseconds for opening, a frame and a pointed cell.
CASES = ((3, (100.0, 8.0, 8.0)), (16, (100.0, 8.0, 8.0)), (128, (100.0, 16.0, 8.0)), (2048, (250.0, 40.0, 16.0)))
SIZES = ((494, 260), (1870, 940))
FRAMES = 60


def frames_of(n: int) -> list[Frame]:
    generator = np.random.default_rng(n)
    names, first = tuple(f"token{i}" for i in range(n)), generator.normal(size=(n, 8))
    moved = []
    for step in range(4):
        rows = first.copy()
        rows[0] += 0.01 * step
        moved.append(compute(State(TokenSequence(names, rows))))
    return moved


def spent(act: object, *arguments: object) -> float:
    """Do something and paint what it changed; in milliseconds."""
    assert callable(act)
    start = perf_counter()
    act(*arguments)
    QApplication.processEvents()
    return (perf_counter() - start) * 1000.0


def measure(n: int, size: tuple[int, int], name: str) -> tuple[float, list[float], list[float]]:
    """Give the time of opening, those of frames, and those of cells pointed at."""
    frames = frames_of(n)
    view = TableView(Selection())
    view.apply_theme(DARK)
    view.resize(*size)
    view.show()
    view.show_matrix(name)
    opening = spent(view.offer_frame, frames[0])
    view.body.grid.sort_by(1)
    view.body.grid.select_current_row()
    QApplication.processEvents()
    shown = [spent(view.offer_frame, frames[i % len(frames)]) for i in range(FRAMES)]
    pointed = [spent(view.selection.point_at, i % n, 1) for i in range(FRAMES)]
    view.close()
    return opening, shown, pointed


def main() -> int:
    application = make_application()
    is_slow = False
    print(f"{'tokens':>7} {'size':>10} {'matrix':>7} {'open':>8} {'frame':>8} {'95 %':>8} {'point':>8} {'95 %':>8}")
    for n, limits in CASES:
        for size in SIZES:
            for name in ("q", "weight"):
                opening, shown, pointed = measure(n, size, name)
                medians = (opening, float(np.median(shown)), float(np.median(pointed)))
                late = (float(np.percentile(shown, 95)), float(np.percentile(pointed, 95)))
                line = (medians[0], medians[1], late[0], medians[2], late[1])
                told = " ".join(f"{time:8.2f}" for time in line)
                print(f"{n:7} {size[0]:5}x{size[1]:<4} {name:>7} {told}")
                is_slow = is_slow or any(time > limit for time, limit in zip(medians, limits, strict=True))
    del application
    return int(is_slow and "--check" in sys.argv)


if __name__ == "__main__":
    sys.stdout.flush()
    os._exit(main())
