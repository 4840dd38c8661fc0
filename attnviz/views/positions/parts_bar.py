"""The four parts of a score as one stacked bar: what adds to it right of zero, what takes away left of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.position_parts import ScoreParts
from attnviz.views.fonts import number_font
from attnviz.views.numbers import exact_text, number_text

NAMES = ("content · content", "content · position", "position · content", "position · position")
_COLOURS = (2, 3, 5, 4)  # among those of tokens: blue, green, orange, violet
_BAR, _GAP, _SWATCH = 22.0, 8.0, 10.0
_SHORT, _EXACT = 8, 23  # characters of a number as usual, and with all its digits


class PartsBar(QWidget):
    """A stacked bar with a legend: the parts, their sum and the score with all digits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._parts: ScoreParts | None = None
        self._title = ""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Parts of the score")
        self.setToolTip(
            "The score is the sum of four products: content and position of the query, each with content and "
            "position of the key. Biases of queries and keys belong to the content."
        )

    def show_parts(self, parts: ScoreParts, title: str) -> None:
        """Show the parts of a score, which the title names."""
        if (parts, title) != (self._parts, self._title):
            self._parts, self._title = parts, title
            told = [f"{name} {number_text(value)}" for name, value in zip(NAMES, parts.values, strict=True)]
            self.setAccessibleDescription(
                f"{title}: {', '.join(told)}, sum {number_text(parts.total)}, score {number_text(parts.score)}"
            )
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def lines(self) -> list[tuple[str, str]]:
        """Give the names and numbers that are written below the bar."""
        if self._parts is None:
            return []
        found = [(name, number_text(value)) for name, value in zip(NAMES, self._parts.values, strict=True)]
        found += [("sum of the parts", exact_text(self._parts.total)), ("score q·k", exact_text(self._parts.score))]
        return found

    def segments(self, width: float) -> list[QRectF]:
        """Give the rectangles of the four parts in a bar of some width; the positive ones begin at zero."""
        if self._parts is None:
            return []
        values = self._parts.values
        above = sum(value for value in values if value > 0.0)
        below = sum(value for value in values if value < 0.0)
        unit = (width - 2.0) / max(above - below, 1e-300)
        zero = 1.0 - below * unit
        right = left = zero
        found = []
        for value in values:
            length = abs(value) * unit
            if value < 0.0:
                left -= length
                found.append(QRectF(left, 0.0, length, _BAR))
            else:
                found.append(QRectF(right, 0.0, length, _BAR))
                right += length
        return found

    def sizeHint(self) -> QSize:
        """Give room for the bar and six lines."""
        return QSize(self._width_of(_EXACT, "sum of the parts"), self._height_of(6))

    def minimumSizeHint(self) -> QSize:
        """Keep a part with its number, and below each other the name of the sum and all its digits."""
        return QSize(max(self._width_of(_SHORT, NAMES[-1]), self._width_of(_EXACT, "")), self._height_of(6))

    def hasHeightForWidth(self) -> bool:
        """Say that a narrow one is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Give the height of six lines; of eight where sum and score have their digits below their names."""
        return self._height_of(6 if width >= self.sizeHint().width() else 8)

    def changeEvent(self, event: QEvent) -> None:
        """Ask for another size in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the bar, the line at zero, the mark of the score, and the legend."""
        if self._parts is None:
            return
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_bar(painter, self._parts)
            self._paint_legend(painter)

    def _paint_bar(self, painter: QPainter, parts: ScoreParts) -> None:
        theme, width = self._theme, float(self.width())
        segments = self.segments(width)
        painter.translate(0.0, 6.0)
        for colour, segment in zip(_COLOURS, segments, strict=True):
            painter.fillRect(segment.adjusted(0.5, 0.0, -0.5, 0.0), QColor(theme.token(colour)))
        below = [segment.right() for segment, value in zip(segments, parts.values, strict=True) if value < 0.0]
        zero = max(below, default=1.0)
        unit = sum(segment.width() for segment in segments) / max(sum(abs(value) for value in parts.values), 1e-300)
        painter.setPen(QPen(QColor(theme.text), 1.0))
        painter.drawLine(QPointF(zero, -3.0), QPointF(zero, _BAR + 3.0))
        painter.setPen(QPen(QColor(theme.accent), 2.0))
        end = zero + parts.total * unit
        painter.drawLine(QPointF(end, -4.0), QPointF(end, _BAR + 4.0))
        painter.translate(0.0, _BAR + _GAP)

    def _paint_legend(self, painter: QPainter) -> None:
        theme, pitch = self._theme, self._pitch()
        names, numbers = self.font(), number_font(self.font())
        is_narrow = self.width() < self.sizeHint().width()
        top = 0.0
        for place, (name, number) in enumerate(self.lines()):
            row = QRectF(0.0, top, float(self.width()), pitch)
            is_below = is_narrow and place >= len(_COLOURS)
            top += pitch * (2 if is_below else 1)
            if place < len(_COLOURS):
                swatch = QRectF(0.0, row.center().y() - _SWATCH / 2, _SWATCH, _SWATCH)
                painter.fillRect(swatch, QColor(theme.token(_COLOURS[place])))
            else:
                painter.setPen(QPen(QColor(theme.accent), 2.0))
                x = _SWATCH / 2
                painter.drawLine(QPointF(x, row.top() + 3.0), QPointF(x, row.bottom() - 3.0))
            painter.setPen(QColor(theme.text))
            painter.setFont(names)
            painter.drawText(row.adjusted(_SWATCH + 8.0, 0.0, 0.0, 0.0), Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(numbers)
            row.translate(0.0, pitch if is_below else 0.0)
            painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, number)

    def _width_of(self, characters: int, name: str) -> int:
        digits = QFontMetricsF(number_font(self.font())).horizontalAdvance("0") * characters
        return round(digits + QFontMetricsF(self.font()).horizontalAdvance(name) + _SWATCH + 16.0)

    def _height_of(self, n_lines: int) -> int:
        return round(_BAR + _GAP + n_lines * self._pitch()) + 18

    def _pitch(self) -> float:
        return QFontMetricsF(self.font()).height() + 4.0
