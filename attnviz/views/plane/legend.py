"""The line below the plane that names the marks of queries, keys and values and the deformed grid."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.hints import plain_tooltip
from attnviz.views.plane import sprites
from attnviz.views.plane.projections import NOTHING_PROJECTED, ProjectionRole, ProjectionScene
from attnviz.views.role_colours import role_colour

_MARGIN, _GAP, _AFTER_MARK = 16, 16, 6
_RADIUS = 6.0
_AXES = ", where e1 (solid) and e2 (dashed) are the images of the axes"


class ProjectionLegend(QWidget):
    """Marks with their names, in short where there is no room for more; hidden while there is nothing to name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._scene: ProjectionScene = NOTHING_PROJECTED
        self._entries: list[tuple[ProjectionRole, bool, str, str]] = []  # whether it is a line; in full and in short
        self.setAccessibleName("Legend of the projections")
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_scene(self, scene: ProjectionScene) -> None:
        """Name what a scene shows."""
        self._scene = scene
        entries = [(one.projection.role, False, one.formula, one.projection.letter.upper()) for one in scene.images]
        if scene.matrix is not None and scene.deforming is not None:
            symbol = scene.deforming.symbol
            entries.append((scene.deforming.role, True, f"grid under {symbol}", symbol))
        if entries != self._entries:
            self._entries = entries
            said = "; ".join(f"{full}{_AXES}" if is_line else full for _, is_line, full, _ in entries)
            self.setAccessibleDescription(said)
            self.setToolTip(plain_tooltip(said))
            self.update()
        self.setVisible(bool(entries))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give one line."""
        return QSize(80, self.fontMetrics().height() + 8)

    def minimumSizeHint(self) -> QSize:
        """Give the width of the short names."""
        return QSize(round(self._width(is_short=True)) + 2 * _MARGIN, self.fontMetrics().height() + 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw marks and names side by side."""
        is_short = self._width(is_short=False) > self.width() - 2 * _MARGIN
        metrics, ratio, theme = QFontMetricsF(self.font()), self.devicePixelRatioF(), self._theme
        half, x, middle = _RADIUS + sprites.MARK_RIM, float(_MARGIN), self.height() / 2
        baseline = middle + (metrics.ascent() - metrics.descent()) / 2
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            for role, is_line, full, short in self._entries:
                colour = role_colour(theme, role)
                if is_line:
                    painter.setPen(QPen(QColor(colour), 2.0))
                    painter.drawLine(QLineF(x, middle, x + 2 * half, middle))
                else:
                    mark = sprites.mark(role, colour, colour, colour, _RADIUS, ratio)
                    painter.drawPixmap(QPointF(x, middle - half), mark)
                painter.setPen(QColor(theme.text))
                text = short if is_short else full
                painter.drawText(QPointF(x + 2 * half + _AFTER_MARK, baseline), text)
                x += 2 * half + _AFTER_MARK + metrics.horizontalAdvance(text) + _GAP

    def _width(self, *, is_short: bool) -> float:
        metrics = QFontMetricsF(self.font())
        texts = [short if is_short else full for _, _, full, short in self._entries]
        around = 2 * (_RADIUS + sprites.MARK_RIM) + _AFTER_MARK + _GAP
        return sum(around + metrics.horizontalAdvance(text) for text in texts) - _GAP
