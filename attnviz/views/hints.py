"""What a widget says besides its content: tooltips that are plain text, and the mark of a refused one."""

from __future__ import annotations

import html

from PySide6.QtWidgets import QWidget


def plain_tooltip(text: str) -> str:
    """Make a tooltip that shows ``text`` as it is, whatever Qt would take for markup in it."""
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>"


def mark_invalid(widget: QWidget, is_invalid: bool) -> None:
    """Set the property ``invalid``, by which the style sheet paints an error."""
    if bool(widget.property("invalid")) != is_invalid:
        widget.setProperty("invalid", is_invalid)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
