"""What is inside the panel of the positions: its settings."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from attnviz.views.settings_panel import SettingsBody

FIELDS = ("positions", "base", "pairing", "rotary_width", "n_buckets", "max_distance", "is_bidirectional", "shift")


class PositionsBody(SettingsBody):
    """The settings of the positions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(FIELDS, parent)
