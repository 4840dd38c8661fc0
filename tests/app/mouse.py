"""Mouse events as a person makes them, sent to the widget that would get them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.window import MainWindow

_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


def press(widget: QWidget, at: QPointF) -> None:
    _send(widget, QEvent.Type.MouseButtonPress, at, _LEFT, _LEFT)


def move(widget: QWidget, at: QPointF, *, is_pressed: bool = True) -> None:
    _send(widget, QEvent.Type.MouseMove, at, _NONE, _LEFT if is_pressed else _NONE)


def release(widget: QWidget, at: QPointF) -> None:
    _send(widget, QEvent.Type.MouseButtonRelease, at, _LEFT, _NONE)


def double_click(widget: QWidget, at: QPointF) -> None:
    press(widget, at)
    release(widget, at)
    _send(widget, QEvent.Type.MouseButtonDblClick, at, _LEFT, _LEFT)
    release(widget, at)


def place_of(window: MainWindow, token: int) -> QPointF:
    """Where the token of the sequence is drawn on the plane's canvas."""
    state = window.session.state
    points = window.plane.canvas.window_shown().to_pixels(state.points(state.sequence.embeddings))
    return QPointF(*points[token].tolist())


def _send(widget: QWidget, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
    at_global = QPointF(widget.mapToGlobal(at.toPoint()))
    event = QMouseEvent(kind, at, at_global, button, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)
    QApplication.processEvents()
