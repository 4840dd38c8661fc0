"""What is lit up in a matrix: the crosshair, the chosen cell, the keyboard cursor, and the labels of all these."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from attnviz.appearance import Theme
from attnviz.views.matrix.geometry import Box
from attnviz.views.matrix.labels import FramePainter, label_colour
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.lettering import Lettering, logical, shown_token
from attnviz.views.matrix.picture import Highlight, MatrixPicture

_ANTIALIASING = QPainter.RenderHint.Antialiasing
_NO_BRUSH = Qt.BrushStyle.NoBrush
_SMALLEST_BAND = 2.0
_SMALLEST_FRAME = 7.0


class MatrixOverlay:
    """Draws over the cells without changing their colour.

    Parameters
    ----------
    layout, lettering, frame, theme
        Where, in which fonts, with whose text drawing, in which colours.
    size
        The widget, in logical pixels.
    """

    def __init__(
        self, layout: MatrixLayout, lettering: Lettering, frame: FramePainter, theme: Theme, size: QSize
    ) -> None:
        self._layout, self._lettering, self._frame, self._theme = layout, lettering, frame, theme
        self._size = size
        self._muted_pen, self._text_pen = QPen(QColor(theme.muted), 1), QPen(QColor(theme.text), 2)
        self._accent_pen = QPen(QColor(theme.accent), round(3 * layout.scale**0.5))
        self._pinned: tuple[tuple[int, int], QPointF, QPixmap] | None = None

    def draw(
        self,
        painter: QPainter,
        picture: MatrixPicture,
        highlight: Highlight,
        cursor: Box | None,
        has_labels: bool = True,
    ) -> None:
        """Draw a highlight, the cursor if the widget has the focus, and what is beside the cells if it is exposed."""
        rows, columns = picture.shape
        row = highlight.row if highlight.row is not None and 0 <= highlight.row < rows else None
        column = highlight.column if highlight.column is not None and 0 <= highlight.column < columns else None
        pinned = highlight.pinned
        is_lit = row is not None or column is not None or cursor is not None
        if is_lit:
            painter.setRenderHint(_ANTIALIASING)
            painter.setBrush(_NO_BRUSH)
            self._draw_crosshair(painter, row, column)
        if pinned is not None and pinned[0] < rows and pinned[1] < columns:
            self._draw_pinned(painter, pinned)
        if not is_lit:
            return
        if cursor is not None:
            self._draw_cursor(painter, cursor)
        if cursor is not None and has_labels:
            self._draw_ring(painter)
        if row is not None and has_labels:
            self._draw_row_label(painter, picture, row)
        if column is not None and has_labels:
            self._draw_column_label(painter, picture, column)

    def draw_pointed(self, painter: QPainter, place: Box) -> None:
        """Frame the number of a gutter that the mouse is over."""
        painter.setRenderHint(_ANTIALIASING)
        painter.setBrush(_NO_BRUSH)
        painter.setPen(self._muted_pen)
        painter.drawRoundedRect(logical(place, self._layout.ratio).adjusted(-3.5, 0.5, 3.5, -0.5), 4, 4)

    def _draw_crosshair(self, painter: QPainter, row: int | None, column: int | None) -> None:
        layout = self._layout
        grid = logical(layout.grid, layout.ratio)
        painter.setPen(self._muted_pen)
        if row is not None:
            span = logical(layout.cell(row, 0), layout.ratio)
            self._draw_band(painter, QRectF(grid.left(), span.top(), grid.width(), span.height()))
        if column is not None:
            span = logical(layout.cell(0, column), layout.ratio)
            self._draw_band(painter, QRectF(span.left(), grid.top(), span.width(), grid.height()))
        if row is not None and column is not None:
            self._draw_cell(painter, (row, column), self._text_pen)

    def _draw_band(self, painter: QPainter, band: QRectF) -> None:
        """Draw one row or column's outline around it, on whole pixels."""
        painter.drawRect(_at_least(band, _SMALLEST_BAND).adjusted(-0.5, -0.5, 0.5, 0.5))

    def _draw_pinned(self, painter: QPainter, cell: tuple[int, int]) -> None:
        """Lay the frame of the chosen cell over it; it is drawn once, since it stays while numbers change."""
        if self._pinned is None or self._pinned[0] != cell:
            self._pinned = (cell, *self._pinned_frame(cell))
        painter.drawPixmap(self._pinned[1], self._pinned[2])

    def _pinned_frame(self, cell: tuple[int, int]) -> tuple[QPointF, QPixmap]:
        layout, ratio = self._layout, self._layout.ratio
        box, around = layout.cell(*cell), ceil((_SMALLEST_FRAME + 3) * ratio)
        frame = QPixmap(box.width + 2 * around, box.height + 2 * around)
        frame.fill(Qt.GlobalColor.transparent)
        frame.setDevicePixelRatio(ratio)
        corner = QPointF((box.x - around) / ratio, (box.y - around) / ratio)
        painter = QPainter(frame)
        painter.setRenderHint(_ANTIALIASING)
        painter.translate(-corner)
        self._draw_cell(painter, cell, self._accent_pen)
        painter.end()
        return corner, frame

    def _draw_cell(self, painter: QPainter, cell: tuple[int, int], pen: QPen) -> None:
        outside = pen.width() % 2 / 2
        box = _at_least(logical(self._layout.cell(*cell), self._layout.ratio), _SMALLEST_FRAME)
        box = box.adjusted(-outside, -outside, outside, outside)
        radius = self._layout.radius / self._layout.ratio
        painter.setPen(pen)
        painter.drawRoundedRect(box, radius, radius)

    def _draw_cursor(self, painter: QPainter, place: Box) -> None:
        """Draw dashes just around the cell, so that they are seen on its neighbours and beside a pinned frame."""
        box = _at_least(logical(place, self._layout.ratio), _SMALLEST_FRAME)
        painter.setPen(QPen(QColor(self._theme.text), 1, Qt.PenStyle.DashLine))
        painter.drawRect(box.adjusted(-2.5, -2.5, 2.5, 2.5))

    def _draw_ring(self, painter: QPainter) -> None:
        whole = QRectF(0, 0, self._size.width(), self._size.height())
        painter.setPen(QPen(QColor(self._theme.accent), 1.5))
        painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 6, 6)

    def _draw_row_label(self, painter: QPainter, picture: MatrixPicture, row: int) -> None:
        text, colour = shown_token(picture.row_labels[row]), label_colour(self._theme, picture.row_colours, row)
        line = self._frame.row_label_box(row)
        width = self._lettering.label_width(text, self._layout.label_face) + 1
        left = max(6.0, line.right() - width)
        self._draw_pill(painter, text, colour, QRectF(left, line.top(), width, line.height()))

    def _draw_column_label(self, painter: QPainter, picture: MatrixPicture, column: int) -> None:
        text, colour = (
            shown_token(picture.column_labels[column]),
            label_colour(self._theme, picture.column_colours, column),
        )
        place = self._frame.column_label_box(column)
        width, height = self._lettering.label_width(text, self._layout.label_face) + 1, self._frame.line
        if self._layout.is_turned and width <= place.height():
            box = QRectF(place.left(), place.bottom() - width, height, width)
            self._draw_pill(painter, text, colour, box, is_turned=True)
            return
        width = min(width, self._size.width() - 16.0)
        left = min(max(8.0, place.center().x() - width / 2), self._size.width() - width - 8)
        self._draw_pill(painter, text, colour, QRectF(left, place.bottom() - height, width, height))

    def _draw_pill(self, painter: QPainter, text: str, colour: str, box: QRectF, is_turned: bool = False) -> None:
        """Show a whole label on its own ground, also where labels are elided or thinned out."""
        around = box.adjusted(-0.5, -4, 0.5, 4) if is_turned else box.adjusted(-4, -0.5, 4, 0.5)
        self._frame.clear_labels(painter, around)
        painter.setPen(QPen(QColor(self._theme.accent), 1))
        painter.setBrush(QColor(self._theme.inset))
        painter.drawRoundedRect(around, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._frame.write(painter, text, self._frame.label, colour, box, 0.5, is_turned)


def _at_least(box: QRectF, size: float) -> QRectF:
    """Widen a box around its middle to ``size`` each way."""
    wider, higher = max(0.0, size - box.width()) / 2, max(0.0, size - box.height()) / 2
    return box.adjusted(-wider, -higher, wider, higher)
