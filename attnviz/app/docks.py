"""Docks that look like cards: a title bar of our own, moved by drag, maximised by double click."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from attnviz.views.panel import Panel
from attnviz.views.panels import PanelSpec

_MIDDLE = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_GAP = 12
_AROUND_SIGN = 10


class TitleText(QWidget):
    """A title in bold and a muted line after it, painted, so that a new text costs no layout."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = self._title = title
        self._subtitle = ""
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_title(self, title: str) -> None:
        """Show another title."""
        if title != self._title:
            self._title = title
            self.update()

    def show_subtitle(self, subtitle: str) -> None:
        """Show another line after the title."""
        if subtitle != self._subtitle:
            self._subtitle = subtitle
            self.update()

    def sizeHint(self) -> QSize:
        """One line high."""
        return QSize(80, self.fontMetrics().height() + 8)

    def minimumSizeHint(self) -> QSize:
        """Wide enough for the panel's name; a longer title and the line after it elide."""
        return QSize(self._fonts[1].horizontalAdvance(self._name) + _GAP, self.fontMetrics().height() + 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw both parts, the subtitle in what room the title leaves."""
        bold, bold_metrics, metrics = self._fonts
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            palette, width, height = self.palette(), self.width(), self.height()
            title, subtitle = self._title, self._subtitle
            used = bold_metrics.horizontalAdvance(title)
            if used > width:
                title = bold_metrics.elidedText(title, Qt.TextElideMode.ElideRight, width)
            painter.setFont(bold)
            painter.setPen(palette.color(QPalette.ColorRole.WindowText))
            painter.drawText(0, 0, width, height, _MIDDLE, title)
            room = width - used - _GAP
            if not subtitle or room < _GAP:
                return
            if metrics.horizontalAdvance(subtitle) > room:
                subtitle = metrics.elidedText(subtitle, Qt.TextElideMode.ElideRight, room)
            painter.setFont(self.font())
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(used + _GAP, 0, room, height, _MIDDLE, subtitle)

    def changeEvent(self, event: QEvent) -> None:
        """Forget the fonts when they change."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.__dict__.pop("_fonts", None)
            self.updateGeometry()

    @cached_property
    def _fonts(self) -> tuple[QFont, QFontMetrics, QFontMetrics]:
        bold = QFont(self.font())
        bold.setBold(True)
        return bold, QFontMetrics(bold), QFontMetrics(self.font())


class TitleBar(QWidget):
    """The title of a dock, a muted line beside it, and two small buttons.

    Signals
    -------
    double_clicked : (nothing)
        The panel is to be maximised or brought back.
    """

    double_clicked = Signal()

    def __init__(self, title: str, tools: QWidget | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card_title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._is_held = False
        self.text = TitleText(title)
        self.maximise = _button("▢", f"Maximise {title} (double click on the title)")
        self.hide_button = _button("✕", f"Hide {title}; the View menu brings it back")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 8, 4)
        layout.setSpacing(4)
        layout.addWidget(self.text, 1)
        if tools is not None:
            layout.addWidget(tools)
            layout.addSpacing(8)
        layout.addWidget(self.maximise)
        layout.addWidget(self.hide_button)
        self.maximise.clicked.connect(self.double_clicked)

    def hold(self, is_held: bool) -> None:
        """Offer no other place for the panel, or offer it again: in a presentation everything has its place."""
        self._is_held = is_held
        self.maximise.setVisible(not is_held)
        self.hide_button.setVisible(not is_held)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask to be maximised, instead of floating."""
        event.accept()
        if not self._is_held:
            self.double_clicked.emit()


class PanelDock(QDockWidget):
    """One panel in its dock.

    Signals
    -------
    maximise_requested : str
        The panel of this name is to fill the window, or to go back to its place.
    closed : (nothing)
        The user closed the panel, by its button or the menu.
    about_to_appear : str
        The panel of this name was hidden and will be shown next; it can still be put elsewhere first.
    """

    maximise_requested = Signal(str)
    about_to_appear = Signal(str)
    closed = Signal()

    def __init__(self, spec: PanelSpec, panel: Panel, parent: QWidget) -> None:
        super().__init__(spec.title, parent)
        self.spec, self.panel = spec, panel
        self.setObjectName(spec.name)
        self.bar = TitleBar(spec.title, panel.tools, self)
        self.setTitleBarWidget(self.bar)
        body = QWidget(self)
        body.setObjectName("card_body")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(1, 0, 1, 8)
        layout.addWidget(panel)
        self.setWidget(body)
        self.setWhatsThis(spec.help)
        self.bar.text.show_subtitle(panel.subtitle)
        panel.subtitle_changed.connect(self.bar.text.show_subtitle)
        title_changed = getattr(panel, "title_changed", None)
        if title_changed is not None:
            title_changed.connect(self.bar.text.show_title)
        self.bar.double_clicked.connect(self._ask_to_maximise)
        self.bar.hide_button.clicked.connect(self.close)

    @property
    def is_in_front(self) -> bool:
        """Whether it can be seen: shown, and not behind another one in the same place."""
        return not self.isHidden() and not self.visibleRegion().isEmpty()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell that the user closed the panel; what the program hides is not closed."""
        super().closeEvent(event)
        self.closed.emit()

    def hold(self, is_held: bool) -> None:
        """Keep it where it is, or let the user move, close and maximise it again."""
        features = QDockWidget.DockWidgetFeature
        usual = features.DockWidgetClosable | features.DockWidgetMovable | features.DockWidgetFloatable
        self.setFeatures(features.NoDockWidgetFeatures if is_held else usual)
        self.bar.hold(is_held)

    def ask_again(self) -> None:
        """Take what the panel needs now for the least size; Qt waits with that while the dock is behind another one."""
        if self.isVisible():
            self.setMinimumHeight(0)  # what Qt asked for before counts as asked for by us
            for arrangement in (self.widget().layout(), self.layout()):
                if arrangement is not None:
                    arrangement.invalidate()
                    arrangement.activate()

    def setVisible(self, visible: bool) -> None:
        """Show or hide it; tell before it is shown."""
        if visible and self.isHidden():
            self.about_to_appear.emit(self.spec.name)
        super().setVisible(visible)

    def _ask_to_maximise(self) -> None:
        self.maximise_requested.emit(self.spec.name)


class _SignButton(QToolButton):
    """A button that is hardly wider than its sign; Qt leaves the room of two letters around it."""

    def sizeHint(self) -> QSize:
        sign, height = self.fontMetrics().horizontalAdvance(self.text()), super().sizeHint().height()
        return QSize(max(sign + _AROUND_SIGN, height), height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def _button(sign: str, tip: str) -> QToolButton:
    button = _SignButton()
    button.setObjectName("title_button")
    button.setText(sign)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoRaise(True)
    return button
