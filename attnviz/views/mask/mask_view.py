"""The mask panel: which keys a query may see, where the mask acts, and how logits become weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from attnviz.late import late
from attnviz.views.selection import Chosen
from attnviz.views.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from attnviz.views.mask import mask_body
else:
    mask_body = late("attnviz.views.mask.mask_body")  # the panel is hidden when the window opens


class MaskView(SettingsPanel):
    """The panel of the mask and the softmax.

    Signals
    -------
    padding_switched : int, bool
        The key of this index is to be padding, or a real token again.
    invert_requested, clear_requested, import_requested, reroll_requested : (nothing)
        The mask is to be inverted, taken away, read from a file; dropout is to take the next seed.
    painting_switched : bool
        Painting on the heatmaps is to begin, or to end.
    sink_entered : int, float, int
        The head of this index is to have this sink logit; the last number names the gesture.
    """

    padding_switched = Signal(int, bool)
    invert_requested = Signal()
    clear_requested = Signal()
    import_requested = Signal()
    painting_switched = Signal(bool)
    sink_entered = Signal(int, float, int)
    reroll_requested = Signal()

    is_painting = False

    def make_body(self) -> mask_body.MaskBody:
        """Make what is inside."""
        made = mask_body.MaskBody(self)
        made.padding_switched.connect(self.padding_switched)
        made.invert_requested.connect(self.invert_requested)
        made.clear_requested.connect(self.clear_requested)
        made.import_requested.connect(self.import_requested)
        made.painting_switched.connect(self.painting_switched)
        made.sink_entered.connect(self.sink_entered)
        made.reroll_requested.connect(self.reroll_requested)
        made.show_painting(self.is_painting)
        return made

    def show_selection(self, chosen: Chosen) -> None:
        """Tell of the row that is shown in the other panels."""
        if self.is_made:
            self._body.show_selection(chosen)

    def show_painting(self, is_on: bool) -> None:
        """Press or lift the button of painting; emits nothing."""
        self.is_painting = is_on
        if self.is_made:
            self._body.show_painting(is_on)

    @property
    def _body(self) -> mask_body.MaskBody:
        body = self.settings_body
        assert isinstance(body, mask_body.MaskBody)
        return body
