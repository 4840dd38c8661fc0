"""A window with settings of its own and answers instead of dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.documents import Answer
from attnviz.app.main import make_application
from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset


class Answers:
    """Prompts that answer at once with what a test put in, and remember what was asked."""

    def __init__(self, _window: QWidget | None = None) -> None:
        self.unsaved = Answer.DISCARD
        self.open_path: Path | None = None
        self.import_path: Path | None = None
        self.save_path: Path | None = None
        self.asked: list[str] = []

    def ask_unsaved(self, name: str) -> Answer:
        self.asked.append(f"unsaved {name}")
        return self.unsaved

    def ask_open_path(self, folder: Path) -> Path | None:
        self.asked.append("open")
        return self.open_path

    def ask_import_path(self, folder: Path) -> Path | None:
        self.asked.append("import")
        return self.import_path

    def ask_save_path(self, suggestion: Path, filters: str) -> Path | None:
        self.asked.append(f"save {suggestion.name}")
        return self.save_path


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application()


@pytest.fixture
def window(qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(load_preset("s1"), settings, Answers)
    window.appearance.use_theme("light")
    window.show_sized(1280, 800)
    yield window
    window.documents.prompts.unsaved = Answer.DISCARD
    window.close()
    window.deleteLater()
    qapp.processEvents()
