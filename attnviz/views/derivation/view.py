"""The derivation strip: why the chosen weight is what it is, in six cards with the real numbers."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.views.derivation.card_layout import MOST_LINES, needed_height, needed_width
from attnviz.views.derivation.card_painter import CardPainter
from attnviz.views.derivation.card_widgets import Card, tooltip_place
from attnviz.views.derivation.exact import exact_lines, plain_text
from attnviz.views.derivation.explanations import CONCEPTS, EXPONENTIAL, concepts_in, why_maximum
from attnviz.views.derivation.number_hand import NumberHand
from attnviz.views.derivation.spots import Spot, spots_of
from attnviz.views.derivation.steps import Derivation, derive
from attnviz.views.hints import plain_tooltip
from attnviz.views.panel import Panel
from attnviz.views.selection import NOTHING, Chosen, Selection

_N_STEPS = 6
_KEYS_TIP = (
    "Click a number to see where it comes from (Up and Down, then Enter). "
    "Left and Right go on, Ctrl+C copies all steps."
)
_TERMS_IN_TOOLTIP = 8
_DESCRIBE_AFTER_MS = 250


class DerivationView(Panel):
    """The derivation strip.

    Left and Right go from card to card, Up and Down from number to number on a card, Enter chooses a number, and Ctrl+C
    copies the derivation with every digit. While one of its numbers is pointed at, the strip stays at its cell.

    Signals
    -------
    title_changed : str
        The question that the strip answers, such as "Why 0.389?", for its title bar.
    step_explained : str
        The user went to a card or to a number on it: the step with every digit, or the number's name, for the
        status bar.
    """

    is_of_one_head = True
    title_changed = Signal(str)
    step_explained = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self._derivation: Derivation | None = None
        self._title = ""
        self._painter = CardPainter(self.font())
        self._current = 0
        self._spots: tuple[Spot, ...] | None = None  # found when first asked for: a drag does without
        self._drawn: Frame | None = None
        self._is_moving = False  # the numbers change under a hand: what belongs to its token is not sought in them
        self._hand = NumberHand(self, self._found_spots, self._shown_cell)
        self._marked: tuple[object, ...] = ()
        self._cards = [Card(i, self) for i in range(_N_STEPS)]
        self._cards[0].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for card in self._cards:
            card.entered.connect(self._enter)
            card.left.connect(self._leave)
        for card, concept in zip(self._cards, CONCEPTS, strict=True):
            card.setWhatsThis(plain_tooltip(concept))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
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
    def spots(self) -> tuple[Spot, ...]:
        """The numbers on the cards."""
        if self.frame is None or self._derivation is None:
            return ()
        if self._spots is None:
            cell = self._cell(self.frame)
            self._spots = spots_of(self._painter, self._derivation.steps, self.frame, *cell)
        return self._spots

    @property
    def lit(self) -> frozenset[NumberRef]:
        """The numbers on the cards that are lit."""
        chosen = self.selection.chosen
        if chosen.pointed == NOTHING or (self._is_moving and chosen.pointed_number is None):
            return frozenset()
        return self.lit_numbers({spot.ref for spot in self.spots})

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
        self._derivation, self._spots = derivation, None
        self._is_moving = self._drawn is not None and frame is not self._drawn
        self._drawn = frame
        if self._painter.take_shape(derivation.shape):
            self._place_cards()
        if derivation.title != self._title:
            self._title = derivation.title
            self.title_changed.emit(derivation.title)
        self.set_subtitle(derivation.subtitle)
        self._describing.start()
        self.update()

    def show_selection(self, chosen: Chosen) -> None:
        """Derive the cell that is now chosen, and light its numbers."""
        marked = (*chosen.pointed, chosen.number, chosen.is_pinned)
        if marked != self._marked:
            self._marked = marked
            self._hand.follow(chosen)
            self.update()
        if self.frame is not None:
            self.show_frame(self.frame)

    def focused_number(self) -> NumberRef | None:
        """Give the number that the keyboard is at: on a card without one its result."""
        on_card = [spot for spot in self.spots if spot.card == self._current]
        result = next((spot.ref for spot in on_card if spot.is_result), None)
        return self._hand.reached if any(spot.ref == self._hand.reached for spot in on_card) else result

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
            steps = () if self._derivation is None else self._derivation.steps
            self._painter.paint(painter, steps, self._hand.marks(self._current, self.lit))
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

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the number under the mouse in every panel."""
        self._hand.hover(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._hand.hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the number under the mouse."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._hand.press(event.position(), "may")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Choose the number under the mouse and have it explained."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._hand.press(event.position(), "must")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from card to card or from number to number, choose a number, or copy."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_derivation()
            return
        if not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier and self._take_key(Qt.Key(event.key())):
            return
        places = {Qt.Key.Key_Left: self._current - 1, Qt.Key.Key_Right: self._current + 1}
        places |= {Qt.Key.Key_Home: 0, Qt.Key.Key_End: _N_STEPS - 1}
        place = places.get(Qt.Key(event.key()))
        if place is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._cards[min(max(place, 0), _N_STEPS - 1)].setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_key(self, key: Qt.Key) -> bool:
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step_number(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            ref = self.focused_number()
            if ref is not None:
                self._hand.pin_again(ref)
        else:
            return False
        return True

    def _step_number(self, by: int) -> None:
        """Go to the next number on the card, or the one before, and say which it is."""
        ref = self._hand.step(self._current, by)
        if ref is not None:
            said = self.describe_number(ref)
            self._cards[self._current].setAccessibleName(said)
            self.step_explained.emit(said)
            self.update()

    def _show_tooltip(self, event: QHelpEvent) -> None:
        for i, card in enumerate(self._cards):
            if card.geometry().contains(event.pos()):
                lines = [self._exact_line(i), self._why(i), _KEYS_TIP]
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

    def _leave(self) -> None:
        """Let go of the number that the keyboard was at: it has left the card."""
        self._hand.leave_card()
        self.update()

    def _describe(self) -> None:
        if self._is_moving:
            self._is_moving = False
            self.update()
        if self._derivation is None:
            return
        self.setAccessibleName(f"{self._derivation.title} {self._derivation.subtitle}")
        for card, step in zip(self._cards, self._derivation.steps, strict=True):
            card.setAccessibleName(step.sentence)
        if self.frame is None:
            return
        for i, concept in enumerate(concepts_in(self.frame, *self._cell(self.frame))):
            self._cards[i].setWhatsThis(plain_tooltip(f"{concept}\n\n{self._why(i)}".rstrip()))

    def _exact_line(self, index: int) -> str:
        if self.frame is None:
            return ""
        return exact_lines(self.frame, *self._cell(self.frame), most_terms=_TERMS_IN_TOOLTIP)[index]

    def _cell(self, frame: Frame) -> tuple[int, int]:
        chosen = self.selection.chosen
        query, key = self._hand.held or (chosen.shown_query, chosen.shown_key)
        return min(query, frame.n_query - 1), min(key, frame.n_key - 1)

    def _shown_cell(self) -> tuple[int, int]:
        return (0, 0) if self.frame is None else self._cell(self.frame)

    def _found_spots(self) -> tuple[Spot, ...]:
        return self.spots

    def _place_cards(self) -> None:
        self._spots = None
        self._painter.place(self.size())
        for i, card in enumerate(self._cards):
            card.setGeometry(*self._painter.layout.place(i))
        self.update()
