"""Fonts made from the widget's own: the system's monospaced one, and other sizes of it."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase


def monospaced() -> QFont:
    """Give a font that sets the family alone, so that the size goes on following the widget's parent."""
    font = QFont()
    font.setFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font


def scaled(font: QFont, scale: float) -> QFont:
    """Give ``font`` in ``scale`` times its size, whether that is set in points or in pixels."""
    return _sized(QFont(font), font, scale)


def number_font(font: QFont, scale: float = 1.0) -> QFont:
    """Give the system's monospaced font in the size of ``font``, times ``scale``.

    Parameters
    ----------
    font
        The font of the widget.
    scale
        1 is the widget's own size.

    Returns
    -------
    QFont
    """
    fixed = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    fixed.setStyleHint(QFont.StyleHint.Monospace)
    fixed.setFixedPitch(True)
    return _sized(fixed, font, scale)


def _sized(font: QFont, model: QFont, scale: float) -> QFont:
    if model.pointSizeF() > 0:
        font.setPointSizeF(model.pointSizeF() * scale)
    else:
        font.setPixelSize(max(1, round(model.pixelSize() * scale)))
    return font
