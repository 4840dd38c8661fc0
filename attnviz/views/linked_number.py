"""A number that a widget of its own shows: pointed at, pinned, reached by keyboard and lit like those in matrices."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from attnviz.document.number_ref import NumberRef
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen, Opening

_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_TIP = "Click to see where it comes from (Enter)"


class LinkedNumber(QWidget):
    """Lies over a widget that shows one number; the mouse goes through it.

    Parameters
    ----------
    panel : Panel
        The panel that the number belongs to.
    host : QWidget
        The widget that shows it.
    name : str
        What the number is, for screen readers; a host that is typed into has its own.
    is_typed : bool
        Whether the host is typed into: then a click pins the number but does not open the inspector, and the keys
        stay the host's.
    """

    def __init__(self, panel: Panel, host: QWidget, name: str = "", *, is_typed: bool = False) -> None:
        super().__init__(host)
        self.ref: NumberRef | None = None
        self._panel, self._host, self._is_typed = panel, host, is_typed
        self._is_lit = self._is_pinned = self._has_focus = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self.setGeometry(host.rect())
        host.installEventFilter(self)
        if not is_typed:
            host.setAccessibleName(name)
            host.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            host.setCursor(Qt.CursorShape.PointingHandCursor)
            host.setToolTip(f"{host.toolTip()}\n{_TIP}".strip())

    @property
    def is_lit(self) -> bool:
        """Whether the number is pointed at, here or elsewhere."""
        return self._is_lit

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is at the number."""
        return self._has_focus

    def show_chosen(self, chosen: Chosen) -> None:
        """Light the number if it is pointed at, and frame it if it is pinned."""
        is_lit = self.ref is not None and chosen.pointed_number == self.ref
        is_pinned = self.ref is not None and chosen.is_pinned and chosen.number == self.ref
        if (is_lit, is_pinned) != (self._is_lit, self._is_pinned):
            self._is_lit, self._is_pinned = is_lit, is_pinned
            self._show_or_hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what mouse and keyboard do with the host."""
        kind = event.type()
        if kind == QEvent.Type.Enter:
            self._panel.point_at_number(self.ref)
        elif kind == QEvent.Type.Leave:
            self._panel.point_at_number(None)
        elif kind == QEvent.Type.Resize:
            self.setGeometry(self._host.rect())
        elif isinstance(event, QFocusEvent) and kind != QEvent.Type.FocusAboutToChange:
            self._follow_focus(event)
        elif not self._is_typed and isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
                self._pin("must" if kind == QEvent.Type.MouseButtonDblClick else "may")
                self._host.setFocus(Qt.FocusReason.MouseFocusReason)
                return True
        elif not self._is_typed and kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._take_key(event.key())
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw a thick line under a lit number, a frame around a pinned one, and dashes around one with the focus."""
        theme, box = self._panel.theme, QRectF(self.rect())
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._is_pinned:
                painter.setPen(QPen(QColor(theme.accent), 1.5))
                painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 3, 3)
            if self._has_focus and not self._is_typed:
                painter.setPen(QPen(QColor(theme.text), 1.0, Qt.PenStyle.DashLine))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            if self._is_lit:
                painter.fillRect(QRectF(2, box.bottom() - 3, box.width() - 4, 2), QColor(theme.accent_text))

    def _follow_focus(self, event: QFocusEvent) -> None:
        self._has_focus = event.type() == QEvent.Type.FocusIn
        if self._has_focus and self.ref is not None:
            if not self._is_typed:
                self._host.setAccessibleName(self._panel.describe_number(self.ref))
                self._panel.point_at_number(self.ref)
            elif event.reason() == Qt.FocusReason.MouseFocusReason:
                self._pin("never")
        self._show_or_hide()

    def _take_key(self, key: int) -> bool:
        if key in _KEYS:
            self._pin("must" if self._is_pinned else "may")
        return key in _KEYS

    def _pin(self, opening: Opening) -> None:
        if self.ref is not None:
            self._panel.pin_number(self.ref, opening=opening)

    def _show_or_hide(self) -> None:
        self.setVisible(self._is_lit or self._is_pinned or (self._has_focus and not self._is_typed))
        self.update()
