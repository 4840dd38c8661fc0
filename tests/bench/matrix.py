"""How long one frame of one matrix takes: new numbers shown and painted, median of many, by size.

Run as ``python tests/bench/matrix.py``; with ``--check`` it ends with 1 if a median is over its limit.
The time of ``cells`` itself is taken out: the numbers belong to the engine.
"""

import os
import sys
from statistics import median
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from attnviz.app.main import make_application
from attnviz.appearance import DARK
from attnviz.document.arrays import FloatArray, IntArray
from attnviz.views.matrix.picture import Gutter, MatrixPicture
from attnviz.views.matrix.view import MatrixView

# Size, limit in milliseconds, frames, and the widget's size: at 16 the cells have room for their numbers.
CASES = (
    (5, 0.3, 400, (520, 300)),
    (16, 0.6, 400, (620, 540)),
    (32, 0.8, 200, (520, 480)),
    (128, 0.8, 200, (520, 480)),
    (512, 1.5, 100, (640, 600)),
    (2048, 2.5, 60, (640, 600)),
)


class _Source:
    """Gives a new matrix of weights or scores in every frame, and takes the time that needs."""

    def __init__(self, n: int, is_diverging: bool) -> None:
        random = np.random.default_rng(0)
        raw = random.normal(size=(8, n, n)) if n <= 512 else random.normal(size=(2, n, n))
        self.frames = raw * 2 if is_diverging else np.exp(raw) / np.exp(raw).sum(axis=-1, keepdims=True)
        self.now = self.frames[0]
        self.spent = 0.0

    def cells(self, rows: IntArray, columns: IntArray) -> FloatArray:
        start = perf_counter()
        n = len(self.now)
        found = self.now if len(rows) == n and len(columns) == n else self.now[np.ix_(rows, columns)]
        self.spent += perf_counter() - start
        return found

    def sums(self, rows: IntArray) -> FloatArray:
        start = perf_counter()
        found = self.now[rows].sum(axis=1)
        self.spent += perf_counter() - start
        return found


def picture_of(source: _Source, is_diverging: bool) -> MatrixPicture:
    n = len(source.now)
    labels = tuple(f"token{i}" for i in range(n))
    sums = Gutter("", source.sums, "Σ {}", 3, lambda values: np.abs(values - 1) > 1e-9)
    return MatrixPicture(
        shape=(n, n),
        cells=source.cells,
        limits=(-float(np.abs(source.now).max()), float(np.abs(source.now).max())) if is_diverging else (0.0, 1.0),
        role="score" if is_diverging else "share",
        row_labels=labels,
        column_labels=labels,
        row_colours=tuple(range(n)),
        column_colours=tuple(range(n)),
        gutters=() if is_diverging else (sums,),
    )


def frame_ms(view: MatrixView, source: _Source, is_diverging: bool, n_frames: int) -> float:
    view.show()
    QApplication.processEvents()
    template = picture_of(source, is_diverging)
    times = []
    for frame in range(n_frames):
        source.now = source.frames[frame % len(source.frames)]
        peak = float(np.abs(source.now).max())
        limits = (-peak, peak) if is_diverging else template.limits
        picture = MatrixPicture(
            template.shape,
            template.cells,
            limits,
            template.role,
            template.row_labels,
            template.column_labels,
            template.row_colours,
            template.column_colours,
            gutters=template.gutters,
        )
        source.spent = 0.0
        start = perf_counter()
        view.show_picture(picture)
        QApplication.processEvents()
        times.append((perf_counter() - start - source.spent) * 1000)
    return median(times)


def main() -> int:
    application = make_application()
    slow = 0
    print("   n  weights ms  scores ms  limit ms  numbers")
    for n, limit, n_frames, (width, height) in CASES:
        found = []
        for is_diverging in (False, True):
            view = MatrixView()
            view.resize(width, height)
            view.apply_theme(DARK)
            source = _Source(n, is_diverging)
            found.append(frame_ms(view, source, is_diverging, n_frames))
        has_numbers = len(view.painted_texts()) > n * n
        print(f"{n:4d}  {found[0]:10.3f}  {found[1]:9.3f}  {limit:8.2f}  {'yes' if has_numbers else 'no'}")
        slow += max(found) > limit
    del application
    return 1 if slow and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
