"""The gallery: every ready scene as a card with a small picture of its weights, opened by one click."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from attnviz.appearance import Theme, colour_table
from attnviz.document.frame import Frame, compute
from attnviz.document.presets import load_preset, preset_names
from attnviz.views.matrix.pixels import packed

_COLUMNS = 3
_MARGIN, _GAP, _BAR = 24, 16, 12
_CARD = QSize(248, 168)
_PICTURE = 88


class Gallery(QDialog):
    """A dialog of cards.

    Signals
    -------
    scene_chosen : str
        The name of the scene to open.
    """

    scene_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Scenes")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        heading = QLabel("Begin with a scene")
        heading.setObjectName("panel_title")
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(_GAP)
        self.cards: list[SceneCard] = []
        for name in preset_names():
            card = SceneCard(name, compute(load_preset(name)), theme, self)
            card.opened.connect(self._choose)
            self.cards.append(card)
        room = self.screen().availableSize() if parent is None else parent.size().boundedTo(parent.screen().size())
        width = self.cards[0].sizeHint().width() + _GAP
        columns = max(1, min(_COLUMNS, (room.width() - 2 * _MARGIN - _BAR) // width))
        for place, card in enumerate(self.cards):
            grid.addWidget(card, place // columns, place % columns)
        self.scroll_area = QScrollArea(self)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(inside)
        for transparent in (self.scroll_area.viewport(), inside):
            transparent.setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        layout.setSpacing(_GAP)
        layout.addWidget(heading)
        layout.addWidget(self.scroll_area)
        whole = inside.sizeHint()
        height = whole.height() + heading.sizeHint().height() + _GAP + 2 * _MARGIN
        self.resize(whole.width() + 2 * _MARGIN + (_BAR if height > room.height() else 0), min(height, room.height()))

    def _choose(self, name: str) -> None:
        self.accept()
        self.scene_chosen.emit(name)


class SceneCard(QAbstractButton):
    """One scene: its weights in small, its title, what to look at.

    Signals
    -------
    opened : str
        The scene's name: it was clicked, or Enter or the space bar was pressed on it.
    """

    opened = Signal(str)

    def __init__(self, name: str, frame: Frame, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._frame, self._theme = name, frame, theme
        self._title, self._description = frame.state.title, frame.state.description
        self.setAccessibleName(self._title)
        self.setAccessibleDescription(self._description)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(self._open)

    def sizeHint(self) -> QSize:
        """Room for the picture and four lines of text."""
        line = self.fontMetrics().height()
        return QSize(max(_CARD.width(), 18 * line), _PICTURE + 32 + 5 * line)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the card."""
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            theme = self._theme
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            is_lit = self.underMouse() or self.hasFocus()
            painter.setPen(QColor(theme.accent if is_lit else theme.border))
            painter.setBrush(QColor(theme.panel))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            self._draw_weights(painter)
            line = self.fontMetrics().height()
            text_area = self.rect().adjusted(12, _PICTURE + 20, -12, -8)
            bold = self.font()
            bold.setBold(True)
            painter.setFont(bold)
            painter.setPen(QColor(theme.text))
            title = painter.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, text_area.width())
            painter.drawText(text_area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), title)
            painter.setFont(self.font())
            painter.setPen(QColor(theme.muted))
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            painter.drawText(text_area.adjusted(0, line + 4, 0, 0), int(flags), self._description)

    def _draw_weights(self, painter: QPainter) -> None:
        weights = self._frame.trace.weights
        rows, columns = weights.shape
        cell = min(_PICTURE / rows, (self.width() - 24) / columns, 32.0)
        left, top = (self.width() - cell * columns) / 2, 12 + (_PICTURE - cell * rows) / 2
        table = packed(colour_table(self._theme.weight_map))
        entries = table[np.rint(weights * (len(table) - 1)).astype(np.intp)]
        painter.setPen(QColor(self._theme.border))
        for i in range(rows):
            for j in range(columns):
                painter.setBrush(QColor.fromRgb(int(entries[i, j]) & 0xFFFFFF))
                painter.drawRoundedRect(QRectF(left + j * cell + 1, top + i * cell + 1, cell - 2, cell - 2), 3, 3)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the scene on Enter too; buttons know the space bar only."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the second press of a double click as nothing: the first has opened the scene."""
        event.accept()

    def _open(self) -> None:
        self.opened.emit(self._name)
