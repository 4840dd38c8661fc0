"""What the mouse finds on the film's stage, and how cells are lit there that something elsewhere points at."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.film import Area, Block, lit_areas, number_in
from attnviz.views.film.block_painter import cell_box
from attnviz.views.selection import Chosen

_RADIUS = 4.0
_SMALLEST = 5.0


@dataclass(frozen=True, slots=True)
class Links:
    """What is lit on the stage.

    Parameters
    ----------
    frame : Frame
        The frame that is shown.
    chosen : Chosen
        What is pointed at and pinned.
    """

    frame: Frame
    chosen: Chosen

    def lit_in(self, block: Block) -> tuple[Area, ...]:
        """Find the cells of a block that are pointed at, here or elsewhere."""
        return lit_areas(self.frame, block, *self.chosen.pointed)

    def pinned_in(self, block: Block) -> tuple[Area, ...]:
        """Find the cell of a block whose number is pinned."""
        ref = self.chosen.number if self.chosen.is_pinned else None
        if ref is None or block.origin is None or ref.kind != block.origin.kind:
            return ()
        return lit_areas(self.frame, block, None, None, ref)


def number_at(placed: list[tuple[Block, QRectF]], point: QPointF) -> NumberRef | None:
    """Name the number under a place of the stage."""
    for block, box in reversed(placed):
        if box.contains(point) and not box.isEmpty():
            n_rows, n_columns = block.shape
            row = int((point.y() - box.top()) * n_rows / box.height())
            column = int((point.x() - box.left()) * n_columns / box.width())
            return number_in(block, min(row, n_rows - 1), min(column, n_columns - 1))
    return None


def draw_links(painter: QPainter, placed: list[tuple[Block, QRectF]], links: Links, theme: Theme) -> None:
    """Frame the cells that are pointed at, and the one that is pinned with a thicker line."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    lit, pinned = QPen(QColor(theme.text), 2.0), QPen(QColor(theme.accent), 3.0)
    lit.setStyle(Qt.PenStyle.DashLine)
    for block, box in placed:
        for areas, pen in ((links.pinned_in(block), pinned), (links.lit_in(block), lit)):
            painter.setPen(pen)
            for area in areas:
                painter.drawRoundedRect(
                    _at_least(cell_box(box, block.shape, area.rows, area.columns)), _RADIUS, _RADIUS
                )


def _at_least(box: QRectF) -> QRectF:
    wider, higher = max(0.0, _SMALLEST - box.width()) / 2, max(0.0, _SMALLEST - box.height()) / 2
    return box.adjusted(-wider, -higher, wider, higher)
