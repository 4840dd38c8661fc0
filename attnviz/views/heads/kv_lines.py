"""Which key/value head each query head reads, drawn: query heads at the left, key/value heads at the right."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.attending import kv_head_of
from attnviz.document.state import State
from attnviz.views.fonts import scaled
from attnviz.views.hints import plain_tooltip

_DOT = 3.5
_PAD = 6.0
_LEAST_PITCH = 7


class KvLines(QWidget):
    """The lines from query heads to key/value heads; hidden where every head has keys and values of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._reads: tuple[int, ...] = ()
        self._n_kv_heads = 0
        self._shown = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Query heads and key/value heads")
        self.hide()

    @property
    def reads(self) -> tuple[int, ...]:
        """The key/value head that each query head reads, counted from 0."""
        return self._reads

    def show_state(self, state: State, shown: int) -> None:
        """Draw the lines of a state, that of the shown head strong."""
        reads = tuple(kv_head_of(state, head) for head in range(state.n_heads))
        if (reads, state.n_kv_heads, shown) == (self._reads, self._n_kv_heads, self._shown):
            return
        if reads != self._reads:
            sentence = sentence_of_reads(reads)
            self.setAccessibleDescription(sentence)
            self.setToolTip(plain_tooltip(sentence))
        self._reads, self._n_kv_heads, self._shown = reads, state.n_kv_heads, shown
        self.updateGeometry()
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give room for both columns of names."""
        metrics = QFontMetricsF(scaled(self.font(), 0.85))
        return QSize(round(metrics.horizontalAdvance("q 16") + metrics.horizontalAdvance("kv 16") + 62), 80)

    def minimumSizeHint(self) -> QSize:
        """Keep the lines apart."""
        return QSize(self.sizeHint().width(), _LEAST_PITCH * max(1, len(self._reads)) + 24)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw lines, dots and names."""
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.fillRect(self.rect(), QColor(self._theme.panel))
            if not self._reads:
                return
            font = scaled(self.font(), 0.85)
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            left = _PAD + metrics.horizontalAdvance("q 16") + 2 * _DOT
            right = self.width() - _PAD - metrics.horizontalAdvance("kv 16") - 2 * _DOT
            room = min(self.height() - 2 * _PAD, len(self._reads) * 1.7 * metrics.height())
            sources = _heights(len(self._reads), room)
            targets = _heights(self._n_kv_heads, room)
            self._paint_lines(painter, [(left, y) for y in sources], [(right, y) for y in targets])
            every = max(1, round(metrics.height() * 0.95 / (room / len(self._reads)) + 0.49))
            for head, y in enumerate(sources):
                if head % every == 0 or head == self._shown:
                    self._write(
                        painter, metrics, f"q {head + 1}", (left - 2 * _DOT, y), is_right=True, of=self._reads[head]
                    )
            for kv_head, y in enumerate(targets):
                self._write(painter, metrics, f"kv {kv_head + 1}", (right + 2 * _DOT, y), is_right=False, of=kv_head)

    def _paint_lines(
        self, painter: QPainter, sources: list[tuple[float, float]], targets: list[tuple[float, float]]
    ) -> None:
        for head, start in enumerate(sources):
            kv_head = self._reads[head]
            colour = QColor(self._theme.token(kv_head))
            painter.setPen(QPen(colour, 3.0 if head == self._shown else 1.4))
            painter.drawLine(QPointF(*start), QPointF(*targets[kv_head]))
        painter.setPen(Qt.PenStyle.NoPen)
        for places, owners in ((sources, self._reads), (targets, range(len(targets)))):
            for place, owner in zip(places, owners, strict=True):
                painter.setBrush(QColor(self._theme.token(owner)))
                painter.drawEllipse(QPointF(*place), _DOT, _DOT)

    def _write(
        self,
        painter: QPainter,
        metrics: QFontMetricsF,
        text: str,
        at: tuple[float, float],
        *,
        is_right: bool,
        of: int,
    ) -> None:
        x = at[0] - metrics.horizontalAdvance(text) if is_right else at[0]
        painter.setPen(QColor(self._theme.token(of)))
        painter.drawText(QPointF(x, at[1] + (metrics.ascent() - metrics.descent()) / 2), text)


def sentence_of_reads(reads: tuple[int, ...]) -> str:
    """Say which query heads read which key/value head."""
    parts = []
    for kv_head in sorted(set(reads)):
        heads = [head + 1 for head, read in enumerate(reads) if read == kv_head]
        span = f"head {heads[0]}" if len(heads) == 1 else f"heads {heads[0]} to {heads[-1]}"
        parts.append(f"query {span} read{'s' * (len(heads) == 1)} key/value head {kv_head + 1}")
    return "; ".join(parts)


def _heights(count: int, room: float) -> list[float]:
    return [_PAD + room * (place + 0.5) / count for place in range(count)]
