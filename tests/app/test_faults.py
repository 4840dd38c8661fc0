"""The last net, and what must not leak: errors nobody foresaw, references that Qt might steal, windows that stay."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSettings
from PySide6.QtWidgets import QApplication

from attnviz.app import faults
from attnviz.app.faults import install_fault_handler
from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset
from tests.app.conftest import Answers
from tests.app.mouse import drag, place_of


class Teller:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.kept = 0

    def keep(self) -> None:
        self.kept += 1

    def tell(self, message: str) -> None:
        self.said.append(message)


@pytest.fixture
def teller() -> Iterator[Teller]:
    before, teller = sys.excepthook, Teller()
    install_fault_handler(teller, teller.keep)
    yield teller
    sys.excepthook = before


def raise_to_hook(error: BaseException) -> None:
    sys.excepthook(type(error), error, error.__traceback__)


def test_an_unforeseen_error_is_told_in_one_sentence_without_its_insides(
    teller: Teller, capsys: pytest.CaptureFixture[str]
) -> None:
    raise_to_hook(ZeroDivisionError("secret of line 7"))
    assert len(teller.said) == 1
    assert "ZeroDivisionError" in teller.said[0]
    assert teller.kept == 1
    assert "Traceback" not in teller.said[0] + capsys.readouterr().err


def test_a_flood_of_errors_is_told_once(
    teller: Teller, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [1000.0]
    monkeypatch.setattr(faults.time, "monotonic", lambda: now[0])
    for _ in range(50):
        raise_to_hook(ValueError("again"))
    assert len(teller.said) == 1
    now[0] += 60.0
    raise_to_hook(ValueError("again"))
    assert len(teller.said) == 2
    assert capsys.readouterr().err.count("ValueError") == 2


def test_an_interrupt_from_the_keyboard_is_not_swallowed(teller: Teller, monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "__excepthook__", lambda kind, _error, _trace: passed.append(kind))
    raise_to_hook(KeyboardInterrupt())
    assert (passed, teller.said) == ([KeyboardInterrupt], [])


def test_a_thousand_calls_into_qt_steal_no_reference(qapp: QApplication) -> None:
    thing = QObject()
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(1000):
        thing.setObjectName("x")
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert before[0] - after[0] < 100
    assert before[1] - after[1] < 100


def test_a_hundred_drags_steal_no_reference(window: MainWindow) -> None:
    viewport = window.plane.canvas.viewport()
    start = place_of(window, 1)
    gc.collect()  # what earlier tests left behind holds references too, and giving them back is no theft
    before = sys.getrefcount(None), sys.getrefcount(True)
    for step in range(20):
        drag(viewport, place_of(window, 1), start + (place_of(window, 2) - start) * (step / 40))
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert before[0] - after[0] < 100
    assert before[1] - after[1] < 100


def test_a_closed_window_is_gone(qapp: QApplication, settings: QSettings) -> None:
    window = MainWindow(load_preset("s1"), settings, Answers)
    window.show_sized(900, 700)
    gone = weakref.ref(window)
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    del window
    gc.collect()
    assert gone() is None
