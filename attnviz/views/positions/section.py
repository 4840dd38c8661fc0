"""A part of the panel of the positions: a name, what belongs beside it, what is shown, and a line below."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.views.controls.head_line import HeadLine

_BAR = 12  # pixels of a scroll bar, and free ones above it


class Section(QWidget):
    """A named part with a line of text below what it shows.

    Parameters
    ----------
    title : str
        Its name.
    tail : QWidget or None
        What stands at the end of the name's line.
    """

    def __init__(self, title: str, tail: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = plain_label(title, self)
        self.title.setObjectName("panel_title")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 8, 0, 0)
        self.column.setSpacing(4)
        self.column.addWidget(self.title if tail is None else HeadLine(self.title, tail, self))
        self.note = wrapped_label(self)
        self.note.setObjectName("muted")
        self.column.addWidget(self.note)

    def add(self, widget: QWidget) -> None:
        """Put a widget above the line of text."""
        self.column.insertWidget(self.column.count() - 1, widget)

    def say(self, text: str) -> None:
        """Write the line below; an empty one takes no room."""
        show_text(self.note, text)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; to be overridden."""


class SideScroll(QScrollArea):
    """Scrolls one widget sideways, and is as high as that."""

    def __init__(self, inside: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inside = inside
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWidget(inside)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        inside.setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        """Give the height of what is inside, and of the bar."""
        return QSize(super().sizeHint().width(), _least(self._inside).height() + _BAR)

    def minimumSizeHint(self) -> QSize:
        """Be narrow: that is what it is for."""
        return QSize(60, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Follow the height of what is inside."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


def _least(inside: QWidget) -> QSize:
    """Give the least size of a widget: what it asks for, and what it was told."""
    return inside.minimumSizeHint().expandedTo(inside.minimumSize())


def plain_label(text: str, parent: QWidget) -> QLabel:
    """Make a label of plain text."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def wrapped_label(parent: QWidget) -> QLabel:
    """Make a label that breaks its lines, hidden while it says nothing."""
    label = plain_label("", parent)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.hide()
    return label


def show_text(label: QLabel, text: str) -> None:
    """Write on a label; an empty text hides it."""
    if text != label.text():
        label.setText(text)
    if label.isHidden() == bool(text):
        label.setVisible(bool(text))
