"""How the small multiples are painted: titles, cells, signs between them, bars below, the shown head in a frame."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from attnviz.appearance import Theme
from attnviz.views.heads.grid_layout import GridLayout
from attnviz.views.heads.tiles import Tile
from attnviz.views.matrix.colours import colours_of
from attnviz.views.matrix.image import CellImage
from attnviz.views.matrix.lettering import PaintedText
from attnviz.views.matrix.picture import Highlight
from attnviz.views.matrix.writer import texts_of_numbers
from attnviz.views.stages.marks import Marks
from attnviz.views.stages.strip_fonts import StripFonts

_RADIUS = 6.0


class GridPainter:
    """Paints one layout in one theme.

    Parameters
    ----------
    layout, fonts, theme
        Where, in which letters, in which colours.
    """

    def __init__(self, layout: GridLayout, fonts: StripFonts, theme: Theme) -> None:
        self._layout, self._fonts, self._theme = layout, fonts, theme
        self._marks = Marks(theme, fonts.ratio)
        self._images: dict[int, CellImage] = {}

    def take(self, tiles: Sequence[Tile]) -> list[int]:
        """Fill the images with the numbers of these tiles; give the places of those that look other than before."""
        return [place for place, tile in enumerate(tiles) if self._image(place, tile).draw(tile.picture)]

    def ground(self, tiles: Sequence[Tile], size: QRectF, shown: int | None, cursor: int | None) -> QImage:
        """Make a picture of all that stays while numbers change: frames, titles and signs.

        Parameters
        ----------
        tiles
            The small matrices; their numbers are not asked for.
        size
            How large it is.
        shown, cursor
            The places of the one that every panel shows, and of the one that the keyboard is at.
        """
        ratio, theme = self._fonts.ratio, self._theme
        image = QImage(
            max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio)), QImage.Format.Format_RGB32
        )
        image.setDevicePixelRatio(ratio)
        image.fill(QColor(theme.panel))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, placed in enumerate(self._layout.tiles):
            if place == shown:
                self._paint_frame(painter, placed.whole, QPen(QColor(theme.accent), 2.0))
            if place == cursor:
                pen = QPen(QColor(theme.text), 1.0, Qt.PenStyle.DotLine)
                self._paint_frame(painter, placed.whole.adjusted(-2.5, -2.5, 2.5, 2.5), pen)
        painter.setFont(self._fonts.small)
        for place, placed in enumerate(self._layout.tiles):
            painter.setPen(QColor(theme.accent_text if place == shown else theme.text))
            title = self._layout.titles[place]
            painter.drawText(QPointF(placed.symbol.left(), placed.symbol.top() + self._fonts.small_ascent), title)
        painter.setFont(self._fonts.bold)
        painter.setPen(QColor(theme.muted))
        for text, box in self._signs(tiles):
            painter.drawText(QPointF(box.left(), box.top() + self._fonts.bold_ascent), text)
        painter.end()
        return image

    def paint(self, painter: QPainter, tiles: Sequence[Tile], lit: Sequence[Highlight], exposed: QRectF) -> None:
        """Paint what of the matrices is exposed, over the ground."""
        theme, fonts = self._theme, self._fonts
        for place, (placed, tile) in enumerate(zip(self._layout.tiles, tiles, strict=True)):
            if not placed.whole.intersects(exposed):
                continue
            painter.drawImage(placed.cells.topLeft(), self._image(place, tile).image)
            painter.setPen(QColor(theme.border))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(placed.cells.adjusted(-0.5, -0.5, 0.5, 0.5))
            self._marks.draw(painter, placed, lit[place], tile.picture.marks)
            if tile.share is not None:
                filled = QRectF(placed.bar)
                filled.setWidth(max(1.0, placed.bar.width() * tile.share))
                painter.fillRect(placed.bar, QColor(theme.grid))
                painter.fillRect(filled, QColor(theme.muted))
                painter.setFont(fonts.small)
                painter.setPen(QColor(theme.text))
                painter.drawText(QPointF(placed.limits.left(), placed.limits.top() + fonts.small_ascent), tile.measure)

    def texts(self, tiles: Sequence[Tile]) -> list[PaintedText]:
        """List the texts with their boxes, numbers in cells included."""
        fonts = self._fonts
        found = list(self._signs(tiles))
        for placed, title, tile in zip(self._layout.tiles, self._layout.titles, tiles, strict=True):
            found.append((title, QRectF(placed.symbol)))
            numbers = texts_of_numbers(tile.picture, placed.grid.layout(fonts.ratio), fonts.lettering.atlases)
            found += [(text, box.translated(placed.cells.topLeft())) for text, box in numbers]
            if tile.share is not None:
                found.append((tile.measure, QRectF(placed.limits.topLeft(), placed.limits.size())))
        return found

    def _signs(self, tiles: Sequence[Tile]) -> list[PaintedText]:
        fonts, found = self._fonts, []
        for placed, tile in zip(self._layout.tiles, tiles, strict=True):
            if tile.sign:
                width = fonts.width(tile.sign, is_bold=True)
                top = placed.cells.center().y() - fonts.line / 2
                found.append((tile.sign, QRectF(placed.cells.left() - 9.0 - width, top, width, fonts.line)))
        return found

    def _image(self, place: int, tile: Tile) -> CellImage:
        found = self._images.get(place)
        if found is None:
            layout, fonts = self._layout.tiles[place].grid.layout(self._fonts.ratio), self._fonts
            colours = colours_of(self._theme, tile.picture.role)
            found = CellImage(layout, colours, fonts.lettering.atlases, (), (), has_empty_rows=True)
            found.image.setDevicePixelRatio(fonts.ratio)
            self._images[place] = found
            found.draw(tile.picture)
        return found

    def _paint_frame(self, painter: QPainter, box: QRectF, pen: QPen) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(1.0, 1.0, -1.0, -1.0), _RADIUS, _RADIUS)
