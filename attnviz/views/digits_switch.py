"""The switch between numbers of about three digits and numbers with all of them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from attnviz.views.segments import Segments


def digits_switch(tip: str, parent: QWidget) -> Segments:
    """Make the switch: "short", which is chosen at first, or "full".

    Parameters
    ----------
    tip : str
        What else short numbers mean in the panel, after "Write numbers with about three digits; ".
    parent : QWidget
        Where it is.
    """
    short = ("short", "3 digits", f"Write numbers with about three digits; {tip}")
    switch = Segments((short, ("full", "All digits", "Write every number with full precision")), parent)
    switch.setAccessibleName("Digits")
    switch.show_choice("short")
    return switch
