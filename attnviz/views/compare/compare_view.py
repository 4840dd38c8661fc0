"""The compare panel: a state that was held as A, the present one as B, and what is between them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Signal

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.late import late
from attnviz.views.late_panel import LatePanel

if TYPE_CHECKING:
    from attnviz.views.compare import compare_body
else:
    compare_body = late("attnviz.views.compare.compare_body")  # the panel is hidden when the window opens


class CompareView(LatePanel):
    """The panel around what is compared, which it makes when it is first shown.

    Signals
    -------
    snapshot_requested : (nothing)
        The present state is to be kept.
    snapshot_restored, snapshot_deleted : int
        The document goes back to the snapshot at this place, or forgets it.
    snapshot_renamed : int, str
        The snapshot at this place is to have this name.
    compared_chosen : (nothing)
        Another snapshot was chosen to be A.
    """

    is_of_one_head = True
    snapshot_requested = Signal()
    snapshot_restored = Signal(int)
    snapshot_deleted = Signal(int)
    snapshot_renamed = Signal(int, str)
    compared_chosen = Signal()

    @cached_property
    def body(self) -> compare_body.CompareBody:
        """What is inside."""
        made = compare_body.CompareBody(self.selection, self)
        made.snapshot_requested.connect(self.snapshot_requested)
        made.snapshot_restored.connect(self.snapshot_restored)
        made.snapshot_deleted.connect(self.snapshot_deleted)
        made.snapshot_renamed.connect(self.snapshot_renamed)
        made.compared_chosen.connect(self.compared_chosen)
        self.take_in(made)
        return made

    def show_frame(self, frame: Frame) -> None:
        """Compare a frame with what is held."""
        self.body.offer_frame(frame)

    def focused_number(self) -> NumberRef | None:
        """Give the number that the keyboard is at."""
        return self.body.focused_number() if self.is_made else None

    def number_at(self, place: QPoint) -> NumberRef | None:
        """Give the number at a place."""
        return self.body.number_at(self.body.mapFrom(self, place)) if self.is_made else None

    @property
    def before(self) -> Frame | None:
        """The frame that the present one is compared with; None where nothing is held, or the panel is hidden."""
        return self.body.before if self.is_made and self.isVisible() else None

    def sizeHint(self) -> QSize:
        """Give room for three matrices; asked for before there is anything inside."""
        line = self.fontMetrics().height()
        return QSize(48 * line, 20 * line)

    def minimumSizeHint(self) -> QSize:
        """Keep the buttons and a little of each matrix."""
        line = self.fontMetrics().height()
        return QSize(24 * line, 10 * line)
