"""The fonts of the strip, and what is measured in them."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontMetricsF

from attnviz.views.matrix.glyphs import NUMERALS
from attnviz.views.matrix.lettering import Lettering
from attnviz.views.stages.small_grid import Lettered


class StripFonts:
    """The fonts made from the font of the widget.

    Parameters
    ----------
    font
        The widget's.
    ratio
        Device pixels a logical pixel.

    Attributes
    ----------
    bold, small : QFont
        For symbols and signs, and for everything else.
    line, small_line : float
        The height of their lines.
    """

    def __init__(self, font: QFont, ratio: float) -> None:
        self.ratio = ratio
        self.lettering = Lettering(font, ratio)
        self.small = self.lettering.small
        self.bold = QFont(font)
        self.bold.setBold(True)
        self._bold_metrics, self._small_metrics = QFontMetricsF(self.bold), QFontMetricsF(self.small)
        self.line = self._bold_metrics.height()
        self.small_line = self._small_metrics.height()
        self.bold_ascent, self.small_ascent = self._bold_metrics.ascent(), self._small_metrics.ascent()
        self._widths: dict[tuple[str, bool], float] = {}

    def width(self, text: str, *, is_bold: bool = False) -> float:
        """Give the width of a text in the small font or in the bold one; what was asked before is known."""
        found = self._widths.get((text, is_bold))
        if found is None:
            metrics = self._bold_metrics if is_bold else self._small_metrics
            found = self._widths[text, is_bold] = metrics.horizontalAdvance(text) + 1.0
        return found

    def lettered(self, face: int, characters: int, columns: int) -> Lettered:
        """Give how large numbers of so many characters are in a face, for matrices of at most so many columns."""
        atlas = self.lettering.atlases[face]
        first, end = atlas.inked(NUMERALS)
        return Lettered(face, atlas.advance, end - first, characters, columns)
