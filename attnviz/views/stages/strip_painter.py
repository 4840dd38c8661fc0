"""How the strip is painted: small matrices with their texts, the signs between them and the ways below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from attnviz.appearance import Theme
from attnviz.views.matrix.lettering import PaintedText
from attnviz.views.matrix.picture import Highlight, MatrixPicture
from attnviz.views.matrix.writer import texts_of_numbers
from attnviz.views.role_colours import role_colour
from attnviz.views.stages.marks import Marks
from attnviz.views.stages.placed import PlacedMatrix, PlacedWay, StripLayout
from attnviz.views.stages.shown import Shown
from attnviz.views.stages.strip_fonts import StripFonts
from attnviz.views.stages.strip_images import BarImages, StripImages

_HEAD = 3.5
_RADIUS = 6.0


@dataclass(frozen=True, slots=True)
class Written:
    """A text with how it is written.

    Parameters
    ----------
    text : str
        What it says.
    box : QRectF
        Where.
    colour : str
        In which colour.
    is_bold : bool
        Whether in the bold font, else in the small one.
    """

    text: str
    box: QRectF
    colour: str
    is_bold: bool = False


class StripPainter:
    """Paints one layout in one theme.

    Parameters
    ----------
    layout, fonts, theme
        Where, in which letters, in which colours.
    """

    def __init__(self, layout: StripLayout, fonts: StripFonts, theme: Theme) -> None:
        self._layout, self._fonts, self._theme = layout, fonts, theme
        self._images, self._bars = StripImages(layout.matrices, fonts, theme), BarImages(theme)
        self._marks = Marks(theme, fonts.ratio)
        self._muted, self._accent = QColor(theme.muted), QColor(theme.accent)

    def paint(
        self,
        painter: QPainter,
        shown: Sequence[Shown],
        highlights: Sequence[Highlight],
        seen: QRectF,
        exposed: QRectF,
    ) -> None:
        """Paint what of the strip is exposed.

        Parameters
        ----------
        painter
            With the corner of the strip, not of what is seen of it, at 0.
        shown, highlights
            The matrices, and what is lit in them.
        seen
            What of the strip is in sight; texts that would be cut at its edge are left out.
        exposed
            What of it is to be painted.
        """
        layout = self._layout
        for place, (placed, one) in enumerate(zip(layout.matrices, shown, strict=True)):
            if placed.whole.intersects(exposed):
                self._paint_matrix(painter, place, placed, one.picture, highlights[place])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for way in layout.ways:
            self._paint_way(painter, way)
        self._paint_arrows(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for written in self.written(shown):
            if written.box.intersects(exposed) and _is_whole(written.box, seen):
                self._write(painter, written)

    def paint_choice(self, painter: QPainter, place: int, *, is_open: bool) -> None:
        """Paint a ring around the chosen matrix, and another ground under it if it is open."""
        box = self._layout.matrices[place].whole
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._accent, 1.5))
        painter.setBrush(QColor(self._theme.inset) if is_open else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def texts(self, shown: Sequence[Shown], seen: QRectF) -> list[PaintedText]:
        """List the texts in sight, numbers in cells included, with their boxes in the strip."""
        found = [(each.text, each.box) for each in self.written(shown)]
        for placed, one in zip(self._layout.matrices, shown, strict=True):
            layout = placed.grid.layout(self._fonts.ratio)
            numbers = texts_of_numbers(one.picture, layout, self._fonts.lettering.atlases)
            found += [(text, box.translated(placed.cells.topLeft())) for text, box in numbers]
        return [(text, box) for text, box in found if _is_whole(box, seen)]

    def written(self, shown: Sequence[Shown]) -> Iterator[Written]:
        """Give all texts but the numbers in cells."""
        theme = self._theme
        signs = {one.matrix.name: one.sign_text for one in shown}
        for placed, one in zip(self._layout.matrices, shown, strict=True):
            yield Written(one.matrix.symbol, placed.symbol, role_colour(theme, one.matrix.role), is_bold=True)
            if not self._layout.is_low:
                yield Written(placed.asked.shape_text, placed.shape, theme.muted)
                yield Written(one.matrix.label, placed.label, theme.muted)
                limits = QRectF(placed.limits)
                limits.setWidth(self._fonts.width(one.range_text))
                yield Written(one.range_text, limits, theme.muted)
        for sign in self._layout.signs:
            text = signs[sign.before]
            width = self._fonts.width(text)
            box = QRectF(sign.text.center().x() - width / 2, sign.text.top(), width, sign.text.height())
            yield Written(text, box, theme.text)

    def _paint_matrix(
        self, painter: QPainter, place: int, placed: PlacedMatrix, picture: MatrixPicture, highlight: Highlight
    ) -> None:
        image = self._images.image(place, picture)
        image.setDevicePixelRatio(self._fonts.ratio)
        painter.drawImage(placed.cells.topLeft(), image)
        if not self._layout.is_low:
            painter.drawImage(placed.bar, self._bars.image(picture.scale))
            painter.setPen(QColor(self._theme.border))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(placed.bar.adjusted(-0.5, -0.5, 0.5, 0.5))
        self._marks.draw(painter, placed, highlight)

    def _write(self, painter: QPainter, written: Written) -> None:
        fonts = self._fonts
        font: QFont = fonts.bold if written.is_bold else fonts.small
        painter.setFont(font)
        painter.setPen(QColor(written.colour))
        ascent = fonts.bold_ascent if written.is_bold else fonts.small_ascent
        painter.drawText(QPointF(written.box.left(), written.box.top() + ascent), written.text)

    def _paint_way(self, painter: QPainter, placed: PlacedWay) -> None:
        """Paint a line from below each source along its lane up to the target."""
        role = placed.way.role
        colour = self._muted if role == "score" else QColor(role_colour(self._theme, role))
        painter.setPen(QPen(colour, 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for start in placed.starts:
            corner, turn = QPointF(start.x(), placed.lane), QPointF(placed.end.x(), placed.lane)
            painter.drawPolyline(QPolygonF([start, corner, turn, placed.end + QPointF(0.0, 2.0)]))
        _paint_head(painter, colour, placed.end, QPointF(0.0, -1.0))

    def _paint_arrows(self, painter: QPainter) -> None:
        for sign in self._layout.signs:
            if sign.arrow is not None:
                start, end = sign.arrow
                painter.setPen(QPen(self._muted, 1.2))
                painter.drawLine(start, end - QPointF(2.0, 0.0))
                _paint_head(painter, self._muted, end, QPointF(1.0, 0.0))


def _paint_head(painter: QPainter, colour: QColor, tip: QPointF, towards: QPointF) -> None:
    across = QPointF(-towards.y(), towards.x())
    foot = tip - towards * (1.6 * _HEAD)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([tip, foot + across * _HEAD, foot - across * _HEAD]))


def _is_whole(box: QRectF, seen: QRectF) -> bool:
    return seen.left() <= box.left() and box.right() <= seen.right()
