"""A small picture of a mask: cells that may be attended to are filled, banned ones hatched as in the heatmaps."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import Theme, rgb
from attnviz.document.arrays import BoolArray
from attnviz.views.matrix.pixels import packed

_SIDE = 176
_LARGEST_CELL = 28.0
_SMALLEST_HATCHED = 5.0


class MaskPicture(QWidget):
    """Draws one mask as large as it fits."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._allowed: BoolArray = np.zeros((1, 1), np.bool_)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_mask(self, allowed: BoolArray) -> None:
        """Draw this mask, True = may attend."""
        self._allowed = allowed
        n_query, n_key = allowed.shape
        self.setAccessibleName(f"Mask of {n_query} queries and {n_key} keys")
        self.setAccessibleDescription(mask_sentence(allowed))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Give the room of all cells."""
        n_query, n_key = self._allowed.shape
        return QSize(max(1, round(self._cell * n_key)), max(1, round(self._cell * n_query)))

    @property
    def _cell(self) -> float:
        n_query, n_key = self._allowed.shape
        return min(_LARGEST_CELL, float(_SIDE / max(n_query, n_key)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the cells: one by one where they are large enough to be hatched, else as one image."""
        cell = self._cell
        with QPainter(self) as painter:
            if cell >= _SMALLEST_HATCHED:
                self._paint_cells(painter, cell)
            else:
                self._paint_image(painter, QRectF(self.rect()))

    def _paint_cells(self, painter: QPainter, cell: float) -> None:
        theme = self._theme
        hatch = QBrush(QColor(theme.hatch), Qt.BrushStyle.BDiagPattern)
        seen = QBrush(QColor(theme.accent))
        for (row, column), is_allowed in np.ndenumerate(self._allowed):
            at = QRectF(column * cell, row * cell, cell - 1.0, cell - 1.0)
            painter.fillRect(at, QColor(theme.panel))
            painter.fillRect(at, seen if is_allowed else hatch)

    def _paint_image(self, painter: QPainter, box: QRectF) -> None:
        theme = self._theme
        pixels = np.where(self._allowed, packed(rgb(theme.accent)), packed(rgb(theme.hatch))).astype(np.uint32)
        height, width = pixels.shape
        image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32)
        painter.drawImage(box, image)


def mask_sentence(allowed: BoolArray) -> str:
    """Say how many cells of a mask are allowed, and how many queries see no key."""
    count, empty = int(allowed.sum()), int((~allowed.any(axis=1)).sum())
    seen = f"{count:,} of {allowed.size:,} cells may be attended to"
    if not empty:
        return seen
    return f"{seen}; {'1 query sees' if empty == 1 else f'{empty:,} queries see'} no key"
