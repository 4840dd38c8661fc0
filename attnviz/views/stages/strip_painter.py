"""How the strip is painted: small matrices with their texts, the signs between them and the ways below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen, QPolygonF

from attnviz.appearance import Theme
from attnviz.document.matrices import AxisName, Role
from attnviz.document.shapes import SIZE_OF_AXIS
from attnviz.views.matrix.lettering import PaintedText
from attnviz.views.matrix.picture import Highlight
from attnviz.views.matrix.writer import texts_of_numbers
from attnviz.views.role_colours import role_colour, size_colour
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
    parts : tuple of (str, str)
        The pieces that the text is made of, each with a colour of its own; none where all has one.
    """

    text: str
    box: QRectF
    colour: str
    is_bold: bool = False
    parts: tuple[tuple[str, str], ...] = ()


class StripPainter:
    """Paints one layout in one theme.

    Parameters
    ----------
    shown
        The first matrices; later ones have the same names and places.
    layout, fonts, theme
        Where, in which letters, in which colours.
    """

    def __init__(self, shown: Sequence[Shown], layout: StripLayout, fonts: StripFonts, theme: Theme) -> None:
        self._layout, self._fonts, self._theme = layout, fonts, theme
        self._images, self._bars = StripImages(layout.matrices, fonts, theme), BarImages(theme)
        self._marks = Marks(theme, fonts.ratio)
        self._muted, self._accent, self._border = QColor(theme.muted), QColor(theme.accent), QColor(theme.border)
        self._fixed = tuple(self._fixed_texts(shown))

    def ground(self, shown: Sequence[Shown], seen: QRectF, choice: int | None, *, is_open: bool) -> QImage:
        """Make a picture of all that stays while numbers change and the mouse moves.

        Parameters
        ----------
        shown
            The matrices; their numbers are not asked for.
        seen
            What of the strip is in sight; texts that would be cut at its edge are left out.
        choice, is_open
            The matrix with a ring around it, if one has it, and whether another ground is under it.
        """
        ratio = self._fonts.ratio
        width, height = max(1, round(seen.width() * ratio)), max(1, round(seen.height() * ratio))
        image = QImage(width, height, QImage.Format.Format_RGB32)  # which is copied quicker than a pixmap
        image.setDevicePixelRatio(ratio)
        image.fill(QColor(self._theme.panel))
        painter = QPainter(image)
        painter.translate(-seen.topLeft())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if choice is not None:
            self._paint_choice(painter, self._layout.matrices[choice].whole, is_open=is_open)
        for way in self._layout.ways:
            self._paint_way(painter, way)
        self._paint_arrows(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for placed, one in zip(self._layout.matrices, shown, strict=True):
            self._paint_frames(painter, placed, one.picture.role)
        for written in self._fixed:
            if _is_whole(written.box, seen):
                self._write(painter, written)
        painter.end()
        return image

    def paint(
        self, painter: QPainter, shown: Sequence[Shown], highlights: Sequence[Highlight], seen: QRectF, exposed: QRectF
    ) -> None:
        """Paint what of the matrices is exposed, over the ground.

        Parameters
        ----------
        painter
            With the corner of the strip, not of what is seen of it, at 0.
        shown, highlights
            The matrices, and what is lit in them.
        seen
            What of the strip is in sight.
        exposed
            What of it is to be painted.
        """
        for place, (placed, one) in enumerate(zip(self._layout.matrices, shown, strict=True)):
            if placed.whole.intersects(exposed):
                image = self._images.image(place, one.picture)
                painter.drawImage(placed.cells.topLeft(), image)
                self._marks.draw(painter, placed, highlights[place], one.picture.marks)
        for written in self._changing_texts(shown):
            if written.box.intersects(exposed) and _is_whole(written.box, seen):
                self._write(painter, written)

    def texts(self, shown: Sequence[Shown], seen: QRectF) -> list[PaintedText]:
        """List the texts in sight, numbers in cells included, with their boxes in the strip."""
        found = [(each.text, each.box) for each in (*self._fixed, *self._changing_texts(shown))]
        for placed, one in zip(self._layout.matrices, shown, strict=True):
            layout = placed.grid.layout(self._fonts.ratio)
            numbers = texts_of_numbers(one.picture, layout, self._fonts.lettering.atlases)
            found += [(text, box.translated(placed.cells.topLeft())) for text, box in numbers]
        return [(text, box) for text, box in found if _is_whole(box, seen)]

    def _fixed_texts(self, shown: Sequence[Shown]) -> Iterator[Written]:
        theme = self._theme
        for placed, one in zip(self._layout.matrices, shown, strict=True):
            yield Written(one.matrix.symbol, placed.symbol, role_colour(theme, one.matrix.role), is_bold=True)
            if not self._layout.is_low:
                text, matrix = placed.asked.shape_text, one.matrix
                parts = _parts_of_shape(text, theme, matrix.rows, matrix.columns)
                yield Written(text, placed.shape, theme.muted, parts=parts)
                yield Written(one.matrix.label, placed.label, theme.muted)
        yield from self._sign_texts(shown, has_number=False)

    def _changing_texts(self, shown: Sequence[Shown]) -> Iterator[Written]:
        """Give the ranges and the multiplier."""
        if not self._layout.is_low:
            for placed, one in zip(self._layout.matrices, shown, strict=True):
                size = QSizeF(self._fonts.width(one.range_text), placed.limits.height())
                yield Written(one.range_text, QRectF(placed.limits.topLeft(), size), self._theme.muted)
        yield from self._sign_texts(shown, has_number=True)

    def _sign_texts(self, shown: Sequence[Shown], *, has_number: bool) -> Iterator[Written]:
        places = {sign.before: sign.text for sign in self._layout.signs}
        for one in shown:
            if one.sign_text and one.asked.is_sign_a_number == has_number:
                place, width = places[one.matrix.name], self._fonts.width(one.sign_text)
                box = QRectF(place.center().x() - width / 2, place.top(), width, place.height())
                yield Written(one.sign_text, box, self._theme.text)

    def _paint_choice(self, painter: QPainter, box: QRectF, *, is_open: bool) -> None:
        painter.setPen(QPen(self._accent, 1.5))
        painter.setBrush(QColor(self._theme.inset) if is_open else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)

    def _paint_frames(self, painter: QPainter, placed: PlacedMatrix, role: Role) -> None:
        """Paint the outline of the cells, and the colours of the range with theirs."""
        painter.setPen(self._border)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(placed.cells.adjusted(-0.5, -0.5, 0.5, 0.5))
        if not self._layout.is_low:
            painter.drawImage(placed.bar, self._bars.image(role))
            painter.drawRect(placed.bar.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _write(self, painter: QPainter, written: Written) -> None:
        fonts = self._fonts
        font: QFont = fonts.bold if written.is_bold else fonts.small
        painter.setFont(font)
        painter.setPen(QColor(written.colour))
        ascent = fonts.bold_ascent if written.is_bold else fonts.small_ascent
        left, baseline = written.box.left(), written.box.top() + ascent
        if not written.parts:
            painter.drawText(QPointF(left, baseline), written.text)
        for text, colour in written.parts:
            painter.setPen(QColor(colour))
            painter.drawText(QPointF(left, baseline), text)
            left += painter.fontMetrics().horizontalAdvance(text)

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


def _parts_of_shape(text: str, theme: Theme, rows: AxisName, columns: AxisName) -> tuple[tuple[str, str], ...]:
    """Take a shape apart, so that what a size counts has the same colour in every shape."""
    first, between, second = text.strip("()").partition(" × ")
    colours = [size_colour(theme, SIZE_OF_AXIS[axis]) for axis in (rows, columns)]
    return ("(", theme.muted), (first, colours[0]), (between, theme.muted), (second, colours[1]), (")", theme.muted)


def _paint_head(painter: QPainter, colour: QColor, tip: QPointF, towards: QPointF) -> None:
    across = QPointF(-towards.y(), towards.x())
    foot = tip - towards * (1.6 * _HEAD)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([tip, foot + across * _HEAD, foot - across * _HEAD]))


def _is_whole(box: QRectF, seen: QRectF) -> bool:
    return seen.left() <= box.left() and box.right() <= seen.right()
