"""A panel whose upper part is a column of settings: the scalars of one group of the state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.views.controls.scalar_rows import ScalarRows
from attnviz.views.late_panel import LatePanel, PanelBody
from attnviz.views.tokens.message_line import MessageLine

_MARGIN = 16


class SettingsBody(PanelBody):
    """The settings, scrolled where there is no room; a subclass adds what belongs below or beside them.

    Parameters
    ----------
    names : sequence of str
        The fields of the state that have a row here.

    Signals
    -------
    scalar_changed : str, object, int
        The scalar of this key is to have this value; the last number names the gesture.
    """

    scalar_changed = Signal(str, object, int)

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ScalarRows(names, self)
        self.rows.changed.connect(self.ask_for)
        self.rows.refused.connect(self.refused)
        inside = QWidget()
        self.column = QVBoxLayout(inside)
        self.column.setContentsMargins(_MARGIN, 0, _MARGIN, 8)
        self.column.addWidget(self.rows)
        self.message = MessageLine(inside)
        self.column.addWidget(self.message)
        self._refused_at: Frame | None = None
        self._shown: Frame | None = None
        self.column.addStretch(1)
        self.scrolled = QScrollArea(self)
        self.scrolled.setFrameShape(QFrame.Shape.NoFrame)
        self.scrolled.setWidgetResizable(True)
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scrolled.setWidget(inside)
        for transparent in (self.scrolled.viewport(), inside):
            transparent.setAutoFillBackground(False)
        self.outer = QVBoxLayout(self)
        self.outer.setContentsMargins(0, 0, 0, 0)
        self.outer.addWidget(self.scrolled, 1)
        self.setFocusProxy(self.rows)

    def ask_for(self, key: str, value: object, gesture: int) -> None:
        """Pass on what a row wants; an override may ask for something else instead."""
        self.scalar_changed.emit(key, value, gesture)

    def show_frame(self, frame: Frame) -> None:
        """Set what differs from what is shown; an override calls this first."""
        self.rows.show_state(frame.state)
        self._shown = frame
        if frame is not self._refused_at:
            self.message.clear()

    def refuse(self, sentence: str) -> None:
        """Say beside the settings why something was not taken, until the document changes."""
        self._refused_at = self._shown
        self.message.show_text(sentence)
        self.scrolled.ensureWidgetVisible(self.message)

    def has_setting(self, key: str) -> bool:
        """Tell whether the scalar of this key has a row here."""
        return any(row.scalar.key == key for row in self.rows.rows.values())

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.rows.apply_theme(theme)
        self.message.apply_theme(theme)


class SettingsPanel(LatePanel):
    """The panel around a :class:`SettingsBody`, which it makes when it is first shown.

    Signals
    -------
    scalar_changed : str, object, int
        The scalar of this key is to have this value; the last number names the gesture.
    """

    scalar_changed = Signal(str, object, int)

    @cached_property
    def settings_body(self) -> SettingsBody:
        """What is inside."""
        made = self.make_body()
        made.scalar_changed.connect(self.scalar_changed)
        self.take_in(made)
        return made

    def make_body(self) -> SettingsBody:
        """Make what is inside; to be overridden."""
        return SettingsBody((), self)

    def show_refusal(self, sentence: str, *, of: str | None = None) -> None:
        """Say in the panel why something was not taken; of a setting only where it has a row here.

        Parameters
        ----------
        sentence : str
            What was expected and what came.
        of : str or None
            The key of the setting that was refused, if it was one.
        """
        if self.is_made and (of is None or (self.isVisible() and self.settings_body.has_setting(of))):
            self.settings_body.refuse(sentence)

    def show_frame(self, frame: Frame) -> None:
        """Show a frame."""
        self.settings_body.show_frame(frame)

    def sizeHint(self) -> QSize:
        """Give room for a few rows; asked for before there is anything inside."""
        line = self.fontMetrics().height()
        return QSize(18 * line, 16 * line)

    def minimumSizeHint(self) -> QSize:
        """Keep one row and a half."""
        line = self.fontMetrics().height()
        return QSize(14 * line, 4 * line)
