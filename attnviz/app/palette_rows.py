"""The rows of the command palette: a list of entries, and how a row of it is drawn, in plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from attnviz.app.palette_entries import UNAVAILABLE, Entry
from attnviz.appearance import LIGHT, Theme

Index: TypeAlias = QModelIndex | QPersistentModelIndex
Row: TypeAlias = tuple[Entry, frozenset[int]]  # with the places of its name that are lit

_PADDING, _GAP = 12, 16
_CHECK = "✓"


class PaletteRows(QAbstractListModel):
    """The entries that match, the best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - the signature of Qt
        """Give how many there are."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Give the name, or for screen readers everything in one sentence."""
        entry = self.rows[index.row()][0]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.name
        return entry.sentence if role == Qt.ItemDataRole.AccessibleTextRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let every row be gone to; one that cannot be run says why."""
        del index
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


class RowPainter(QStyledItemDelegate):
    """Draws a row: check mark, name with the matched letters lit, menu, shortcut."""

    def __init__(self, rows: PaletteRows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows, self._theme = rows, LIGHT

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Give the height of a row."""
        del index
        return QSize(100, row_height(option.fontMetrics))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        entry, lit = self._rows.rows[index.row()]
        theme, rect = self._theme, option.rect
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_current:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent_soft))
            painter.drawRoundedRect(rect.adjusted(4, 0, -4, 0), 4, 4)
        quiet = theme.text if is_current else theme.muted
        main = theme.text if entry.is_enabled else quiet
        metrics = option.fontMetrics
        room = rect.adjusted(_PADDING, 0, -_PADDING, 0)
        line = _Line(painter, option.font, room)
        if entry.is_checked:
            line.write(_CHECK, theme.accent_text, frozenset(), theme.accent_text)
        line.go_to(room.left() + metrics.horizontalAdvance(_CHECK) + 8)
        line.end_before(entry.keys if entry.is_enabled else UNAVAILABLE, quiet)
        at, accent = entry.text_at, theme.accent_text
        line.write(entry.text, main, frozenset(place - at for place in lit if place >= at), accent)
        line.skip(_GAP)
        line.write(entry.path, quiet, lit, accent)
        painter.restore()


def row_height(metrics: QFontMetrics) -> int:
    """Give the height of a row in a font."""
    return metrics.height() + 12


class _Line:
    """A line that is written from left to right, with some letters lit, and cut where its room ends."""

    def __init__(self, painter: QPainter, font: QFont, room: QRect) -> None:
        self._painter, self._plain, self._bold = painter, QFont(font), QFont(font)
        self._bold.setBold(True)
        self._plain_metrics, self._bold_metrics = QFontMetrics(self._plain), QFontMetrics(self._bold)
        self._at, self._end = room.left(), room.right()
        self._base = room.top() + (room.height() + self._plain_metrics.ascent() - self._plain_metrics.descent()) // 2

    def go_to(self, x: int) -> None:
        self._at = x

    def skip(self, pixels: int) -> None:
        self._at += pixels

    def end_before(self, text: str, colour: str) -> None:
        """Write a text at the end of the room, which then ends before it."""
        width = self._plain_metrics.horizontalAdvance(text)
        self._draw(self._end - width, text, colour, self._plain)
        self._end -= width + (_GAP if text else 0)

    def write(self, text: str, colour: str, lit: frozenset[int], lit_colour: str) -> None:
        """Write a text; what does not fit is left out, and three dots say so."""
        width = sum(self._metrics(is_lit).horizontalAdvance(part) for part, is_lit in _runs(text, lit))
        if width > self._end - self._at:
            short = self._bold_metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, self._end - self._at))
            kept = len(short) - 1
            text, lit = short, frozenset(place for place in lit if place < kept)
        for part, is_lit in _runs(text, lit):
            font, metrics = (self._bold, self._bold_metrics) if is_lit else (self._plain, self._plain_metrics)
            self._draw(self._at, part, lit_colour if is_lit else colour, font)
            self._at += metrics.horizontalAdvance(part)

    def _metrics(self, is_lit: bool) -> QFontMetrics:
        return self._bold_metrics if is_lit else self._plain_metrics

    def _draw(self, x: int, text: str, colour: str, font: QFont) -> None:
        self._painter.setFont(font)
        self._painter.setPen(QColor(colour))
        self._painter.drawText(QPoint(x, self._base), text)


def _runs(text: str, lit: frozenset[int]) -> list[tuple[str, bool]]:
    """Cut a text where letters begin or cease to be lit."""
    runs: list[tuple[str, bool]] = []
    for place, letter in enumerate(text):
        is_lit = place in lit
        if runs and runs[-1][1] == is_lit:
            runs[-1] = (runs[-1][0] + letter, is_lit)
        else:
            runs.append((letter, is_lit))
    return runs
