"""One line with the shapes of a pass in cross-attention, in which every kind of size has a colour of its own."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.frame import Frame
from attnviz.document.shapes import Shape, ShapeProduct, SizeName, products_of
from attnviz.views.fonts import scaled
from attnviz.views.hints import plain_tooltip
from attnviz.views.role_colours import size_colour

_SCALE = 0.92
_MARGIN = 12.0
_BETWEEN = "     "
_WORDS: dict[SizeName, str] = {
    "n_query": "tokens that ask",
    "n_key": "tokens that answer",
    "d": "width of embeddings",
    "d_k": "width of queries and keys",
    "d_v": "width of values and outputs",
}

Run: TypeAlias = tuple[str, SizeName | None]  # a piece of text, and the size it tells
_TIMES: Run = (" · ", None)
_GIVES: Run = (" → ", None)


class ShapeLine(QWidget):
    """Shows the shapes of cross-attention: all products, or fewer where there is less room; empty in self-attention."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._products: tuple[ShapeProduct, ...] = ()
        self._theme: Theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Shapes")

    @property
    def text(self) -> str:
        """What is written now, in the longest way that there is room for."""
        return "".join(text for text, _ in self._fitting())

    def show_frame(self, frame: Frame) -> None:
        """Show the shapes of a frame."""
        products = () if frame.state.context is None else products_of(frame)
        if products != self._products:
            self._products = products
            self.setAccessibleDescription("; ".join(product.text for product in products))
            self.setToolTip(plain_tooltip(_explained(products)) if products else "")
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for no room: it takes what is left over."""
        return QSize(0, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        """Give the same."""
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        """Forget the font when it changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.__dict__.pop("_fonts", None)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Write the line in the middle, sizes in bold and in their colours."""
        runs = self._fitting()
        if not runs:
            return
        plain, bold = self._fonts
        left = (self.width() - self._width(runs)) / 2
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            baseline = (self.height() + QFontMetricsF(plain).ascent() - QFontMetricsF(plain).descent()) / 2
            for text, size in runs:
                painter.setFont(bold if size else plain)
                painter.setPen(QColor(size_colour(self._theme, size) if size else self._theme.muted))
                painter.drawText(QPointF(left, baseline), text)
                left += QFontMetricsF(bold if size else plain).horizontalAdvance(text)

    def _fitting(self) -> list[Run]:
        """Give the longest way to say it that fits, or nothing."""
        room = self.width() - 2 * _MARGIN
        return next((runs for runs in _ways(self._products) if self._width(runs) <= room), [])

    def _width(self, runs: list[Run]) -> float:
        plain, bold = self._fonts
        return sum(QFontMetricsF(bold if size else plain).horizontalAdvance(text) for text, size in runs)

    @cached_property
    def _fonts(self) -> tuple[QFont, QFont]:
        plain = scaled(self.font(), _SCALE)
        bold = QFont(plain)
        bold.setWeight(QFont.Weight.DemiBold)
        return plain, bold


def _ways(products: tuple[ShapeProduct, ...]) -> list[list[Run]]:
    """Give all products, the last two, or the chain Q Kᵀ V."""
    if not products:
        return []
    scores, outputs = products[3:]
    chain = [*_runs_of(scores.left), _TIMES, *_runs_of(scores.right), _TIMES, *_runs_of(outputs.right)]
    return [
        _joined([_product_runs(one) for one in products]),
        _joined([_product_runs(one) for one in (scores, outputs)]),
        [*chain, _GIVES, *_runs_of(outputs.result)],
    ]


def _product_runs(product: ShapeProduct) -> list[Run]:
    return [*_runs_of(product.left), _TIMES, *_runs_of(product.right), _GIVES, *_runs_of(product.result)]


def _runs_of(shape: Shape) -> list[Run]:
    rows, columns = shape.rows, shape.columns
    return [
        (f"{shape.symbol} ", None),
        (f"{rows.count:,}", rows.name),
        ("×", None),
        (f"{columns.count:,}", columns.name),
    ]


def _joined(parts: list[list[Run]]) -> list[Run]:
    runs: list[Run] = []
    for part in parts:
        runs += [(_BETWEEN, None), *part] if runs else part
    return runs


def _explained(products: tuple[ShapeProduct, ...]) -> str:
    sizes = {size.name: size.count for one in products for size in (one.left.rows, one.left.columns, one.right.columns)}
    told = (f"{name} = {sizes[name]:,}: {words}" for name, words in _WORDS.items())
    return "\n".join([*(product.text for product in products), "", *told])
