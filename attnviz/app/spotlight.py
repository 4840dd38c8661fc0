"""The spotlight of a presentation: a ring around the pointer, and everything farther away a little darker."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QCursor, QMouseEvent, QPainter, QPaintEvent, QPen, QRadialGradient
from PySide6.QtWidgets import QWidget

from attnviz.appearance import LIGHT, Theme

_DARKNESS = {"light": 90, "dark": 130}  # of 255
_SOFT_FROM = 0.72  # of the radius, up to which it is as light as without
_RADIUS_IN_LINES = 5.5


class Spotlight(QWidget):
    """A sheet over the whole window that no mouse event stops at."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window, self._theme = window, LIGHT
        self._place: QPoint | None = None
        self.setObjectName("spotlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    @property
    def place(self) -> QPoint | None:
        """Where the light is, in coordinates of the window; None while the pointer is elsewhere."""
        return self._place

    @property
    def radius(self) -> int:
        """How far the light reaches: it grows with the text."""
        return round(_RADIUS_IN_LINES * self.fontMetrics().height())

    def begin(self, theme: Theme) -> None:
        """Lie over the window and follow the pointer."""
        self._theme = theme
        if self.isHidden():
            self._window.installEventFilter(self)
            handle = self._window.windowHandle()
            if handle is not None:
                handle.installEventFilter(self)  # it hears every move, whichever widget is under the pointer
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.move_to(self._window.mapFromGlobal(QCursor.pos()))

    def end(self) -> None:
        """Put the light out."""
        self._window.removeEventFilter(self)
        handle = self._window.windowHandle()
        if handle is not None:
            handle.removeEventFilter(self)
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def move_to(self, place: QPoint) -> None:
        """Let the light fall there; outside of the window there is none."""
        before, self._place = self._place, place if self.rect().contains(place) else None
        if before is None or self._place is None:
            self.update()
        else:
            self.update(self._lit(before))
            self.update(self._lit(self._place))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow pointer and window; take nothing away from anybody."""
        kind = event.type()
        if isinstance(event, QMouseEvent) and watched is not self._window:
            if kind == QEvent.Type.MouseMove:
                self.move_to(self._window.mapFromGlobal(event.globalPosition().toPoint()))
        elif kind == QEvent.Type.Leave:
            self.move_to(QPoint(-1, -1))
        elif kind == QEvent.Type.Resize and watched is self._window:
            self.setGeometry(self._window.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Darken what is far from the pointer, and draw the ring."""
        if self._place is None:
            return
        dark = QColor(0, 0, 0, _DARKNESS[self._theme.name])
        light = QColor(0, 0, 0, 0)
        gradient = QRadialGradient(QPointF(self._place), float(self.radius))
        for share, colour in ((0.0, light), (_SOFT_FROM, light), (1.0, dark)):
            gradient.setColorAt(share, colour)
        ring = QColor(self._theme.accent)
        ring.setAlpha(150)
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.fillRect(event.rect(), gradient)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(ring, 2.0))
            reach = _SOFT_FROM * self.radius
            painter.drawEllipse(QPointF(self._place), reach, reach)

    def _lit(self, place: QPoint) -> QRect:
        reach = self.radius + 2
        return QRect(place.x() - reach, place.y() - reach, 2 * reach, 2 * reach)
