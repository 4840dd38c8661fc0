"""A window with settings of its own and answers instead of dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from attnviz.app.documents import Answer
from attnviz.app.main import make_application
from attnviz.app.window import MainWindow
from attnviz.document.measures import SHOWN_FIRST
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.views.selection import Chosen

OpenWindow = Callable[[State], MainWindow]


class Answers:
    """Prompts that answer at once with what a test put in, and remember what was asked."""

    def __init__(self, _window: QWidget | None = None) -> None:
        self.begin_again()

    def begin_again(self) -> None:
        """Answer as at first, as if nothing had ever been asked."""
        self.unsaved = Answer.DISCARD
        self.open_path: Path | None = None
        self.import_path: Path | None = None
        self.mask_path: Path | None = None
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

    def ask_mask_path(self, folder: Path) -> Path | None:
        self.asked.append("mask")
        self.folder = folder
        return self.mask_path

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
        assert window.plane.canvas.isVisible()  # it is made when first asked for
        qapp.processEvents()
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
def fresh_window(open_window: OpenWindow) -> MainWindow:
    """A window that nothing was done to yet, on the first scene."""
    return open_window(load_preset("s1"))


class SharedWindow:
    """One window for the tests of a module, brought back to its beginning between them; a new one if it was closed."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings
        self._window: MainWindow | None = None
        self._layout = QByteArray()

    def at_its_beginning(self) -> MainWindow:
        if self._window is None or not self._window.isVisible():
            self.close()
            self._window = MainWindow(load_preset("s1"), self._settings, Answers)
            self._window.appearance.use_theme("light")
            self._window.show_sized(1280, 800)
            assert self._window.plane.canvas.isVisible()  # it is made when first asked for
            QApplication.processEvents()
            self._layout = self._window.saveState(1)
        self._begin_again(self._window)
        return self._window

    def close(self) -> None:
        if self._window is not None:
            answers_of(self._window).unsaved = Answer.DISCARD
            self._window.close()
            self._window.appearance.step_font(0)
            self._window.deleteLater()
            self._window = None
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()

    def _begin_again(self, window: MainWindow) -> None:
        for dialog in window.findChildren(QDialog):
            dialog.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        window.controls.stop_sweep()
        answers_of(window).unsaved = Answer.DISCARD
        self._settings.clear()
        window.documents.clear_recent()
        window.presentation.end()
        if window.appearance.percent != 100:
            window.appearance.step_font(0)
        if window.appearance.choice != "light":
            window.appearance.use_theme("light")
        if window.layout_of_docks.maximised is not None:
            window.layout_of_docks.toggle_maximised(window.layout_of_docks.maximised)
        if window.saveState(1) != self._layout:
            window.restoreState(self._layout, 1)
        window.resize(1280, 800)
        focus = QApplication.focusWidget()
        if focus is not None:
            focus.clearFocus()
        window.documents.open_preset("s1")
        window.selection.choose(Chosen())
        window.scores.choose_stage("scaled")
        window.weights.show_measures(SHOWN_FIRST)
        window.plane.show_projections(False, "")
        window.tell("")
        answers_of(window).begin_again()
        matrices = (window.scores.matrix, window.weights.matrix)
        for widget in (window.plane.canvas, window.tokens.table.viewport(), *matrices):
            QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
        window.activateWindow()
        QApplication.processEvents()
        window.inspecting.begin_again()


@pytest.fixture(scope="module")
def shared_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedWindow]:
    path = tmp_path_factory.mktemp("settings") / "settings.ini"
    shared = SharedWindow(QSettings(str(path), QSettings.Format.IniFormat))
    yield shared
    shared.close()


@pytest.fixture
def window(shared_window: SharedWindow) -> MainWindow:
    """A window on the first scene, as it opens."""
    return shared_window.at_its_beginning()
