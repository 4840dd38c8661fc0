"""How long hovering a cell of the weights takes, from the mouse move until every visible panel is painted.

Run it with ``python -m tests.bench.hover``; ``--check`` makes it fail when the median is over its limit, and
``--profile`` says where the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import statistics
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.main import make_application, offscreen_window
from attnviz.document.measures import MEASURES
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from tests.bench.drag import WINDOW, Witness, embeddings

SIZES = (16, 128, 512)
LIMIT_MS = {16: 8.0, 128: 8.0}
STEPS = 150


class Hover:
    """A window with the film and the inspector shown, and a mouse over its weights."""

    def __init__(self, n: int, *, shows_everything: bool) -> None:
        tokens = tuple(f"w{i}" for i in range(n))
        self.window = offscreen_window(State(TokenSequence(tokens, embeddings(n))), WINDOW, "dark", is_shown=True)
        self.matrix = self.window.weights.matrix
        if shows_everything:
            self.window.docks["inspector"].show()
            self.window.weights.show_measures(MEASURES)
        for _ in range(5):
            QApplication.processEvents()
        cells = np.random.default_rng(1).integers(0, n, (STEPS + 20, 2)).tolist()
        self.places = [self.matrix.cell_rect(row, column).center() for row, column in cells]

    def step(self, i: int) -> None:
        at = self.places[i]
        at_global = self.matrix.mapToGlobal(at)
        kind, none = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
        QApplication.sendEvent(
            self.matrix, QMouseEvent(kind, at, at_global, none, none, Qt.KeyboardModifier.NoModifier)
        )
        QApplication.processEvents()

    def require_complete(self) -> None:
        """End the program if a step leaves a panel unpainted."""
        watched: list[QWidget] = [self.matrix, self.window.scores.matrix, self.window.plane.canvas.viewport()]
        watched += [self.window.panels["derivation"], self.window.tokens.table.viewport()]
        for i in range(10):
            witness = Witness(watched)
            self.step(STEPS + i)
            painted = len(witness.seen)
            witness.leave()
            if painted < len(watched) - 1:  # the row of a token that is not in sight is not painted in the table
                raise SystemExit(f"a step painted only {painted} of {len(watched)} panels")

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()
        QApplication.processEvents()


def measure(n: int, *, shows_everything: bool, is_profiled: bool = False) -> tuple[float, float]:
    """Give the median and the 95th percentile in milliseconds."""
    hover = Hover(n, shows_everything=shows_everything)
    hover.require_complete()
    profile, times = cProfile.Profile(), []
    for i in range(STEPS):
        begin = time.perf_counter()
        if is_profiled:
            profile.runcall(hover.step, i)
        else:
            hover.step(i)
        times.append(1e3 * (time.perf_counter() - begin))
    hover.close()
    if is_profiled:
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 when a limit is missed")
    parser.add_argument("--profile", action="store_true", help="print where the time goes")
    parser.add_argument("sizes", nargs="*", type=int, default=None)
    arguments = parser.parse_args()
    make_application()
    missed = []
    print(f"{'n':>5} {'panels':>22} {'median ms':>10} {'p95 ms':>8} {'limit':>6}")
    for n in arguments.sizes or SIZES:
        limit = LIMIT_MS.get(n, float("inf"))
        for shows_everything in (False, True):
            median, late = measure(n, shows_everything=shows_everything, is_profiled=arguments.profile)
            panels = "inspector, all gutters" if shows_everything else "as the window opens"
            print(f"{n:>5} {panels:>22} {median:>10.2f} {late:>8.2f} {limit:>6.0f}", flush=True)
            if median > limit:
                missed.append(n)
    if missed:
        print(f"missed at n = {', '.join(map(str, sorted(set(missed))))}", file=sys.stderr)
    return 1 if missed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
