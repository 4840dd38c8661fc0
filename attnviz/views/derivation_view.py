"""The derivation strip: why the chosen weight is what it is, in six cards with the real numbers."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.views.card_layout import (
    INNER_TOP,
    LEADING,
    PADDING,
    CardLayout,
    CardMetrics,
    lay_out,
    needed_height,
    needed_width,
)
from attnviz.views.derivation_steps import Derivation, Step, derive, exact_lines, plain_text
from attnviz.views.glyphs import number_font
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen, Selection

_N_STEPS = 6
_NARROWEST = "0.899 ÷ 2.313"
_MONOSPACED = "0e(…)·+−÷×^"
_TERMS_IN_TOOLTIP = 8
_DESCRIBE_AFTER_MS = 250


class DerivationView(Panel):
    """The derivation strip.

    Left and Right go from card to card, Ctrl+C copies the derivation with every digit.

    Signals
    -------
    title_changed : str
        The question that the strip answers, such as "Why 0.389?", for its title bar.
    step_explained : str
        The user went to a card: its step with every digit, for the status bar.
    """

    title_changed = Signal(str)
    step_explained = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self._derivation: Derivation | None = None
        self._title = ""
        self._ground: QPixmap | None = None
        self._names: tuple[tuple[str, ...], ...] = ()
        self._current = 0
        self._cards = [_Card(i, self) for i in range(_N_STEPS)]
        self._cards[0].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for card in self._cards:
            card.entered.connect(self._enter)
            card.left.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._describing = QTimer(self)
        self._describing.setSingleShot(True)
        self._describing.setInterval(_DESCRIBE_AFTER_MS)
        self._describing.timeout.connect(self._describe)
        copying = QAction("Copy derivation\tCtrl+C", self)
        copying.triggered.connect(self.copy_derivation)
        self.addAction(copying)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._take_fonts()

    @property
    def title(self) -> str:
        """The question that the strip answers."""
        return self._title

    def show_frame(self, frame: Frame) -> None:
        """Derive the chosen cell anew."""
        query, key = self._cell(frame)
        derivation = derive(frame, query, key)
        if derivation == self._derivation:
            return
        self._derivation = derivation
        if derivation.title != self._title:
            self._title = derivation.title
            self.title_changed.emit(derivation.title)
        self.set_subtitle(derivation.subtitle)
        self._describing.start()
        self.update()

    def show_selection(self, chosen: Chosen) -> None:
        """Derive the cell that is now chosen."""
        del chosen
        if self.frame is not None:
            self.show_frame(self.frame)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self._ground = None

    def copy_derivation(self) -> None:
        """Put the derivation on the clipboard, with every digit."""
        if self.frame is not None:
            QGuiApplication.clipboard().setText(plain_text(self.frame, *self._cell(self.frame)))

    def sizeHint(self) -> QSize:
        """Give the size of one line of cards."""
        width = max(self.width(), needed_width(self._metrics))
        return QSize(width, needed_height(_N_STEPS, width, self._metrics, has_formula=True))

    def minimumSizeHint(self) -> QSize:
        """Give the size below which cards would be cut."""
        width = needed_width(self._metrics)
        height = needed_height(_N_STEPS, max(width, self.width()), self._metrics, has_formula=False)
        return QSize(width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ground from its cache, and the text."""
        del event
        steps = () if self._derivation is None else self._derivation.steps
        # The last name holds the output and changes with it; the others stay, and so does the picture of them.
        names = tuple(step.names for step in steps[:-1])
        if self._ground is None or names != self._names or self._ground.devicePixelRatio() != self.devicePixelRatio():
            self._names = names
            self._ground = self._drawn_ground()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._ground)
        if steps:
            self._draw_text(painter, steps)
        self._draw_focus(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the cards anew."""
        super().resizeEvent(event)
        self._place_cards()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the font of the window."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._take_fonts()

    def event(self, event: QEvent) -> bool:
        """Claim Ctrl+C before a shortcut of the window does, and tell every digit of the card under the mouse."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from card to card, or copy."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_derivation()
            return
        places = {Qt.Key.Key_Left: self._current - 1, Qt.Key.Key_Right: self._current + 1}
        places |= {Qt.Key.Key_Home: 0, Qt.Key.Key_End: _N_STEPS - 1}
        place = places.get(Qt.Key(event.key()))
        if place is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._cards[min(max(place, 0), _N_STEPS - 1)].setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        for i, card in enumerate(self._cards):
            if card.geometry().contains(event.pos()):
                text = f"<p>{html.escape(self._exact_line(i))}</p><p>Left and Right go on, Ctrl+C copies all steps.</p>"
                QToolTip.showText(event.globalPos(), text, self, card.geometry())

    def _enter(self, index: int) -> None:
        self._current = index
        for i, card in enumerate(self._cards):
            card.setFocusPolicy(Qt.FocusPolicy.StrongFocus if i == index else Qt.FocusPolicy.ClickFocus)
        self._describe()
        self.step_explained.emit(self._exact_line(index))
        self.update()

    def _describe(self) -> None:
        if self._derivation is None:
            return
        self.setAccessibleName(f"{self._derivation.title} {self._derivation.subtitle}")
        for card, step in zip(self._cards, self._derivation.steps, strict=True):
            card.setAccessibleName(step.sentence)

    def _exact_line(self, index: int) -> str:
        if self.frame is None:
            return ""
        return exact_lines(self.frame, *self._cell(self.frame), most_terms=_TERMS_IN_TOOLTIP)[index]

    def _cell(self, frame: Frame) -> tuple[int, int]:
        chosen = self.selection.chosen
        return min(chosen.shown_query, frame.n_query - 1), min(chosen.shown_key, frame.n_key - 1)

    def _take_fonts(self) -> None:
        self._name_font = QFont(self.font())
        if self.font().pointSizeF() > 0:
            self._name_font.setPointSizeF(self.font().pointSizeF() * 0.92)
        self._formula_font = number_font(self.font())
        self._result_font = number_font(self.font(), 1.15)
        self._result_font.setBold(True)
        self._name_metrics = QFontMetricsF(self._name_font)
        formula, result = QFontMetricsF(self._formula_font), QFontMetricsF(self._result_font)
        self._formula_advance = max(formula.horizontalAdvance(character) for character in _MONOSPACED)
        self._result_advance = max(result.horizontalAdvance(character) for character in _MONOSPACED)
        narrowest = self._formula_advance * len(_NARROWEST)
        self._metrics = CardMetrics(self._name_metrics.height(), formula.height(), result.height(), narrowest)
        self._ascents = self._name_metrics.ascent(), formula.ascent(), result.ascent()
        self._place_cards()
        self.updateGeometry()

    def _place_cards(self) -> None:
        self._layout: CardLayout = lay_out(_N_STEPS, self.width(), self.height(), self._metrics)
        self._ground = None
        for i, card in enumerate(self._cards):
            left, top = self._layout.place(i)
            card.setGeometry(left, top, self._layout.width, self._layout.height)
        self.update()

    def _drawn_ground(self) -> QPixmap:
        """Draw what no frame changes: the panel, the cards and the signs between them."""
        ratio = self.devicePixelRatio()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(QColor(self.theme.panel))
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        for i, card in enumerate(self._cards):
            box = QRectF(card.geometry())
            painter.setPen(QColor(self.theme.border))
            painter.setBrush(QColor(self.theme.inset))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            if i % self._layout.columns < self._layout.columns - 1:
                painter.setPen(QColor(self.theme.muted))
                beside = QRectF(box.right(), box.top(), 16, box.height())
                painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, "›")
        self._draw_names(painter, self._names, 0)
        painter.end()
        return pixmap

    def _draw_names(self, painter: QPainter, names: tuple[tuple[str, ...], ...], first: int) -> None:
        painter.setFont(self._name_font)
        painter.setPen(QColor(self.theme.muted))
        for i, lengths in enumerate(names, start=first):
            left, top = self._layout.place(i)
            painter.drawText(QPointF(left + PADDING, top + INNER_TOP + self._ascents[0]), self._fitted_name(lengths))

    def _draw_text(self, painter: QPainter, steps: tuple[Step, ...]) -> None:
        """Draw line by line over all cards, so that each font is set once."""
        self._draw_names(painter, (steps[-1].names,), _N_STEPS - 1)
        down = INNER_TOP + self._metrics.name + LEADING
        if self._layout.has_formula:
            painter.setFont(self._formula_font)
            painter.setPen(QColor(self.theme.text))
            texts = [step.formulas for step in steps]
            self._draw_line(painter, texts, down + self._ascents[1], self._formula_advance)
            down += self._metrics.formula + LEADING
        painter.setFont(self._result_font)
        painter.setPen(QColor(self.theme.accent_text))
        texts = [step.results for step in steps]
        self._draw_line(painter, texts, down + self._ascents[2], self._result_advance)

    def _draw_line(self, painter: QPainter, texts: list[tuple[str, ...]], down: float, advance: float) -> None:
        room = int((self._layout.width - 2 * PADDING) / advance)
        for i, lengths in enumerate(texts):
            left, top = self._layout.place(i)
            painter.drawText(QPointF(left + PADDING, top + down), _fitted(lengths, room))

    def _draw_focus(self, painter: QPainter) -> None:
        card = self._cards[self._current]
        if card.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(card.geometry()).adjusted(1, 1, -1, -1), 8, 8)

    def _fitted_name(self, names: tuple[str, ...]) -> str:
        room = self._layout.width - 2 * PADDING
        fits = (name for name in names if self._name_metrics.horizontalAdvance(name) <= room)
        return next(fits, "") or self._name_metrics.elidedText(names[-1], Qt.TextElideMode.ElideRight, room)


class _Card(QWidget):
    """The place of a card: it paints nothing, but takes the focus and speaks to screen readers."""

    entered = Signal(int)
    left = Signal()

    def __init__(self, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._index = index
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit(self._index)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def _fitted(texts: tuple[str, ...], room: int) -> str:
    """Give the longest of ``texts`` that ``room`` monospaced characters hold; the last one is cut if need be."""
    for text in texts:
        if len(text) <= room:
            return text
    return texts[-1][: max(room - 1, 0)] + "…"
