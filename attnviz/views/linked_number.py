"""Numbers that a widget of their own shows: pointed at, chosen, reached by keyboard and lit like those in matrices."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette

from attnviz.document.number_ref import NumberRef
from attnviz.views.number_box import NumberBox
from attnviz.views.number_marks import NO_MARKS, NumberMarks
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen
from attnviz.views.text_line import TextLine

_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_TIP = "Click to see where it comes from (Enter)"
_MARGIN = 3  # pixels, for the frame around it


class NumberLine(TextLine):
    """A line with one number that can be pointed at and clicked.

    Parameters
    ----------
    alignment : Qt.AlignmentFlag
        Where the text stands.
    template : str
        A text as long as it is likely to get.
    tip : str
        What the number is, for the tooltip.

    Signals
    -------
    pointed : bool
        The mouse or the keyboard came to it, or left.
    clicked, opened : (nothing)
        It was clicked, or double clicked; Enter and Space click, and open what is chosen already.
    """

    pointed = Signal(bool)
    clicked = Signal()
    opened = Signal()

    def __init__(
        self,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        *,
        template: str,
        tip: str = "",
    ) -> None:
        super().__init__(
            alignment, QPalette.ColorRole.WindowText, is_monospaced=True, template=template, margin=_MARGIN
        )
        self._marks = NO_MARKS
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(f"{tip}\n{_TIP}".strip())

    @property
    def is_lit(self) -> bool:
        """Whether the number is lit."""
        return self._marks.is_lit

    def show_marks(self, marks: NumberMarks) -> None:
        """Light or frame the number."""
        if marks != self._marks:
            self._marks = marks
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text and its marks."""
        super().paintEvent(event)
        if self._marks.is_lit or self._marks.is_pinned or self.hasFocus():
            with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
                self._marks.paint(painter, QRectF(self.rect()), has_ring=self.hasFocus())

    def enterEvent(self, event: QEnterEvent) -> None:
        """Tell that the mouse came."""
        super().enterEvent(event)
        self.pointed.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the mouse left."""
        super().leaveEvent(event)
        self.pointed.emit(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard came."""
        super().focusInEvent(event)
        self.update()
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.pointed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard left."""
        super().focusOutEvent(event)
        self.update()
        self.pointed.emit(False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Click, or open what is chosen already."""
        if event.key() in _KEYS:
            (self.opened if self._marks.is_pinned else self.clicked).emit()
        else:
            super().keyPressEvent(event)


class LinkedNumber(QObject):
    """Joins the widget of a number with the selection.

    Parameters
    ----------
    panel : Panel
        The panel that it belongs to.
    host : NumberLine or NumberBox
        The widget. One that is typed into pins its number when it is clicked but does not open the inspector.
    name : str
        What the number is, for screen readers; a box has its own.
    """

    def __init__(self, panel: Panel, host: NumberLine | NumberBox, name: str = "") -> None:
        super().__init__(panel)
        self.ref: NumberRef | None = None
        self._panel, self._host = panel, host
        host.pointed.connect(self._point_at)
        host.clicked.connect(self._pin)
        if isinstance(host, NumberLine):
            host.opened.connect(self._open)
            host.setAccessibleName(name)

    @property
    def is_lit(self) -> bool:
        """Whether the number is pointed at, here or elsewhere."""
        return self._host.is_lit

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is at the number."""
        return self._host.hasFocus()

    def show_chosen(self, chosen: Chosen) -> None:
        """Light the number if it is pointed at, and frame it if it is chosen."""
        ref = self.ref
        is_pinned = ref is not None and chosen.is_pinned and chosen.number == ref
        is_lit = ref is not None and chosen.pointed_number == ref
        self._host.show_marks(NumberMarks(is_lit, is_pinned, self._panel.theme) if is_lit or is_pinned else NO_MARKS)

    def _point_at(self, is_pointed: bool) -> None:
        self._panel.point_at_number(self.ref if is_pointed else None)
        if is_pointed and self.ref is not None and isinstance(self._host, NumberLine):
            self._host.setAccessibleDescription(self._panel.describe_number(self.ref))

    def _pin(self) -> None:
        if self.ref is not None:
            self._panel.pin_number(self.ref, opening="never" if isinstance(self._host, NumberBox) else "may")

    def _open(self) -> None:
        if self.ref is not None:
            self._panel.pin_number(self.ref, opening="must")
