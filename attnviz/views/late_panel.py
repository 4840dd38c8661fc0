"""A panel that is hidden when the window opens, so that what is inside is made when it is first needed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.views.panel import Panel
from attnviz.views.selection import Selection


class PanelBody(QWidget):
    """What is inside a late panel where the panel itself follows frames and selection.

    Signals
    -------
    subtitle_changed : str
        The muted line beside the panel's title.
    refused : str
        One sentence why something was not done, for the status bar.
    """

    subtitle_changed = Signal(str)
    refused = Signal(str)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; to be overridden."""


class LatePanel(Panel):
    """A panel whose inside is made late: a subclass has it as cached property ``body``, which calls :meth:`take_in`.

    Parameters
    ----------
    selection : Selection
        The shared selection.
    margin : int
        Free pixels at the left and the right.
    """

    def __init__(self, selection: Selection, parent: QWidget | None = None, *, margin: int = 0) -> None:
        super().__init__(selection, parent)
        self._inside: Panel | PanelBody | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(margin, 0, margin, 0)

    @property
    def is_made(self) -> bool:
        """Whether there is anything inside yet."""
        return self._inside is not None

    def take_in(self, made: Panel | PanelBody) -> None:
        """Fill the panel with what was made; what it tells goes on from here."""
        self._inside = made
        made.apply_theme(self.theme)
        made.subtitle_changed.connect(self.set_subtitle)
        made.refused.connect(self.refused)
        self._column.addWidget(made)
        self.setFocusProxy(made)
        if isinstance(made, Panel):
            made.number_menu_requested.connect(self.number_menu_requested)
            made.show()  # at once: it takes frames only while it is visible

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        if self._inside is not None:
            self._inside.apply_theme(theme)
