"""How the cards of the derivation are painted: what stays from one ready picture, the numbers over it.

In a drag every number of every card changes with every frame. So all that a frame does not change is drawn once
into a pixmap, and places, pens and fonts are kept ready: a frame costs that pixmap and one text a line and card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from attnviz.appearance import LIGHT, Theme
from attnviz.views.derivation.card_layout import INNER_TOP, LEADING, PADDING, CardMetrics, Need, lay_out
from attnviz.views.derivation.lengths import broken
from attnviz.views.derivation.needs import YIELDING, wanted_rooms
from attnviz.views.derivation.steps import Shape, Step
from attnviz.views.fonts import number_font, scaled

_NARROWEST = "0.899 ÷ 2.313"
_MONOSPACED = "0e(…)·+−÷×^"
_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_MOST_WIDTHS = 256
_ORIGIN = QPoint(0, 0)
_RADIUS = 8
_SIGN_WIDTH = 16
_FIRST_SHAPE = Shape(2, 3, 2)

_Names = tuple[tuple[str, ...], ...]
Look: TypeAlias = Literal["hovered", "lit", "pinned", "current"]


class CardPainter:
    """Paints the six cards.

    Parameters
    ----------
    font : QFont
        The font of the widget.

    Attributes
    ----------
    metrics : CardMetrics
        The sizes that the fonts ask for.
    layout : CardLayout
        Where the cards stand.
    ground_texts : list of (str, QRectF)
        The texts on the picture that stays, and where.
    """

    def __init__(self, font: QFont) -> None:
        self._n = len(YIELDING)
        self._size = QSize()
        self._shape = _FIRST_SHAPE
        self.ground_texts: list[tuple[str, QRectF]] = []
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
        self._line_metrics = self._name_metrics, formula, formula, result
        self._line_advances = 0.0, *(_equal_advance(metrics) for metrics in (formula, formula, result))
        self._result_advance = max(result.horizontalAdvance(character) for character in _MONOSPACED)
        narrowest = self._formula_advance * len(_NARROWEST)
        self.metrics = CardMetrics(self._name_metrics.height(), formula.height(), result.height(), narrowest)
        self._ascents = self._name_metrics.ascent(), formula.ascent(), result.ascent()
        self._widths: dict[bytes, float] = {}
        self.place(self._size)

    def place(self, size: QSize) -> None:
        """Place the cards in a widget of ``size``."""
        self._size = size
        layout = self.layout = lay_out(size.width(), size.height(), self.metrics, self._needs, YIELDING)
        self._places = [layout.place(i) for i in range(self._n)]
        rooms = self._rooms = [width - 2 * PADDING for _, _, width, _ in self._places]
        self._formula_rooms = [int(room / self._formula_advance) for room in rooms]
        self._result_rooms = [int(room / self._result_advance) for room in rooms]
        below = INNER_TOP + self.metrics.name + LEADING
        self._names = self._baselines(INNER_TOP + self._ascents[0])
        self._formulas = self._baselines(below + self._ascents[1]) if layout.n_lines else []
        self._second_lines = self._baselines(below + self.metrics.formula + self._ascents[1])
        below += self.metrics.formula * layout.n_lines + LEADING if layout.n_lines else 0.0
        self._results = self._baselines(below + self._ascents[2])
        self._ground = None
        self._ground_names: _Names = ()

    def take_shape(self, shape: Shape) -> bool:
        """Give the cards the widths that a document of this shape asks for; say whether they may have changed."""
        if shape == self._shape:
            return False
        self._shape = shape
        return True

    def shown_texts(self, steps: tuple[Step, ...]) -> list[tuple[str, str, str, str]]:
        """Give what stands on each card: heading, both lines of the formula, result."""
        lines = [self._fitted_formula(i, step) if self._formulas else ("", "") for i, step in enumerate(steps)]
        return [
            (self._fitted_name(i, step.names), *lines[i], _fitted(step.results, self._result_rooms[i]))
            for i, step in enumerate(steps)
        ]

    def text_box(self, card: int, line: int, text: str, start: int, stop: int) -> QRectF:
        """Give the rectangle of some characters on a card.

        Parameters
        ----------
        card : int
            Which card.
        line : int
            0 for the heading, 1 and 2 for the lines of the formula, 3 for the result.
        text : str
            What is written on that line.
        start, stop : int
            The first character and the one after the last.
        """
        at = (self._names, self._formulas, self._second_lines, self._results)[line][card]
        metrics, advance = self._line_metrics[line], self._line_advances[line]
        if advance:
            left, width = at.x() + advance * start, advance * (stop - start)
        else:
            left = at.x() + metrics.horizontalAdvance(text[:start])
            width = metrics.horizontalAdvance(text[start:stop])
        return QRectF(left, at.y() - metrics.ascent(), width, metrics.height())

    def paint(self, painter: QPainter, steps: tuple[Step, ...], marks: Iterable[tuple[QRectF, Look]] = ()) -> None:
        """Paint the ground, what marks numbers, and all text, line by line, so that each font is set once."""
        # The last name holds the output and changes with it; the others stay, and so does the picture of them.
        names = tuple([step.names for step in steps[:-1]])
        ratio = painter.device().devicePixelRatio()
        if self._ground is None or names != self._ground_names or self._ground.devicePixelRatio() != ratio:
            self._ground, self._ground_names = self._drawn_ground(names, ratio), names
        painter.drawPixmap(_ORIGIN, self._ground)
        for box, look in marks:
            self._mark(painter, box, look)
        if not steps:
            return
        painter.setFont(self._name_font)
        painter.setPen(self._muted)
        painter.drawText(self._names[-1], self._fitted_name(self._n - 1, steps[-1].names))
        if self._formulas:
            painter.setFont(self._formula_font)
            painter.setPen(self._text)
            for i, step in enumerate(steps):
                first, second = self._fitted_formula(i, step)
                painter.drawText(self._formulas[i], first)
                if second:
                    painter.drawText(self._second_lines[i], second)
        painter.setFont(self._result_font)
        painter.setPen(self._accent)
        for at, step, room in zip(self._results, steps, self._result_rooms, strict=True):
            painter.drawText(at, _fitted(step.results, room))

    def paint_focus(self, painter: QPainter, index: int) -> None:
        """Paint the line around the card that has the focus."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(self._box(index).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)

    def _mark(self, painter: QPainter, box: QRectF, look: Look) -> None:
        """Mark a number: a thin line below it, a ground with a thick line, a frame, or a ring of dashes around it."""
        theme = self._theme
        below = QRectF(box.left(), box.bottom() - 1, box.width(), 1)
        if look == "hovered":
            painter.fillRect(below, QColor(theme.accent_text))
        elif look == "lit":
            painter.fillRect(box.adjusted(-1, 0, 1, 0), QColor(theme.accent_soft))
            painter.fillRect(below.adjusted(-1, -0.5, 1, 0.5), QColor(theme.accent_text))
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            is_pinned = look == "pinned"
            style = Qt.PenStyle.SolidLine if is_pinned else Qt.PenStyle.DashLine
            painter.setPen(QPen(QColor(theme.accent if is_pinned else theme.text), 1.5 if is_pinned else 1.0, style))
            around = 2.5 if is_pinned else 4.0
            painter.drawRoundedRect(box.adjusted(-around, 0, around, 0), 3, 3)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _baselines(self, down: float) -> list[QPointF]:
        return [QPointF(left + PADDING, top + down) for left, top, _, _ in self._places]

    def _needs(self, n_lines: int) -> list[Need]:
        """Give the widths that the cards want, in pixels."""
        needs = []
        for wanted in wanted_rooms(self._shape, n_lines):
            ideal, least = (
                max(
                    self._width(wanted.names[i]),
                    wanted.formula[i] * self._formula_advance,
                    wanted.result[i] * self._result_advance,
                )
                for i in (0, 1)
            )
            needs.append(Need(least + 1.0, ideal + 1.0))  # a pixel against rounding down
        return needs

    def _box(self, index: int) -> QRectF:
        return QRectF(*self._places[index])

    def _drawn_ground(self, names: _Names, ratio: float) -> QPixmap:
        """Draw what no frame changes: the panel, the cards, the signs between them and all names but the last."""
        pixmap = QPixmap(self._size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(QColor(self._theme.panel))
        self.ground_texts.clear()
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
                self.ground_texts.append(("›", painter.boundingRect(beside, Qt.AlignmentFlag.AlignCenter, "›")))
        painter.setFont(self._name_font)
        painter.setPen(self._muted)
        for i, lengths in enumerate(names):
            name = self._fitted_name(i, lengths)
            painter.drawText(self._names[i], name)
            size = QSizeF(self._name_metrics.horizontalAdvance(name), self._name_metrics.height())
            self.ground_texts.append((name, QRectF(self._names[i] - QPointF(0, self._ascents[0]), size)))
        painter.end()
        return pixmap

    def _fitted_name(self, index: int, names: tuple[str, ...]) -> str:
        room = self._rooms[index]
        for name in names:
            if self._width(name) <= room:
                return name
        return self._name_metrics.elidedText(names[-1], Qt.TextElideMode.ElideRight, room)

    def _fitted_formula(self, index: int, step: Step) -> tuple[str, str]:
        """Give the longest formula of a step that one line or two of a card hold."""
        room, n_lines = self._formula_rooms[index], self.layout.n_lines
        lines = broken(step.formula, room, n_lines)
        if lines is not None:
            return lines
        formulas = step.formulas
        for text in formulas[1:]:
            lines = broken(text, room, n_lines)
            if lines is not None:
                return lines
        return _cut(formulas[-1], room), ""

    def _width(self, name: str) -> float:
        """Measure a name; those that differ in nothing but digits, which are equally wide, are measured once."""
        shape = name.encode().translate(_ALIKE)
        width = self._widths.get(shape)
        if width is None:
            if len(self._widths) >= _MOST_WIDTHS:
                self._widths.clear()
            width = self._widths[shape] = self._name_metrics.horizontalAdvance(name)
        return width


def _equal_advance(metrics: QFontMetricsF) -> float:
    """Give the width of every character of a formula; 0 where they differ, as where another font helps out."""
    widths = {metrics.horizontalAdvance(character) for character in f"{_MONOSPACED}, -."}
    return widths.pop() if len(widths) == 1 else 0.0


def _fitted(texts: tuple[str, ...], room: int) -> str:
    """Give the longest of ``texts`` that ``room`` monospaced characters hold; the last one is cut if need be."""
    for text in texts:
        if len(text) <= room:
            return text
    return _cut(texts[-1], room)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 1, 0)] + "…"
