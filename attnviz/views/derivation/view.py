"""The derivation strip: why the chosen weight is what it is, in six cards with the real numbers."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.views.derivation.card_layout import MOST_LINES, needed_height, needed_width
from attnviz.views.derivation.card_painter import CardPainter
from attnviz.views.derivation.exact import exact_lines, plain_text
from attnviz.views.derivation.explanations import CONCEPTS, EXPONENTIAL, why_maximum
from attnviz.views.derivation.steps import Derivation, derive
from attnviz.views.hints import plain_tooltip
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen, Selection

_N_STEPS = 6
_TERMS_IN_TOOLTIP = 8
_DESCRIBE_AFTER_MS = 250
_BESIDE = 4
_STYLED = 16  # what a style sheet may add to a tooltip's height
_BELOW_MOUSE = 16  # how far under the given place Qt puts a tooltip


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
        self._painter = CardPainter(self.font())
        self._current = 0
        self._cards = [_Card(i, self) for i in range(_N_STEPS)]
        self._cards[0].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for card in self._cards:
            card.entered.connect(self._enter)
            card.left.connect(self.update)
        for card, concept in zip(self._cards, CONCEPTS, strict=True):
            card.setWhatsThis(plain_tooltip(concept))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._describing = QTimer(self)
        self._describing.setSingleShot(True)
        self._describing.setInterval(_DESCRIBE_AFTER_MS)
        self._describing.timeout.connect(self._describe)
        copying = QAction("Copy derivation\tCtrl+C", self)
        copying.triggered.connect(self.copy_derivation)
        self.addAction(copying)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._place_cards()

    @property
    def title(self) -> str:
        """The question that the strip answers."""
        return self._title

    @property
    def shown_texts(self) -> list[tuple[str, str, str, str]]:
        """What stands on each card: heading, both lines of the formula, result."""
        return [] if self._derivation is None else self._painter.shown_texts(self._derivation.steps)

    def pictured_texts(self) -> list[tuple[str, QRectF]]:
        """List the texts on the ready picture of the cards, as painted last, with their boxes."""
        return list(self._painter.ground_texts)

    def show_frame(self, frame: Frame) -> None:
        """Derive the chosen cell anew."""
        query, key = self._cell(frame)
        derivation = derive(frame, query, key)
        if derivation == self._derivation:
            return
        self._derivation = derivation
        if self._painter.take_shape(derivation.shape):
            self._place_cards()
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
        self._painter.apply_theme(theme)

    def copy_derivation(self) -> None:
        """Put the derivation on the clipboard, with every digit."""
        if self.frame is not None:
            QGuiApplication.clipboard().setText(plain_text(self.frame, *self._cell(self.frame)))

    def sizeHint(self) -> QSize:
        """Give the size in which a formula may have two lines."""
        width = max(self.width(), needed_width(self._painter.metrics))
        return QSize(width, needed_height(_N_STEPS, width, self._painter.metrics, MOST_LINES))

    def minimumSizeHint(self) -> QSize:
        """Give the size below which cards would be cut."""
        width = needed_width(self._painter.metrics)
        height = needed_height(_N_STEPS, max(width, self.width()), self._painter.metrics, 0)
        return QSize(width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw all cards, and the line around the one that has the focus."""
        del event
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            self._painter.paint(painter, () if self._derivation is None else self._derivation.steps)
            if self._cards[self._current].hasFocus():
                self._painter.paint_focus(painter, self._current)

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
            self._painter.take_font(self.font())
            self._place_cards()
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Claim Ctrl+C before a shortcut of the window does, and tell every digit of the card under the mouse."""
        # Asking for the type of every event would cost more than the rest: first its class, which Qt's keys have.
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
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
                lines = [self._exact_line(i), self._why(i), "Left and Right go on, Ctrl+C copies all steps."]
                text = "".join(f"<p>{html.escape(line)}</p>" for line in lines if line)
                area = QRect(card.mapToGlobal(QPoint(0, 0)), card.size())
                QToolTip.showText(tooltip_place(area, text, self), text, self, card.geometry())

    def _why(self, index: int) -> str:
        if index != EXPONENTIAL or self.frame is None:
            return ""
        return why_maximum(self.frame, *self._cell(self.frame))

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
        concept = f"{CONCEPTS[EXPONENTIAL]}\n\n{self._why(EXPONENTIAL)}".rstrip()
        self._cards[EXPONENTIAL].setWhatsThis(plain_tooltip(concept))

    def _exact_line(self, index: int) -> str:
        if self.frame is None:
            return ""
        return exact_lines(self.frame, *self._cell(self.frame), most_terms=_TERMS_IN_TOOLTIP)[index]

    def _cell(self, frame: Frame) -> tuple[int, int]:
        chosen = self.selection.chosen
        return min(chosen.shown_query, frame.n_query - 1), min(chosen.shown_key, frame.n_key - 1)

    def _place_cards(self) -> None:
        self._painter.place(self.size())
        for i, card in enumerate(self._cards):
            card.setGeometry(*self._painter.layout.place(i))
        self.update()


def tooltip_place(area: QRect, text: str, widget: QWidget) -> QPoint:
    """Choose where a tooltip goes so that it covers nothing of ``area``: below it, or above where the screen ends.

    Parameters
    ----------
    area : QRect
        What stays in sight, in coordinates of the screen.
    text : str
        Rich text.
    widget : QWidget
        Whose screen it is.

    Returns
    -------
    QPoint
        What :meth:`QToolTip.showText` is to be given; the tooltip stands below that place, as if a mouse were there.
    """
    probe = QLabel(text)
    probe.setFont(QToolTip.font())
    probe.setWordWrap(True)
    height = probe.sizeHint().height() + 4 * _BESIDE + _STYLED
    screen = widget.screen().geometry()
    below = area.bottom() + _BESIDE
    top = below if below + height <= screen.bottom() else area.top() - height
    return QPoint(area.left(), top - _BELOW_MOUSE)


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
