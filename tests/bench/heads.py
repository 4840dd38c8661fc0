"""How long one step of a drag takes with several heads, from the mouse move to everything painted, beside one head.

The same document (64 tokens of width 64) is dragged with one head and with eight in the first layout, and with eight
and the panel of the heads in sight beside the plane, in each of its views. All run in the same process, in short runs
by turns, and medians are compared, so that the machine's speed and load cancel out.

Run it with ``python -m tests.bench.heads``; ``--check`` makes it fail when a target is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.main import make_application, offscreen_window
from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.heads.heads_view import HeadsView
from attnviz.views.heads.tiles import LAYER_VIEWS, LayerView
from tests.bench.drag import Ours, Witness, medians_ms, move_event

TARGET_MS = 8.0
_STEPS = 120
_SIZE = (1280, 800)


def document(n: int, d: int, heads: int) -> State:
    rows = np.random.default_rng(7).normal(size=(n, d))
    return State(TokenSequence(tuple(f"w{i}" for i in range(n)), rows), n_heads=heads)


class Dragged(Ours):
    """The program's own window with a document of several heads, a token held by the mouse."""

    def __init__(self, state: State, *, view: LayerView | None) -> None:
        self.window = offscreen_window(state, _SIZE, "dark", is_shown=True)
        self.canvas = self.window.plane.canvas
        self.target = self.canvas.viewport()
        self.also: list[QWidget] = [] if view is None else [self._panel_beside(view)]
        for _ in range(3):
            QApplication.processEvents()
        points = state.points(state.sequence.embeddings[:1])
        self.start = QPointF(*self.canvas.window_shown().to_pixels(points)[0].tolist())
        left = Qt.MouseButton.LeftButton
        QApplication.sendEvent(self.target, move_event(QEvent.Type.MouseButtonPress, self.start, left, left))
        self.flushes = 1
        assert self.window.plane.canvas.isVisible()

    def _panel_beside(self, view: LayerView) -> QWidget:
        """Show the panel of the heads in place of the tokens, where the plane stays in sight."""
        window, panel = self.window, self.window.panels["heads"]
        assert isinstance(panel, HeadsView)
        window.docks["tokens"].hide()
        window.docks["heads"].show()
        window.splitDockWidget(window.docks["controls"], window.docks["heads"], Qt.Orientation.Vertical)
        window.docks["controls"].hide()
        for _ in range(3):
            QApplication.processEvents()
        panel.body.choose_view(view)
        panel.body.scrolled.ensureWidgetVisible(panel.body.grid)
        return panel.body.grid

    def calibrate(self) -> None:
        """Find how many turns of the event loop a step needs until every panel is painted."""
        watched = [self.target, self.window.scores.matrix, self.window.weights.matrix, *self.also]
        for self.flushes in (1, 2, 3, 4):
            is_complete = True
            for i in range(6):
                witness = Witness(watched)
                self.step(1000 + 17 * i)
                is_complete = is_complete and witness.saw_all()
                witness.leave()
            if is_complete:
                return
        raise SystemExit("not every panel was painted within four turns of the event loop")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--width", type=int, default=64)
    arguments = parser.parse_args()
    make_application()
    cases = {"1 head": (1, None), "8 heads": (8, None)}
    cases |= {f"8 heads, panel: {view}": (8, view) for view, _, _ in LAYER_VIEWS}
    dragged = {
        name: Dragged(document(arguments.tokens, arguments.width, heads), view=view)
        for name, (heads, view) in cases.items()
    }
    for one in dragged.values():
        one.calibrate()
    found = medians_ms({name: one.step for name, one in dragged.items()}, _STEPS)
    undisturbed = {name: undisturbed_ms(one) for name, one in dragged.items()}
    states = {heads: document(arguments.tokens, arguments.width, heads) for heads in (1, 8)}
    computing = medians_ms({f"compute, {heads} heads": _Computing(state).step for heads, state in states.items()}, 120)
    print(f"{'':<32} {'median':>10} {'processor':>12} {'fastest tenth':>14}")
    for name, median in (found | computing).items():
        others = "".join(f"{x:>10.2f} ms" for x in undisturbed.get(name, ()))
        print(f"{name:<32} {median:>7.2f} ms{others}", flush=True)
    print(f"\n{'heads':<6} {'panel':<24} {'median':>9} {'8 ms / median':>14} {'target':>8}")
    for name, median in found.items():
        heads, view = cases[name]
        print(f"{heads:<6} {view or 'first layout':<24} {median:>6.2f} ms {TARGET_MS / median:>14.2f} {1:>8}")
    for one in dragged.values():
        one.close()
    missed = [name for name, median in found.items() if median > TARGET_MS]
    if missed:
        print(f"missed {TARGET_MS} ms: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed and arguments.check else 0


def undisturbed_ms(one: Dragged) -> tuple[float, float]:
    """Give the median processor time of a step, and the time of the fastest tenth: other programs count less there."""
    wall, worked = [], []
    for i in range(_STEPS):
        begin, begin_worked = time.perf_counter(), time.process_time()
        one.step(i)
        wall.append(time.perf_counter() - begin)
        worked.append(time.process_time() - begin_worked)
    return 1e3 * statistics.median(worked[2:]), 1e3 * statistics.quantiles(wall[2:], n=10)[0]


class _Computing:
    """The engine alone."""

    def __init__(self, state: State) -> None:
        self.state = state

    def step(self, _i: int) -> None:
        compute(self.state)


if __name__ == "__main__":
    sys.exit(main())
