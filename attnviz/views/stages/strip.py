"""The strip of stages as one uses it: matrices to point at, to choose by key, to open, and to scroll sideways."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from attnviz.views.hints import plain_tooltip
from attnviz.views.stages.strip_canvas import StripCanvas

_NOWHERE = ("", -1, -1)


class StageStrip(StripCanvas):
    """The strip with its mouse and its keys.

    Left and Right choose one, Home and End the first and the last, Enter or Space opens it. The wheel scrolls.

    Signals
    -------
    cell_pointed : str, int, int
        The matrix, the row and the column under the mouse; an empty name and -1 where there is none.
    stage_chosen : str
        The user chose another matrix by key.
    stage_opened : str
        The matrix was clicked, or Enter was pressed on it.
    """

    cell_pointed = Signal(str, int, int)
    stage_chosen = Signal(str)
    stage_opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Stages")
        self.viewport().setMouseTracking(True)
        self._pointed: tuple[str, int, int] = _NOWHERE

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which cell the mouse is over, once each time it changes."""
        self._point_at(self._under(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the clicked matrix."""
        name = self._stage_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and name:
            self.stage_opened.emit(name)
        else:
            event.ignore()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell when the mouse leaves; explain a matrix in a tooltip."""
        if event.type() == QEvent.Type.Leave:
            self._point_at(_NOWHERE)
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            name = self._stage_at(QPointF(event.pos()))
            if name:
                QToolTip.showText(event.globalPos(), plain_tooltip(self._tip(name)), self.viewport())
                return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways, whichever way the wheel turns."""
        turned = event.angleDelta().x() or event.angleDelta().y()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - turned)  # a notch is 120 of the wheel's units
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a matrix, or open the chosen one."""
        key, last = event.key(), len(self._asked) - 1
        places = {
            Qt.Key.Key_Left: self._current - 1,
            Qt.Key.Key_Right: self._current + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self._asked:
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.stage_opened.emit(self.current)
        elif key in places:
            self.stage_chosen.emit(self._asked[max(0, min(places[Qt.Key(key)], last))].name)
        else:
            event.ignore()

    # -- inside

    def _stage_at(self, point: QPointF) -> str:
        placed = self._layout.matrix_at(point.x() + self._offset)
        return "" if placed is None else placed.asked.name

    def _under(self, point: QPointF) -> tuple[str, int, int]:
        at = point + QPointF(self._offset, 0.0)
        placed = self._layout.matrix_at(at.x())
        cell = None if placed is None else placed.cell_at(at, self.devicePixelRatioF())
        return _NOWHERE if placed is None or cell is None else (placed.asked.name, *cell)

    def _point_at(self, place: tuple[str, int, int]) -> None:
        if place != self._pointed:
            self._pointed = place
            self.cell_pointed.emit(*place)

    def _tip(self, name: str) -> str:
        one = next(each for each in self._shown if each.matrix.name == name)
        left_out = self._layout.placed(name).grid.left_out
        drawn = f"; {left_out} drawn" if left_out else ""
        return f"{one.spoken}\nColours: {one.range_text}{drawn}\nClick to open it large, once more to close it"
