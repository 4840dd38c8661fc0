"""The fonts of a matrix and what is measured in them, and tokens and limits as they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from attnviz.views.glyphs import GlyphAtlas, number_font
from attnviz.views.matrix_geometry import Box, NumberFace, TextSizes
from attnviz.views.matrix_picture import Gutter, MatrixPicture
from attnviz.views.matrix_text import characters_for

PaintedText = tuple[str, QRectF]

EMPTY_ROW = "no visible key"

_FACE_SCALES = (1.0, 0.92, 0.84, 0.77, 0.7)
_SMALL = 0.92
_CONTROL_SIGNS = {"\n": "⏎", "\r": "⏎", "\t": "⇥"}


def shown_token(token: str) -> str:
    """Give a token as one line that is never empty: line ends, tabs and lone blanks become signs.

    Parameters
    ----------
    token
        Any text.

    Returns
    -------
    str
    """
    text = "".join(_CONTROL_SIGNS.get(character, character) for character in token)
    return text if text.strip() else "␣" * max(1, len(text))


@lru_cache(maxsize=64)
def limit_text(limit: float) -> str:
    """Write an end of the legend with three digits and a true minus sign.

    Parameters
    ----------
    limit
        A finite number.

    Returns
    -------
    str
    """
    return f"{limit + 0.0:.3g}".replace("-", "−")


@dataclass(slots=True)
class Lettering:
    """The fonts of a matrix in one size and at one device pixel ratio, with what was measured in them.

    Parameters
    ----------
    font
        The font of the widget.
    ratio
        Device pixels a logical pixel.
    """

    font: QFont
    ratio: float
    label: QFont = field(init=False)
    small: QFont = field(init=False)
    atlases: tuple[GlyphAtlas, ...] = field(init=False)
    _widths: dict[str, float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.label, self.small = QFont(self.font), QFont(self.font)
        self.label.setWeight(QFont.Weight.DemiBold)
        if self.font.pointSizeF() > 0:
            self.small.setPointSizeF(self.font.pointSizeF() * _SMALL)
        self.atlases = tuple(GlyphAtlas(number_font(self.font, scale), self.ratio) for scale in _FACE_SCALES)

    def sizes(self, picture: MatrixPicture) -> TextSizes:
        """Measure all texts of a picture."""
        small = QFontMetricsF(self.small)
        first = self.atlases[0]
        shown = picture.limits if picture.scale == "sequential" else (*picture.limits, -0.125)
        legend = max(small.horizontalAdvance(limit_text(limit)) for limit in shown)
        return TextSizes(
            line=self._up(QFontMetricsF(self.label).height()),
            small_line=self._up(small.height()),
            row_label=self._up(max(map(self.label_width, picture.row_labels))),
            column_label=self._up(max(map(self.label_width, picture.column_labels))),
            row_title=self._up(small.horizontalAdvance(picture.row_title)),
            column_title=self._up(small.horizontalAdvance(picture.column_title)),
            gutters=tuple(
                max(self._up(small.horizontalAdvance(gutter.title)), gutter_characters(gutter) * first.advance)
                for gutter in picture.gutters
            ),
            legend=self._up(legend),
            faces=tuple(
                NumberFace(atlas.advance, atlas.height, atlas.digit_bottom - atlas.digit_top) for atlas in self.atlases
            ),
            numbers=tuple(
                (digits, characters_for(picture.limits, digits))
                for digits in dict.fromkeys((picture.digits, min(2, picture.digits)))
            ),
        )

    @property
    def line(self) -> float:
        """Height of a line of labels, in logical pixels."""
        return QFontMetricsF(self.label).height()

    @property
    def small_line(self) -> float:
        """Height of a line of titles and notes, in logical pixels."""
        return QFontMetricsF(self.small).height()

    def label_width(self, token: str) -> float:
        """Give the width of a token's label, in logical pixels."""
        width = self._widths.get(token)
        if width is None:
            width = QFontMetricsF(self.label).horizontalAdvance(shown_token(token))
            self._widths[token] = width
        return width

    def small_width(self, text: str) -> float:
        """Give the width of a title or note, in logical pixels."""
        return QFontMetricsF(self.small).horizontalAdvance(text)

    def _up(self, length: float) -> int:
        return int(length * self.ratio) + 1


def gutter_characters(gutter: Gutter) -> int:
    """Say how many characters a row of a gutter has: numbers below ten, and the words around."""
    return len(gutter.template.replace("{}", "0.")) + gutter.digits


def logical(box: Box, ratio: float) -> QRectF:
    """Give a box of device pixels as Qt's rectangle."""
    return QRectF(box.x / ratio, box.y / ratio, box.width / ratio, box.height / ratio)
