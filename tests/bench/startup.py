"""How long it takes from starting the process to the first painted window, against two yardsticks.

The first yardstick is a window of comparable content built the usual way from pyqtgraph's parts: three plots, two
images with colour maps and axes, a scatter plot, a few widgets. The second is the floor: a bare QApplication with
one QWidget. Each start is a process of its own; the three take turns, and medians are compared, so that the
machine's speed and load cancel out. "Painted" is when everything in the window was painted once, "settled" is when
the event loop has nothing left to do.

Run it with ``python -m tests.bench.startup``; ``--check`` makes it fail when the program is not faster than plain,
``--profile`` tells instead what the time goes to.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from attnviz.app.main import make_application, offscreen_window
from attnviz.document.presets import load_preset

WATCH = """
import json, os, sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

times = {}

class Witness(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self.note)  # everything inside the window is painted before a timer fires
        return False

    def note(self):
        times.setdefault("painted", time.time())

witness = Witness()

def report(*_):
    while not times:
        QApplication.processEvents()
    QApplication.processEvents()
    times["settled"] = time.time()
    sys.stdout.write(json.dumps(times))
    sys.stdout.flush()
    os._exit(0)

QApplication.exec = report
"""

FLOOR = """
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.resize(1280, 800)
window.installEventFilter(witness)
window.show()
application.exec()
"""

PLAIN = """
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
import numpy as np
from PySide6.QtWidgets import (
    QApplication, QCheckBox, QDoubleSpinBox, QHBoxLayout, QLineEdit, QMainWindow, QSlider, QTableWidget, QVBoxLayout,
    QWidget)
import pyqtgraph as pg
application = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
for title in ("File", "Edit", "View", "Help"):
    window.menuBar().addMenu(title).addAction("Entry")
side = QVBoxLayout()
for widget in (QLineEdit("cat dog phone"), QTableWidget(3, 3), QSlider(), QDoubleSpinBox(), QCheckBox("Mask")):
    side.addWidget(widget)
view = pg.GraphicsLayoutWidget()
row = QHBoxLayout()
row.addLayout(side)
row.addWidget(view, 1)
central = QWidget()
central.setLayout(row)
window.setCentralWidget(central)
x = np.array([[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
scores = x @ x.T / 2**0.5
weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
plane = view.addPlot(row=0, col=0, rowspan=2)
plane.addItem(pg.ScatterPlotItem(pos=x, size=16))
for place, (matrix, name) in enumerate(((scores, "CET-D1"), (weights, "viridis"))):
    plot = view.addPlot(row=place, col=1)
    image = pg.ImageItem(matrix)
    image.setColorMap(pg.colormap.get(name))
    plot.addItem(image)
    for axis in ("left", "bottom"):
        plot.getAxis(axis).setTicks([[(i + 0.5, token) for i, token in enumerate(("cat", "dog", "phone"))]])
    for i in range(3):
        for j in range(3):
            text = pg.TextItem(f"{matrix[i, j]:.2f}", anchor=(0.5, 0.5))
            text.setPos(j + 0.5, i + 0.5)
            plot.addItem(text)
window.installEventFilter(witness)
window.show()
application.exec()
"""

OURS = """
from attnviz.cli import main
from attnviz.app.window import MainWindow
show_event = MainWindow.showEvent

def watched_show(window, event):
    window.installEventFilter(witness)
    show_event(window, event)

MainWindow.showEvent = watched_show
sys.argv = ["attnviz"]
sys.exit(main())
"""

GROSS = 0.25
CANDIDATES = {"attnviz": OURS, "plain pyqtgraph": PLAIN, "bare QWidget": FLOOR}


def environment(home: Path) -> dict[str, str]:
    """Give a user's environment: folders of its own, and compiled modules that are kept from start to start."""
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    folders = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    rest = {"QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"), "PYTHONPYCACHEPREFIX": str(home / "pyc")}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return inherited | threads | folders | rest


def start_ms(code: str, home: Path) -> tuple[float, float]:
    """Start a process, and give the times until its window is painted and until it has nothing left to do, in ms."""
    begin = time.time()
    done = subprocess.run(
        [sys.executable, "-c", WATCH + code],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode or not done.stdout:
        raise SystemExit(f"no window was painted: {done.stderr[-2000:]}")
    told = json.loads(done.stdout)
    return 1e3 * (told["painted"] - begin), 1e3 * (told["settled"] - begin)


def medians_ms(count: int) -> dict[str, tuple[float, float]]:
    """Start every candidate ``count`` times by turns, after one turn that warms the disk's cache."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in CANDIDATES}
    with tempfile.TemporaryDirectory() as home:
        for turn in range(count + 1):
            for name, code in CANDIDATES.items():
                taken = start_ms(code, Path(home))
                if turn:
                    times[name].append(taken)
    return {
        name: (statistics.median(t[0] for t in taken), statistics.median(t[1] for t in taken))
        for name, taken in times.items()
    }


def profile(lines: int) -> None:
    """Print the slowest imports, and what making and showing the window is spent on."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-X", "importtime", "-c", "import attnviz.app.main"]
        for _ in range(2):
            done = subprocess.run(command, env=environment(Path(home)), capture_output=True, text=True, check=True)
    entries = (line.removeprefix("import time:").split("|") for line in done.stderr.splitlines()[1:])
    rows = sorted(((int(own), int(total), name.strip()) for own, total, name in entries), reverse=True)
    print(f"imports: {sum(own for own, _, _ in rows) / 1e3:.0f} ms; own time of the slowest:")
    for own, total, name in rows[:lines]:
        print(f"{own / 1e3:9.1f} ms own {total / 1e3:9.1f} ms with what it imports  {name}")
    profiler = cProfile.Profile()
    profiler.enable()
    state = load_preset("s1")
    application = make_application()
    window = offscreen_window(state, (1280, 800), "light", is_shown=True)
    application.processEvents()
    profiler.disable()
    window.deleteLater()
    for order in ("cumulative", "tottime"):
        print(f"\nthe window, by {order}:")
        pstats.Stats(profiler).sort_stats(order).print_stats("attnviz|pyqtgraph|method", lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 when attnviz is not faster than plain")
    parser.add_argument("--count", type=int, default=9, help="how often each is started (9)")
    parser.add_argument("--profile", type=int, metavar="LINES", help="tell what the time goes to instead")
    arguments = parser.parse_args()
    if arguments.profile:
        profile(arguments.profile)
        return 0
    medians = medians_ms(arguments.count)
    print(f"ms from the start of the process, median of {arguments.count}")
    print(f"{'':16} {'painted':>9} {'settled':>9}")
    for name, (painted, settled) in medians.items():
        print(f"{name:16} {painted:9.0f} {settled:9.0f}")
    ratio = medians["plain pyqtgraph"][0] / medians["attnviz"][0]
    print(f"plain / attnviz {ratio:10.2f}  (to be above 1)")
    return 1 if ratio < (1.0 if arguments.check else GROSS) else 0


if __name__ == "__main__":
    sys.exit(main())
