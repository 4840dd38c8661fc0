"""The mask panel: which keys a query may see, where the mask acts, and how logits become weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.late import late
from attnviz.views.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from attnviz.views.mask import mask_body
else:
    mask_body = late("attnviz.views.mask.mask_body")  # the panel is hidden when the window opens


class MaskView(SettingsPanel):
    """The panel of the mask and the softmax."""

    def make_body(self) -> mask_body.MaskBody:
        """Make what is inside."""
        return mask_body.MaskBody(self)
