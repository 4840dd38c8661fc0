"""All that is kept of a matrix between two frames: its layout, the pixmap around the cells, and the cells' image."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from attnviz.appearance import Theme
from attnviz.document.arrays import every
from attnviz.views.matrix.choice import lay_out, scales_for
from attnviz.views.matrix.colours import CellColours
from attnviz.views.matrix.foot_line import foot_texts
from attnviz.views.matrix.geometry import Box, TextSizes
from attnviz.views.matrix.image import CellImage
from attnviz.views.matrix.labels import FramePainter
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.lettering import EMPTY_ROW, Lettering, PaintedText, limit_text, logical
from attnviz.views.matrix.overlay import MatrixOverlay
from attnviz.views.matrix.picture import Highlight, MatrixPicture
from attnviz.views.matrix.text import characters_for
from attnviz.views.matrix.writer import texts_of_numbers

_KEPT_LEGEND_CHARACTERS = 6
_RING = 3
_WORTH_LARGER_LETTERS = 1.5


def stage_key(picture: MatrixPicture) -> tuple[object, ...]:
    """Give everything of a picture that its layout and frame depend on; its numbers are not among it."""
    low, high = picture.limits
    return (
        picture.shape,
        picture.role,
        picture.row_labels,
        picture.column_labels,
        picture.row_colours,
        picture.column_colours,
        picture.row_title,
        picture.column_title,
        *[(gutter.title, gutter.template, gutter.digits) for gutter in picture.gutters],
        *[(foot.title, foot.template, foot.digits) for foot in picture.feet],
        picture.digits,
        characters_for(picture.limits, picture.digits),
        max(_KEPT_LEGEND_CHARACTERS, len(limit_text(low)), len(limit_text(high))),
        _count_empty(picture),
    )


class MatrixStage:
    """A layout with the pictures made for it.

    Parameters
    ----------
    picture
        The first picture.
    key
        Its :func:`stage_key`; later pictures must have the same.
    size
        The widget, in logical pixels.
    letterings
        Gives the fonts in a scale, 1 for the widget's own size; the largest that spoils nothing is used.
    theme, colours
        Colours and look-up tables.
    """

    def __init__(
        self,
        picture: MatrixPicture,
        key: tuple[object, ...],
        size: QSize,
        letterings: Callable[[float], Lettering],
        theme: Theme,
        colours: CellColours,
    ) -> None:
        self.key, self.size = key, QSize(size)
        self._theme = theme
        self.lettering = letterings(1.0)
        self.layout = self._laid_out(picture, letterings)
        lettering = self.lettering
        self._empty_width = lettering.small_width(EMPTY_ROW) + 12
        self._n_ghosts = picture.n_ghosts
        said = self._empty_note(picture)
        if said:
            self.layout = lay_out(*self._arguments(picture, lettering), said, lettering.scale)
        self._has_named_rows = _count_empty(picture) > 0 and self._names_empty_rows()
        self.note = " · ".join(self.layout.notes)
        self.frame = FramePainter(self.layout, lettering, theme)
        ratio = lettering.ratio
        width, height = self._device_size()
        self.pixmap: QPixmap = self.frame.pixmap(picture, colours.table, width, height)
        self._fixed_texts = list(self.frame.texts)
        self.cells = CellImage(
            self.layout,
            colours,
            lettering.atlases,
            tuple(gutter.template for gutter in picture.gutters),
            tuple(foot.template for foot in picture.feet),
            _count_empty(picture) > 0,
        )
        self.overlay = MatrixOverlay(self.layout, lettering, self.frame, theme, size)
        self._shown_limits = ("", "")
        grid, image, bar = self.layout.grid, self.cells.image, self.layout.legend
        self._image_box = Box(grid.x, grid.y, image.width(), image.height())
        right = width - ceil(_RING * ratio)  # the focus ring at the widget's edge is not painted anew
        height_beside = max(grid.height, bar.height) if bar else grid.height
        beside = Box(self._image_box.right, grid.y, right - self._image_box.right, height_beside)
        self._beside = beside
        self._cells: QRect = logical(self._image_box, ratio).toAlignedRect()
        self._cells_and_legend: QRect = self._cells.united(logical(beside, ratio).toAlignedRect())

    def changing(self, picture: MatrixPicture) -> QRect:
        """Give the part of the widget that a new picture with the same key changes."""
        return self._cells if _limit_texts(picture) == self._shown_limits else self._cells_and_legend

    def paint(self, painter: QPainter, picture: MatrixPicture, exposed: QRect) -> bool:
        """Paint frame, cells and the texts that change; of the frame only what ``exposed`` needs.

        Returns
        -------
        bool
            True if the labels were painted, False if only the cells, or the cells and the legend, were exposed.
        """
        ratio, cells, beside = self.layout.ratio, self._image_box, self._beside
        if ratio != 1.0:
            painter.save()
            painter.scale(1 / ratio, 1 / ratio)
        only_cells = self._cells.contains(exposed)
        is_partial = only_cells or self._cells_and_legend.contains(exposed)
        if not is_partial or ratio % 1:  # with fractions of pixels, the exposed part is a little larger than the cells
            painter.drawPixmap(0, 0, self.pixmap)
        elif not only_cells:
            below = Box(cells.x, cells.bottom, cells.width, max(0, beside.bottom - cells.bottom))
            for box in (beside, below):
                painter.drawPixmap(box.x, box.y, self.pixmap, *box)
        painter.drawImage(cells.x, cells.y, self.cells.image)
        if ratio != 1.0:
            painter.restore()
        if not only_cells:
            self.frame.write_limits(painter, picture)
            self._shown_limits = _limit_texts(picture)
        if self._has_named_rows:
            self.frame.texts.clear()
            self._paint_empty_rows(painter, picture)
        return not is_partial

    def texts(self, picture: MatrixPicture, highlight: Highlight) -> list[PaintedText]:
        """List every text that is seen, with its rectangle."""
        self.frame.texts.clear()
        canvas = QPixmap(1, 1)
        painter = QPainter(canvas)
        self._paint_empty_rows(painter, picture)
        limits = self.frame.limits(picture)
        below = [
            *self._fixed_texts,
            *limits,
            *self.frame.texts,
            *texts_of_numbers(picture, self.layout, self.lettering.atlases),
            *self._texts_of_feet(picture),
        ]
        self.frame.texts.clear()
        self.overlay.draw(painter, picture, highlight, None)
        painter.end()
        above = list(self.frame.texts)
        return [
            each for each in below if not any(each[1].intersects(other.adjusted(-4, -4, 4, 4)) for _, other in above)
        ] + above

    def _texts_of_feet(self, picture: MatrixPicture) -> list[PaintedText]:
        layout, atlases = self.layout, self.lettering.atlases
        columns = layout.columns.drawn()
        return [
            text
            for gutter, foot in zip(picture.feet, layout.feet, strict=True)
            if foot is not None
            for text in foot_texts(gutter, foot, layout, atlases[foot.face], columns)
        ]

    def _device_size(self) -> tuple[int, int]:
        ratio = self.lettering.ratio
        return max(1, round(self.size.width() * ratio)), max(1, round(self.size.height() * ratio))

    def _laid_out(self, picture: MatrixPicture, letterings: Callable[[float], Lettering]) -> MatrixLayout:
        """Lay out in the largest letters in which hardly more is given up than in the widget's own."""
        arguments = self._arguments(picture, self.lettering)
        layout = lay_out(*arguments)
        for scale in scales_for(*arguments[:5]):
            larger = letterings(scale)
            found = lay_out(*self._arguments(picture, larger), scale=scale)
            if found.loss <= layout.loss + _WORTH_LARGER_LETTERS:
                self.lettering = larger
                return found
        return layout

    def _arguments(
        self, picture: MatrixPicture, lettering: Lettering
    ) -> tuple[int, int, tuple[int, int], TextSizes, float, tuple[str, ...]]:
        titles = tuple(
            gutter.title or gutter.template.replace("{}", "").strip() for gutter in (*picture.gutters, *picture.feet)
        )
        return (*self._device_size(), picture.shape, lettering.sizes(picture), lettering.ratio, titles)

    @property
    def _width_of_keys(self) -> int:
        """The width of the cells that are hatched in an empty row, in device pixels."""
        columns = self.layout.columns
        x, width = columns.span(columns.count - 1 - self._n_ghosts)
        return x + width - columns.origin

    def _names_empty_rows(self) -> bool:
        layout, ratio = self.layout, self.lettering.ratio
        is_high = layout.rows.pitch - layout.rows.gap >= self.lettering.small_line * ratio
        return is_high and self._empty_width * ratio <= self._width_of_keys

    def _empty_note(self, picture: MatrixPicture) -> tuple[str, ...]:
        count = _count_empty(picture)
        if count == 0 or self._names_empty_rows():
            return ()
        return (f"1 row has {EMPTY_ROW}" if count == 1 else f"{count} rows have {EMPTY_ROW}",)

    def _paint_empty_rows(self, painter: QPainter, picture: MatrixPicture) -> None:
        if picture.empty_rows is None or not self._has_named_rows:
            return
        layout, ratio, line = self.layout, self.layout.ratio, self.lettering.small_line
        rows = layout.rows.drawn()
        for row in rows[picture.empty_rows(rows)].tolist():
            x = (layout.grid.x + self._width_of_keys / 2) / ratio - self._empty_width / 2
            box = QRectF(x, layout.rows.centre(row) / ratio - line / 2, self._empty_width, line)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.panel))
            painter.drawRoundedRect(box, 4, 4)
            self.frame.write(painter, EMPTY_ROW, self.lettering.small, self._theme.muted, box, 0.5)


def _limit_texts(picture: MatrixPicture) -> tuple[str, str]:
    low, high = picture.limits
    return limit_text(low), limit_text(high)


def _count_empty(picture: MatrixPicture) -> int:
    if picture.empty_rows is None:
        return 0
    empty = picture.empty_rows(every(picture.shape[0]))
    return int(np.add.reduce(empty, dtype=np.intp)) if np.logical_or.reduce(empty) else 0
