"""Mouse and drop events as a person makes them, sent to the widget that would get them."""

from __future__ import annotations

import warnings
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.window import MainWindow
from attnviz.views.matrix.view import MatrixView

_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
_PLAIN = Qt.KeyboardModifier.NoModifier
NOTCH = 120


def press(widget: QWidget, at: QPointF) -> None:
    _send(widget, QEvent.Type.MouseButtonPress, at, _LEFT, _LEFT)


def move(widget: QWidget, at: QPointF, *, is_pressed: bool = True) -> None:
    _send(widget, QEvent.Type.MouseMove, at, _NONE, _LEFT if is_pressed else _NONE)


def release(widget: QWidget, at: QPointF) -> None:
    _send(widget, QEvent.Type.MouseButtonRelease, at, _LEFT, _NONE)


def click(widget: QWidget, at: QPointF) -> None:
    press(widget, at)
    release(widget, at)


def double_click(widget: QWidget, at: QPointF) -> None:
    click(widget, at)
    _send(widget, QEvent.Type.MouseButtonDblClick, at, _LEFT, _LEFT)
    release(widget, at)


def drag(widget: QWidget, start: QPointF, end: QPointF, steps: int = 5) -> None:
    press(widget, start)
    for step in range(1, steps + 1):
        move(widget, start + (end - start) * (step / steps))
    release(widget, end)


def wheel(widget: QWidget, at: QPointF, notches: int) -> None:
    event = QWheelEvent(
        at,
        QPointF(widget.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, NOTCH * notches),
        _NONE,
        _PLAIN,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    QApplication.processEvents()


def drop_files(widget: QWidget, *paths: Path) -> bool:
    """Drop files as a file manager does, with their addresses as text beside; tell whether they were taken."""
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    content.setText("\n".join(path.as_uri() for path in paths))
    middle = widget.rect().center()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Qt 6.12 wants a QPointF, older ones know a QPoint only
        enter = QDragEnterEvent(middle, Qt.DropAction.CopyAction, content, _LEFT, _PLAIN)
    QApplication.sendEvent(widget, enter)
    if not enter.isAccepted():
        return False
    drop = QDropEvent(QPointF(middle), Qt.DropAction.CopyAction, content, _LEFT, _PLAIN)
    QApplication.sendEvent(widget, drop)
    QApplication.processEvents()
    return drop.isAccepted()


def middle_of(widget: QWidget) -> QPointF:
    return QPointF(widget.rect().center())


def place_of(window: MainWindow, token: int) -> QPointF:
    """Where the token of the sequence is drawn on the plane's canvas."""
    state = window.session.state
    points = window.plane.canvas.window_shown().to_pixels(state.points(state.sequence.embeddings))
    return QPointF(*points[token].tolist())


def cell_place(matrix: MatrixView, row: int, column: int) -> QPointF:
    return matrix.cell_rect(row, column).center()


def _send(widget: QWidget, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
    at_global = QPointF(widget.mapToGlobal(at.toPoint()))
    event = QMouseEvent(kind, at, at_global, button, buttons, _PLAIN)
    QApplication.sendEvent(widget, event)
    QApplication.processEvents()
