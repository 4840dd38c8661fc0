"""How long one step of a drag takes, from the mouse move to everything painted, against two yardsticks.

The first yardstick is the same picture built the usual way from pyqtgraph's parts (PlotItem, ImageItem with
automatic levels, a TextItem a cell where numbers fit, ScatterPlotItem); the second is the floor: laying a
finished picture of the same size on the screen. All three run in the same process, in short runs by turns, and
medians are compared, so that the machine's speed and load cancel out.

Run it with ``python -m tests.bench.drag``; ``--check`` makes it fail when a target is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from attnviz._qt import pyqtgraph as pg
from attnviz.app.main import make_application, offscreen_window
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence

SIZES = (5, 16, 32, 128, 512, 2048)
NUMBERS_UP_TO = 16
_RUN, _WARM_UP = 12, 2
WINDOW = (1280, 800)
FACTOR_TARGETS = {5: 2.0, 16: 8.0, 32: 2.0, 128: 2.0, 512: 2.0, 2048: 8.0}
MEDIAN_TARGET_MS = {5: 4.0, 16: 4.0, 32: 4.0, 128: 4.0}


def embeddings(n: int) -> np.ndarray:
    return np.random.default_rng(7).normal(size=(n, 2))


def move_event(kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, buttons: Qt.MouseButton) -> QMouseEvent:
    return QMouseEvent(kind, at, at, button, buttons, Qt.KeyboardModifier.NoModifier)


class Ours:
    """The program's own window, a token held by the mouse."""

    def __init__(self, n: int) -> None:
        tokens = tuple(f"w{i}" for i in range(n))
        self.window = offscreen_window(State(TokenSequence(tokens, embeddings(n))), WINDOW, "dark", is_shown=True)
        self.canvas = self.window.plane.canvas
        self.target = self.canvas.viewport()
        view = self.canvas.window_shown()
        self.start = QPointF(*view.to_pixels(self.window.session.state.sequence.embeddings[:1])[0].tolist())
        press = move_event(
            QEvent.Type.MouseButtonPress, self.start, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton
        )
        QApplication.sendEvent(self.target, press)
        self.flushes = 1

    def step(self, i: int) -> None:
        at = self.start + QPointF(8 + (i % 40), 5 + (i * 7 % 30))
        QApplication.sendEvent(
            self.target, move_event(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton)
        )
        for _ in range(self.flushes):
            QApplication.processEvents()

    def calibrate(self) -> None:
        """Find how many turns of the event loop a step needs until every panel is painted."""
        watched: list[QWidget] = [
            self.target,
            self.window.scores.matrix,
            self.window.panels["weights"].matrix,
            self.window.panels["derivation"],
        ]
        for flushes in (1, 2, 3, 4):
            self.flushes = flushes
            is_complete = True
            for i in range(6):
                witness = Witness(watched)
                self.step(1000 + 17 * i)
                is_complete = is_complete and witness.saw_all()
                witness.leave()
            if is_complete:
                return
        raise SystemExit("not every panel was painted within four turns of the event loop")

    def close(self) -> None:
        self.window.session.mark_saved(__import__("pathlib").Path("unused.attn"))
        self.window.close()
        self.window.deleteLater()


class Witness(QObject):
    """Notes which widgets were painted."""

    def __init__(self, widgets: list[QWidget]) -> None:
        super().__init__()
        self.widgets = widgets
        self.seen: set[int] = set()
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.seen.add(next(i for i, w in enumerate(self.widgets) if w is watched))
        return False

    def saw_all(self) -> bool:
        return len(self.seen) == len(self.widgets)

    def leave(self) -> None:
        for widget in self.widgets:
            widget.removeEventFilter(self)


