"""Starting the program: the application, its first window, and the same window drawn without a screen."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QSettings, Qt, QTimer
from PySide6.QtGui import QIcon, QImageWriter
from PySide6.QtWidgets import QApplication

from attnviz import __version__
from attnviz.app.dialogs import QtPrompts
from attnviz.app.documents import START_SCENE
from attnviz.app.faults import install_fault_handler
from attnviz.app.recovery import Recovery, recovery_folder
from attnviz.app.window import MainWindow
from attnviz.document.attn_file import SUFFIX, read_file
from attnviz.document.presets import load_preset
from attnviz.document.resources import find_resources
from attnviz.document.state import State
from attnviz.environment import paint_in_one_thread

_FIRST_SIZE = (1280, 800)
_INTERRUPTED = 130
_HEARTBEAT_MS = 200


def run(path: Path | None) -> int:
    """Open the window and stay until it is closed.

    Parameters
    ----------
    path : Path or None
        The document to open; None for the start-up scene.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    FileError
        If the document cannot be read; no window is opened then.
    """
    is_document = path is not None and path.suffix.lower() == SUFFIX
    state = read_file(path) if path is not None and is_document else load_preset(START_SCENE)
    application = make_application()
    window = MainWindow(state, QSettings(), QtPrompts)
    recovery = Recovery(window.session, window.documents, recovery_folder(), window)
    install_fault_handler(window, recovery.keep)
    heartbeat = _end_on_interrupt(application, recovery)
    window.appearance.restore()
    window.show_remembered(*_FIRST_SIZE)
    if path is None:
        recovery.offer(window.documents.prompts)
    elif is_document:
        window.documents.adopt(path)
    else:
        window.commands.file.import_file(path)
    code = application.exec()
    heartbeat.stop()
    if code != _INTERRUPTED:
        recovery.stop()
    return code


def _end_on_interrupt(application: QApplication, recovery: Recovery) -> QTimer:
    """Let Ctrl+C end the program with its work kept; the timer lets Python see the signal."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        recovery.keep()
        application.exit(_INTERRUPTED)

    signal.signal(signal.SIGINT, interrupt)
    heartbeat = QTimer(application, interval=_HEARTBEAT_MS)
    heartbeat.timeout.connect(int)  # anything in Python: signals are handled between its calls
    heartbeat.start()
    return heartbeat


def screenshot(state: State, size: tuple[int, int], theme: str) -> bytes:
    """Draw the real window, as it opens, as PNG without a screen.

    Parameters
    ----------
    state : State
        The document.
    size : (int, int)
        Width and height in pixels; the window may be larger, since it cannot be drawn any smaller.
    theme : {"light", "dark"}
        How it is dressed.

    Returns
    -------
    bytes
        The file.
    """
    application = make_application()
    window = offscreen_window(state, size, theme)
    application.processEvents()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(window.grab().toImage())
    window.deleteLater()
    application.processEvents()
    return bytes(buffer.data().data())


def offscreen_window(state: State, size: tuple[int, int], theme: str, *, is_shown: bool = False) -> MainWindow:
    """Make the window as it opens, with settings of its own, laid out and painted.

    Without ``is_shown`` it is not put on a screen, even where there is one.
    """
    folder = tempfile.mkdtemp(prefix="attnviz-")
    settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(state, settings, QtPrompts)
    window.appearance.use_theme(theme)
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, not is_shown)
    window.show_sized(*size)
    for _ in range(2):  # the first paint, and the plane that is made after it
        QApplication.processEvents()
    shutil.rmtree(folder, ignore_errors=True)
    return window


def make_application() -> QApplication:
    """Make the application object with name, icon and style, or give the one there is."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    paint_in_one_thread()
    QCoreApplication.setApplicationName("attnviz")
    QCoreApplication.setOrganizationName("attnviz")
    QCoreApplication.setApplicationVersion(__version__)
    application = QApplication(sys.argv[:1])
    application.setStyle("Fusion")
    application.setDesktopFileName("org.attnviz.attnviz")
    application.setWindowIcon(QIcon(str(find_resources() / "icons" / "attnviz.svg")))
    return application
