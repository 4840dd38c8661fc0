"""Hours of use in minutes: many drags leak nothing, and no order of clicks and keys breaks the window."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWhatsThis, QWidget

from attnviz.app.main import make_application
from attnviz.app.window import MainWindow
from attnviz.document.attn_file import encode
from attnviz.document.frame import Frame, compute
from attnviz.document.presets import load_preset, preset_names
from tests.app.conftest import Answers

pytestmark = [pytest.mark.long, pytest.mark.qt_log_ignore("This plugin does not support", extend=True)]

DRAGS, WARM_UP = 20_000, 2_000
MAX_GROWTH = 10 * 2**20
EVENTS = 1_500
_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


@pytest.fixture(scope="module")
def qapp() -> QApplication:
    return make_application()


@pytest.fixture
def window(qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(load_preset("s1"), settings, Answers)
    window.appearance.use_theme("light")
    window.show_sized(1280, 800)
    yield window
    window.close()
    window.appearance.step_font(0)
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def send_mouse(widget: QWidget, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
    place = QPointF(widget.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(widget, QMouseEvent(kind, at, place, button, held, Qt.KeyboardModifier.NoModifier))


def send_wheel(widget: QWidget, at: QPointF, delta: int) -> None:
    place = QPointF(widget.mapToGlobal(at.toPoint()))
    phase, plain = Qt.ScrollPhase.NoScrollPhase, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QWheelEvent(at, place, QPoint(), QPoint(0, delta), _NONE, plain, phase, False))


def place_of(window: MainWindow, token: int) -> QPointF:
    state = window.session.state
    points = window.plane.canvas.window_shown().to_pixels(state.points(state.sequence.embeddings))
    return QPointF(*points[token].tolist())


def drag_once(window: MainWindow, dice: random.Random) -> None:
    canvas = window.plane.canvas.viewport()
    start = place_of(window, dice.randrange(3))
    end = QPointF(dice.uniform(40, canvas.width() - 40), dice.uniform(40, canvas.height() - 40))
    send_mouse(canvas, QEvent.Type.MouseButtonPress, start, _LEFT, _LEFT)
    for part in (0.5, 1.0):
        send_mouse(canvas, QEvent.Type.MouseMove, start + (end - start) * part, _NONE, _LEFT)
        QApplication.processEvents()
    send_mouse(canvas, QEvent.Type.MouseButtonRelease, end, _LEFT, _NONE)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_twenty_thousand_drags_neither_leak_nor_steal_references(window: MainWindow) -> None:
    dice = random.Random(11)
    for _ in range(WARM_UP):
        drag_once(window, dice)
    memory, references = resident_bytes(), (sys.getrefcount(None), sys.getrefcount(True))
    for _ in range(DRAGS):
        drag_once(window, dice)
    grown = resident_bytes() - memory
    lost = [before - after for before, after in zip(references, counts(), strict=True)]
    print(f"{DRAGS} drags: resident memory grew by {grown / 2**20:.1f} MiB, references lost {lost}")
    assert grown < MAX_GROWTH
    assert max(lost) < 100


def counts() -> tuple[int, int]:
    return sys.getrefcount(None), sys.getrefcount(True)


class Monkey:
    """Does what a person could do, in a random order."""

    KEYS = (
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab, Qt.Key.Key_Backtab),
        *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Insert, Qt.Key.Key_F2, Qt.Key.Key_F6),
        *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Space),
        *(Qt.Key.Key_A, Qt.Key.Key_F, Qt.Key.Key_1, Qt.Key.Key_Comma, Qt.Key.Key_Minus, Qt.Key.Key_Plus),
    )
    MODIFIERS = (
        *(Qt.KeyboardModifier.NoModifier,) * 6,
        *(Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier),
    )
    UNWANTED = frozenset({"close", "quit", "whats_this", "full_screen"})  # they end the test or take the mouse away

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window, self.dice = window, random.Random(seed)
        self.held: tuple[QWidget, QPointF] | None = None
        self.deeds: tuple[Callable[[], None], ...] = (
            *(self.press, self.move, self.move, self.release, self.click, self.click, self.double_click),
            *(self.turn_wheel, self.strike, self.strike, self.strike, self.act, self.undo_or_redo, self.settle),
        )

    def do_something(self) -> None:
        self.dice.choice(self.deeds)()
        QApplication.processEvents()
        for popup in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if isinstance(popup, QMenu | QDialog):
                popup.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def somewhere(self) -> tuple[QWidget, QPointF]:
        """Choose a widget of a panel, the plane twice as often, and a place in it, often a token's."""
        window = self.window
        if self.dice.random() < 0.4 and window.plane.canvas.isVisible():
            tokens = len(window.session.state.sequence)
            at = place_of(window, self.dice.randrange(tokens))
            return window.plane.canvas.viewport(), at + QPointF(self.dice.uniform(-3, 3), self.dice.uniform(-3, 3))
        panel = self.dice.choice(list(window.panels.values()))
        inside = [w for w in panel.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        widget = self.dice.choice(inside) if inside else window
        return widget, QPointF(self.dice.uniform(0, widget.width()), self.dice.uniform(0, widget.height()))

    def press(self) -> None:
        self.release()
        self.held = self.somewhere()
        send_mouse(*self._at(QEvent.Type.MouseButtonPress), _LEFT, _LEFT)

    def move(self) -> None:
        if self.held is None:
            widget, at = self.somewhere()
            send_mouse(widget, QEvent.Type.MouseMove, at, _NONE, _NONE)
        else:
            widget, at = self.held
            self.held = widget, at + QPointF(self.dice.uniform(-60, 60), self.dice.uniform(-60, 60))
            send_mouse(*self._at(QEvent.Type.MouseMove), _NONE, _LEFT)

    def release(self) -> None:
        if self.held is not None:
            send_mouse(*self._at(QEvent.Type.MouseButtonRelease), _LEFT, _NONE)
            self.held = None

    def click(self) -> None:
        self.press()
        self.release()

    def double_click(self) -> None:
        self.press()
        assert self.held is not None
        send_mouse(*self._at(QEvent.Type.MouseButtonDblClick), _LEFT, _LEFT)
        self.release()

    def turn_wheel(self) -> None:
        widget, at = self.somewhere()
        send_wheel(widget, at, self.dice.choice((-240, -120, 120, 240)))

    def strike(self) -> None:
        target = QApplication.focusWidget() or self.window
        QTest.keyClick(target, self.dice.choice(self.KEYS), self.dice.choice(self.MODIFIERS))

    def act(self) -> None:
        names = sorted(set(self.window.actions_by_name) - self.UNWANTED)
        self.window.actions_by_name[self.dice.choice(names)].trigger()

    def undo_or_redo(self) -> None:
        self.window.actions_by_name[self.dice.choice(("undo", "redo"))].trigger()

    def settle(self) -> None:
        """Bring everything back into sight, so that later deeds find something."""
        self.window.actions_by_name["reset_layout"].trigger()
        self.window.actions_by_name["fit"].trigger()
        self.window.actions_by_name["font_reset"].trigger()
        QWhatsThis.leaveWhatsThisMode()

    def _at(self, kind: QEvent.Type) -> tuple[QWidget, QEvent.Type, QPointF]:
        assert self.held is not None
        return self.held[0], kind, self.held[1]


@pytest.mark.parametrize("scene", preset_names())
def test_no_order_of_clicks_and_keys_breaks_the_window(window: MainWindow, scene: str) -> None:
    window.documents.open_preset(scene)
    beginning = Beginning(window)
    monkey = Monkey(window, seed=preset_names().index(scene) + 1)
    faults: list[BaseException] = []
    before = sys.excepthook
    sys.excepthook = lambda _kind, error, _trace: faults.append(error)
    try:
        for number in range(EVENTS):
            monkey.do_something()
            if number % 50 == 0:
                check(window)
        monkey.release()
        window.controls.stop_sweep()
        check(window)
        window.session.undo()
        while window.session.undo_label is not None:
            window.session.undo()
    finally:
        sys.excepthook = before
    assert faults == []
    assert encode(window.session.state) == encode(beginning.state)


class Beginning(QObject):
    """Knows the state that the history of the open document begins with: the monkey opens others, too."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.state, self._is_opening = window.session.state, False
        window.documents.opened.connect(self._expect)
        window.session.frame_changed.connect(self._take)

    def _expect(self) -> None:
        self._is_opening = True

    def _take(self, frame: Frame) -> None:
        if self._is_opening:
            self.state, self._is_opening = frame.state, False


def check(window: MainWindow) -> None:
    """The frame on screen is what the engine makes of the state, and the selection lies inside it."""
    frame, fresh = window.session.frame, compute(window.session.state)
    assert (frame.trace.weights == fresh.trace.weights).all()
    chosen = window.selection.chosen
    assert 0 <= chosen.query < frame.n_query
    assert 0 <= chosen.key < frame.n_key
    assert all(panel.frame is frame for panel in window.panels.values())
