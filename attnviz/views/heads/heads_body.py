"""What is inside the panel of the heads: its settings."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from attnviz.views.settings_panel import SettingsBody

FIELDS = ("n_heads", "n_kv_heads", "is_tied")


class HeadsBody(SettingsBody):
    """The settings of the heads."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(FIELDS, parent)
