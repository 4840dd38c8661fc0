"""How the cards of the derivation are painted: what stays from one ready picture, the numbers over it.

In a drag every number of every card changes with every frame. So all that a frame does not change is drawn once
into a pixmap, and places, pens and fonts are kept ready: a frame costs that pixmap and one text a line and card.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from attnviz.appearance import LIGHT, Theme
from attnviz.views.derivation.card_layout import INNER_TOP, LEADING, PADDING, CardMetrics, lay_out
from attnviz.views.derivation.steps import Step
from attnviz.views.fonts import number_font, scaled

_NARROWEST = "0.899 ÷ 2.313"
_MONOSPACED = "0e(…)·+−÷×^"
_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_MOST_WIDTHS = 256
_ORIGIN = QPoint(0, 0)
_RADIUS = 8
_SIGN_WIDTH = 16

_Names = tuple[tuple[str, ...], ...]


class CardPainter:
    """Paints ``n`` cards.

    Parameters
    ----------
    n : int
        How many steps there are.
    font : QFont
        The font of the widget.

    Attributes
    ----------
    metrics : CardMetrics
        The sizes that the fonts ask for.
    layout : CardLayout
        Where the cards stand.
    """

    def __init__(self, n: int, font: QFont) -> None:
        self._n = n
        self._size = QSize()
        self.apply_theme(LIGHT)
        self.take_font(font)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._muted, self._text = QPen(QColor(theme.muted)), QPen(QColor(theme.text))
        self._accent = QPen(QColor(theme.accent_text))
        self._ground: QPixmap | None = None

    def take_font(self, font: QFont) -> None:
        """Make the fonts of the three lines from that of the widget."""
        self._font = QFont(font)
        self._name_font = scaled(font, 0.92)
        self._formula_font = number_font(font)
        self._result_font = number_font(font, 1.15)
        self._result_font.setBold(True)
        self._name_metrics = QFontMetricsF(self._name_font)
        formula, result = QFontMetricsF(self._formula_font), QFontMetricsF(self._result_font)
        self._formula_advance = max(formula.horizontalAdvance(character) for character in _MONOSPACED)
        self._result_advance = max(result.horizontalAdvance(character) for character in _MONOSPACED)
        narrowest = self._formula_advance * len(_NARROWEST)
        self.metrics = CardMetrics(self._name_metrics.height(), formula.height(), result.height(), narrowest)
        self._ascents = self._name_metrics.ascent(), formula.ascent(), result.ascent()
        self._widths: dict[bytes, float] = {}
        self.place(self._size)

    def place(self, size: QSize) -> None:
        """Place the cards in a widget of ``size``."""
        self._size = size
        layout = self.layout = lay_out(self._n, size.width(), size.height(), self.metrics)
        self._room = layout.width - 2 * PADDING
        self._formula_room = int(self._room / self._formula_advance)
        self._result_room = int(self._room / self._result_advance)
        below = INNER_TOP + self.metrics.name + LEADING
        self._names = self._baselines(INNER_TOP + self._ascents[0])
        self._formulas = self._baselines(below + self._ascents[1]) if layout.has_formula else []
        below += self.metrics.formula + LEADING if layout.has_formula else 0.0
        self._results = self._baselines(below + self._ascents[2])
        self._ground = None
        self._ground_names: _Names = ()

    def paint(self, painter: QPainter, steps: tuple[Step, ...]) -> None:
        """Paint the ground and all text, line by line over all cards, so that each font is set once."""
        # The last name holds the output and changes with it; the others stay, and so does the picture of them.
        names = tuple([step.names for step in steps[:-1]])
        ratio = painter.device().devicePixelRatio()
        if self._ground is None or names != self._ground_names or self._ground.devicePixelRatio() != ratio:
            self._ground, self._ground_names = self._drawn_ground(names, ratio), names
        painter.drawPixmap(_ORIGIN, self._ground)
        if not steps:
            return
        painter.setFont(self._name_font)
        painter.setPen(self._muted)
        painter.drawText(self._names[-1], self._fitted_name(steps[-1].names))
        if self._formulas:
            painter.setFont(self._formula_font)
            painter.setPen(self._text)
            for at, step in zip(self._formulas, steps, strict=True):
                painter.drawText(at, _fitted(step.formulas, self._formula_room))
        painter.setFont(self._result_font)
        painter.setPen(self._accent)
        for at, step in zip(self._results, steps, strict=True):
            painter.drawText(at, _fitted(step.results, self._result_room))

    def paint_focus(self, painter: QPainter, index: int) -> None:
        """Paint the line around the card that has the focus."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(self._box(index).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)

    def _baselines(self, down: float) -> list[QPointF]:
        places = [self.layout.place(i) for i in range(self._n)]
        return [QPointF(left + PADDING, top + down) for left, top in places]

    def _box(self, index: int) -> QRectF:
        return QRectF(*self.layout.place(index), self.layout.width, self.layout.height)

    def _drawn_ground(self, names: _Names, ratio: float) -> QPixmap:
        """Draw what no frame changes: the panel, the cards, the signs between them and all names but the last."""
        pixmap = QPixmap(self._size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(QColor(self._theme.panel))
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for i in range(self._n):
            box = self._box(i)
            painter.setPen(QColor(self._theme.border))
            painter.setBrush(QColor(self._theme.inset))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
            if i % self.layout.columns < self.layout.columns - 1:
                painter.setPen(self._muted)
                beside = QRectF(box.right(), box.top(), _SIGN_WIDTH, box.height())
                painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, "›")
        painter.setFont(self._name_font)
        painter.setPen(self._muted)
        for at, lengths in zip(self._names, names, strict=False):
            painter.drawText(at, self._fitted_name(lengths))
        painter.end()
        return pixmap

    def _fitted_name(self, names: tuple[str, ...]) -> str:
        for name in names:
            if self._width(name) <= self._room:
                return name
        return self._name_metrics.elidedText(names[-1], Qt.TextElideMode.ElideRight, self._room)

    def _width(self, name: str) -> float:
        """Measure a name; those that differ in nothing but digits, which are equally wide, are measured once."""
        shape = name.encode().translate(_ALIKE)
        width = self._widths.get(shape)
        if width is None:
            if len(self._widths) >= _MOST_WIDTHS:
                self._widths.clear()
            width = self._widths[shape] = self._name_metrics.horizontalAdvance(name)
        return width


def _fitted(texts: tuple[str, ...], room: int) -> str:
    """Give the longest of ``texts`` that ``room`` monospaced characters hold; the last one is cut if need be."""
    for text in texts:
        if len(text) <= room:
            return text
    return texts[-1][: max(room - 1, 0)] + "…"
