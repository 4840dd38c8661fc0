"""What is inside the panel of the mask and the softmax: its settings."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from attnviz.views.settings_panel import SettingsBody

FIELDS = ("mask", "align", "window", "prefix", "block", "masking", "softmax", "soft_cap", "has_sink", "dropout")


class MaskBody(SettingsBody):
    """The settings of the mask and the softmax."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(FIELDS, parent)