class Plain:
    """The usual pyqtgraph way: everything from ready parts, everything set anew on each move."""

    def __init__(self, n: int) -> None:
        self.x = embeddings(n)
        self.view = pg.GraphicsLayoutWidget()
        self.view.resize(*WINDOW)
        plane = self.view.addPlot(rowspan=2)
        plane.setAspectLocked(True)
        self.points, self.outputs = pg.ScatterPlotItem(size=16), pg.ScatterPlotItem(size=12, brush=None, pen="w")
        plane.addItem(self.points)
        plane.addItem(self.outputs)
        plane.setRange(xRange=(-3, 3), yRange=(-3, 3))
        self.images, self.texts = [], []
        for row in range(2):
            plot = self.view.addPlot(row=row, col=1)
            plot.invertY(True)
            image = pg.ImageItem()
            image.setColorMap(pg.colormap.get("viridis"))
            plot.addItem(image)
            texts = []
            if n <= NUMBERS_UP_TO:
                for i in range(n):
                    for j in range(n):
                        item = pg.TextItem(anchor=(0.5, 0.5))
                        item.setPos(j + 0.5, i + 0.5)
                        plot.addItem(item)
                        texts.append(item)
            plot.setRange(xRange=(0, n), yRange=(0, n))
            self.images.append(image)
            self.texts.append(texts)
        self.view.show()
        self.show()
        for _ in range(3):
            QApplication.processEvents()

    def show(self) -> None:
        scores = self.x @ self.x.T / np.sqrt(2.0)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        self.points.setData(pos=self.x)
        self.outputs.setData(pos=weights @ self.x)
        for matrix, image, texts in zip((scores, weights), self.images, self.texts, strict=True):
            image.setImage(matrix, autoLevels=True)
            for item, number in zip(texts, matrix.ravel().tolist(), strict=False):
                item.setText(f"{number:.3f}")

    def step(self, i: int) -> None:
        self.x[0] = (-1 + (i % 40) / 20, -1 + (i * 7 % 30) / 15)
        self.show()
        QApplication.processEvents()

    def close(self) -> None:
        self.view.close()
        self.view.deleteLater()


class Floor(QWidget):
    """A finished picture, laid on the screen."""

    def __init__(self, picture: QPixmap) -> None:
        super().__init__()
        self.picture = picture
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.resize(*WINDOW)
        self.show()
        QApplication.processEvents()

    def paintEvent(self, _event: object) -> None:
        QPainter(self).drawPixmap(0, 0, self.picture)

    def step(self, _i: int) -> None:
        self.update()
        QApplication.processEvents()


def medians_ms(steps: dict[str, Callable[[int], None]], count: int) -> dict[str, float]:
    """Time the candidates in short runs by turns and give their medians in milliseconds.

    A drag is a run of steps, so each candidate makes ``_RUN`` in a row before the next one has its turn; the
    first two of a run, which find the caches filled by another candidate, are not counted.
    """
    times: dict[str, list[float]] = {name: [] for name in steps}
    for first in range(0, count, _RUN):
        for name, step in steps.items():
            for i in range(first, first + _RUN):
                begin = time.perf_counter()
                step(i)
                if i >= first + _WARM_UP:
                    times[name].append(time.perf_counter() - begin)
    return {name: 1e3 * statistics.median(values) for name, values in times.items()}


def measure(n: int) -> tuple[float, float, float]:
    """Give the medians of ours, plain and floor for ``n`` tokens, in milliseconds."""
    ours, plain = Ours(n), Plain(n)
    ours.calibrate()
    floor = Floor(ours.window.grab())
    count = 10 * _RUN if n <= 128 else (4 * _RUN if n <= 512 else _RUN)
    result = medians_ms({"ours": ours.step, "plain": plain.step, "floor": floor.step}, count)
    for part in (ours, plain, floor):
        part.close()
    QApplication.processEvents()
    return result["ours"], result["plain"], result["floor"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument("sizes", nargs="*", type=int, default=None)
    arguments = parser.parse_args()
    make_application()
    missed = []
    print(f"{'n':>5} {'ours ms':>9} {'plain ms':>9} {'floor ms':>9} {'plain/ours':>11} {'target':>7}")
    for n in arguments.sizes or SIZES:
        ours, plain, floor = measure(n)
        target = FACTOR_TARGETS.get(n, 0.0)
        print(f"{n:>5} {ours:>9.2f} {plain:>9.2f} {floor:>9.2f} {plain / ours:>10.1f}x {target:>6.0f}x", flush=True)
        if plain / ours < target or ours > MEDIAN_TARGET_MS.get(n, float("inf")):
            missed.append(n)
    if missed:
        print(f"missed at n = {', '.join(map(str, missed))}", file=sys.stderr)
    return 1 if missed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
