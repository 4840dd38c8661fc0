"""The film panel: one forward pass of the open document, step by step, to play, to scrub and to stop at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.late import late
from attnviz.views.late_panel import LatePanel

if TYPE_CHECKING:
    from attnviz.views.film import film_body
else:
    film_body = late("attnviz.views.film.film_body")  # the panel is hidden when the window opens


class FilmView(LatePanel):
    """The panel of the film; what it holds is made when it is first shown."""

    is_of_one_head = True

    @cached_property
    def body(self) -> film_body.FilmBody:
        """What is inside."""
        made = film_body.FilmBody(self.selection, self)
        self.take_in(made)
        return made

    def show_frame(self, frame: Frame) -> None:
        """Show the same step with the numbers of a frame."""
        self.body.offer_frame(frame)

    def focused_number(self) -> NumberRef | None:
        """Give the number that the shown step makes."""
        return self.body.focused_number()

    def begin(self) -> None:
        """Follow the selection again: another document opens, in which no query was chosen here."""
        if self.is_made:
            self.body.begin()

    def toggle_playing(self) -> None:
        """Play or pause."""
        self.body.toggle_playing()

    def sizeHint(self) -> QSize:
        """Give the room in which most steps are seen with their numbers."""
        line = self.fontMetrics().height()
        return QSize(30 * line, 30 * line)
