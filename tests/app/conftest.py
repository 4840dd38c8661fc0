"""A window with settings of its own and answers instead of dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.documents import Answer
from attnviz.app.main import make_application
from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset
from attnviz.document.state import State

OpenWindow = Callable[[State], MainWindow]


class Answers:
    """Prompts that answer at once with what a test put in, and remember what was asked."""

    def __init__(self, _window: QWidget | None = None) -> None:
        self.unsaved = Answer.DISCARD
        self.open_path: Path | None = None
        self.import_path: Path | None = None
        self.save_path: Path | None = None
        self.restore = True
        self.asked: list[str] = []
        self.folder = Path()
        self.filters = ""

    def ask_unsaved(self, name: str) -> Answer:
        self.asked.append(f"unsaved {name}")
        return self.unsaved

    def ask_restore(self, names: list[str]) -> bool:
        self.asked.append(f"restore {', '.join(names)}")
        return self.restore

    def ask_open_path(self, folder: Path) -> Path | None:
        self.asked.append("open")
        self.folder = folder
        return self.open_path

    def ask_import_path(self, folder: Path) -> Path | None:
        self.asked.append("import")
        self.folder = folder
        return self.import_path

    def ask_save_path(self, suggestion: Path, filters: str) -> Path | None:
        self.asked.append(f"save {suggestion.name}")
        self.filters = filters
        return self.save_path


def answers_of(window: MainWindow) -> Answers:
    prompts = window.documents.prompts
    assert isinstance(prompts, Answers)
    return prompts


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application()


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def open_window(qapp: QApplication, settings: QSettings) -> Iterator[OpenWindow]:
    """Open windows one after the other on the same settings; all are closed at the end."""
    opened: list[MainWindow] = []

    def open_one(state: State) -> MainWindow:
        window = MainWindow(state, settings, Answers)
        window.appearance.use_theme("light")
        window.show_sized(1280, 800)
        opened.append(window)
        return window

    yield open_one
    for window in opened:
        answers_of(window).unsaved = Answer.DISCARD
        window.close()
        window.appearance.step_font(0)
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window(load_preset("s1"))
