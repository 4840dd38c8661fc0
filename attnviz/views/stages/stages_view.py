"""The stages panel: every matrix of the pass from embeddings to outputs, small and linked, and one of them large."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Signal

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.late import late
from attnviz.views.late_panel import LatePanel

if TYPE_CHECKING:
    from attnviz.views.stages import stages_body
else:
    stages_body = late("attnviz.views.stages.stages_body")  # the panel is hidden when the window opens


class StagesView(LatePanel):
    """The panel of the stage strip; what it holds is made when it is first shown.

    Signals
    -------
    opened_changed : bool
        A matrix was opened or closed by the user.
    """

    is_of_one_head = True
    opened_changed = Signal(bool)

    @cached_property
    def body(self) -> stages_body.StagesBody:
        """What is inside."""
        made = stages_body.StagesBody(self.selection, self)
        made.opened_changed.connect(self.opened_changed)
        self.take_in(made)
        return made

    def show_frame(self, frame: Frame) -> None:
        """Draw all matrices of a frame."""
        self.body.offer_frame(frame)

    def focused_number(self) -> NumberRef | None:
        """Give the number in the cell of the large matrix that the keyboard is at."""
        return self.body.focused_number() if self.is_made else None

    def painted_texts(self) -> list[tuple[str, QRectF]]:
        """List every text in sight with its rectangle in the panel's coordinates."""
        return [(text, box.translated(self.body.pos())) for text, box in self.body.painted_texts()]

    def sizeHint(self) -> QSize:
        """Give the room in which small matrices are seen with their numbers."""
        line = self.fontMetrics().height()
        return QSize(60 * line, 11 * line)

    def minimumSizeHint(self) -> QSize:
        """Keep symbols and cells; asked for before there is anything inside."""
        line = self.fontMetrics().height()
        return QSize(15 * line, 6 * line)
