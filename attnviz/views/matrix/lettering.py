"""The fonts of a matrix and what is measured in them, and tokens and limits as they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from attnviz.views.fonts import number_font, scaled
from attnviz.views.matrix.geometry import Box, FootSize, GutterSize, LabelFace, NumberFace, NumberWay, TextSizes
from attnviz.views.matrix.glyphs import NUMERALS, GlyphAtlas
from attnviz.views.matrix.picture import Gutter, MatrixPicture
from attnviz.views.matrix.text import characters_for

PaintedText = tuple[str, QRectF]

EMPTY_ROW = "no visible key"

_FACE_SCALES = (1.0, 0.92, 0.84, 0.77, 0.7)
_SMALL = 0.92
# Sizes of labels, and how much of a font's line they need; the smaller are for tokens packed line by line.
_LABELS = ((1.0, 1.0), (1.0, 0.86), (0.9, 0.86), (0.8, 0.86), (0.7, 0.86))
_MOST_PACKED = 128
_ARROW = " →"
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
    scale
        How much larger than ``font`` everything is written.
    """

    font: QFont
    ratio: float
    scale: float = 1.0
    labels: tuple[QFont, ...] = field(init=False)
    small: QFont = field(init=False)
    atlases: tuple[GlyphAtlas, ...] = field(init=False)
    _metrics: tuple[QFontMetricsF, ...] = field(init=False)
    _widths: dict[tuple[str, int], float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        font = scaled(self.font, self.scale)
        self.small = scaled(font, _SMALL)
        self.labels = tuple(scaled(font, scale) for scale, _ in _LABELS)
        for label in self.labels:
            label.setWeight(QFont.Weight.DemiBold)
        self._metrics = tuple(QFontMetricsF(label) for label in self.labels)
        self.atlases = tuple(GlyphAtlas(number_font(font, scale), self.ratio) for scale in _FACE_SCALES)

    def sizes(self, picture: MatrixPicture) -> TextSizes:
        """Measure all texts of a picture."""
        small = QFontMetricsF(self.small)
        shown = picture.limits if picture.role == "share" else (*picture.limits, -0.125)
        legend = max(small.horizontalAdvance(limit_text(limit)) for limit in shown)
        return TextSizes(
            small_line=self._up(small.height()),
            character=self._up(small.averageCharWidth()),
            labels=tuple(
                self._label_face(picture, face)
                for face in range(len(_LABELS) if max(picture.shape) <= _MOST_PACKED else 1)
            ),
            row_title=self._up(small.horizontalAdvance(picture.row_title)),
            column_title=self._up(small.horizontalAdvance(picture.column_title)),
            arrow=self._up(small.horizontalAdvance(_ARROW)),
            gutters=tuple(
                GutterSize(
                    self._up(small.horizontalAdvance(gutter.title)),
                    max((self._up(small.horizontalAdvance(word)) for word in gutter.title.split()), default=0),
                    gutter_characters(gutter),
                )
                for gutter in picture.gutters
            ),
            legend=self._up(legend),
            faces=tuple(_number_face(atlas, picture) for atlas in self.atlases),
            numbers=_number_ways(picture),
            feet=tuple(
                FootSize(self._up(small.horizontalAdvance(foot.title)), _foot_ways(foot)) for foot in picture.feet
            ),
        )

    @property
    def small_line(self) -> float:
        """Height of a line of titles and notes, in logical pixels."""
        return QFontMetricsF(self.small).height()

    def label_width(self, token: str, face: int) -> float:
        """Give the width of a token's label in one of the sizes, in logical pixels."""
        width = self._widths.get((token, face))
        if width is None:
            width = self._metrics[face].horizontalAdvance(shown_token(token))
            self._widths[token, face] = width
        return width

    def small_width(self, text: str) -> float:
        """Give the width of a title or note, in logical pixels."""
        return QFontMetricsF(self.small).horizontalAdvance(text)

    def _label_face(self, picture: MatrixPicture, face: int) -> LabelFace:
        return LabelFace(
            ceil(self._metrics[face].height() * _LABELS[face][1] * self.ratio - 0.01),
            tuple(self._up(self.label_width(token, face)) for token in picture.row_labels),
            tuple(self._up(self.label_width(token, face)) for token in picture.column_labels),
        )

    def _up(self, length: float) -> int:
        return int(length * self.ratio) + 1


def _number_face(atlas: GlyphAtlas, picture: MatrixPicture) -> NumberFace:
    first, end = atlas.inked(
        NUMERALS + "".join(gutter.template for gutter in (*picture.gutters, *picture.feet)).replace("{}", "")
    )
    return NumberFace(atlas.advance, end - first, atlas.digit_bottom - atlas.digit_top)


def _number_ways(picture: MatrixPicture) -> tuple[NumberWay, ...]:
    """List the ways to write the numbers of a picture: with fewer digits, then without the zero before the point."""
    few = min(2, picture.digits)
    ways = [
        NumberWay(digits, characters_for(picture.limits, digits)) for digits in dict.fromkeys((picture.digits, few))
    ]
    if max(map(abs, picture.limits)) <= 1 and few:
        ways.append(NumberWay(few, ways[-1].characters - 1, is_short=True))
    elif few > 1:
        ways.append(NumberWay(1, characters_for(picture.limits, 1)))
    return tuple(ways)


def _foot_ways(foot: Gutter) -> tuple[NumberWay, ...]:
    """List the ways to write the numbers of a gutter below the cells: with one digit less where columns are narrow."""
    words = len(foot.template.replace("{}", "0."))
    return tuple(NumberWay(digits, words + digits) for digits in (foot.digits, foot.digits - 1) if digits > 0)


def gutter_characters(gutter: Gutter) -> int:
    """Say how many characters a row of a gutter has: numbers below ten, and the words around."""
    return len(gutter.template.replace("{}", "0.")) + gutter.digits


def logical(box: Box, ratio: float) -> QRectF:
    """Give a box of device pixels as Qt's rectangle."""
    return QRectF(box.x / ratio, box.y / ratio, box.width / ratio, box.height / ratio)
