"""The line below the plane, or two: the chosen token's exact place, and buttons that fit view and plane."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from attnviz.document.frame import Frame
from attnviz.views.number_box import NumberBox
from attnviz.views.selection import Chosen
from attnviz.views.text_line import TextLine

_NUDGE = 0.01
_MARGIN, _GAP = 16, 8
_DIGITS, _LEAST_DIGITS = 9, 8
_AROUND_DIGITS, _LEAST_AROUND = 28, 22


class PlaneFooter(QWidget):
    """Two number boxes and two buttons.

    Signals
    -------
    place_entered : float, float
        The chosen token is to be drawn at (x, y).
    fit_requested : (nothing)
        Everything is to be shown.
    refit_requested : (nothing)
        The plane is to be fitted anew.
    refused : str
        One sentence why a typed number was not taken.
    """

    place_entered = Signal(float, float)
    fit_requested = Signal()
    refit_requested = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._at = (0.0, 0.0)
        self.name = TextLine(is_bold=True, template="mmmmmm")
        self.x_box, self.y_box = NumberBox(_NUDGE, self), NumberBox(_NUDGE, self)
        self.refit_button = QPushButton("Refit")
        self.refit_button.setToolTip("Fit the plane anew to the principal components of the embeddings")
        self.fit_button = QPushButton("Fit")
        self.fit_button.setToolTip("Show every token (F)")
        self._axis_names: list[TextLine] = []
        self._places, self._buttons = QWidget(self), QWidget(self)
        self._fill_places()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(_GAP)
        buttons.addWidget(self.refit_button)
        buttons.addWidget(self.fit_button)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(_MARGIN, 4, _MARGIN, 8)
        self._grid.setSpacing(_GAP)
        self._grid.setColumnStretch(0, 1)
        self._is_folded: bool | None = None
        self._fold(is_narrow=False)
        self.x_box.number_entered.connect(self._enter_x)
        self.y_box.number_entered.connect(self._enter_y)
        self.x_box.refused.connect(self.refused)
        self.y_box.refused.connect(self.refused)
        self.fit_button.clicked.connect(self.fit_requested)
        self.refit_button.clicked.connect(self.refit_requested)

    def show_frame(self, frame: Frame, chosen: Chosen) -> None:
        """Show the chosen token's place."""
        state = frame.state
        tokens = state.context if chosen.side == "context" and state.context is not None else state.sequence
        index = min(chosen.token, len(tokens) - 1)
        x, y = state.points(tokens.embeddings[index : index + 1])[0].tolist()
        self._at = (x, y)
        self.x_box.show_number(x)
        self.y_box.show_number(y)
        self.name.show_text(tokens.tokens[index])
        plane = state.plane
        if self.refit_button.isHidden() != (plane is None):
            self.refit_button.setHidden(plane is None)
            self._fold_where_narrow()
        for line, name in zip(self._axis_names, ("x", "y") if plane is None else ("PC 1", "PC 2"), strict=True):
            line.show_text(name)
        self.y_box.setEnabled(state.width > 1)

    def minimumSizeHint(self) -> QSize:
        """Give the width of two lines, and the height of what there is now."""
        above = self.name.minimumSizeHint().width() + _GAP + self._buttons.minimumSizeHint().width()
        return QSize(
            max(above, self._places.minimumSizeHint().width()) + 2 * _MARGIN, super().minimumSizeHint().height()
        )

    def event(self, event: QEvent) -> bool:
        """Fold or unfold when the parts ask for another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fold_where_narrow()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use two lines where one is too short."""
        super().resizeEvent(event)
        self._fold_where_narrow()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the boxes as wide as their digits."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_boxes()

    def _fit_boxes(self) -> None:
        for box in (self.x_box, self.y_box):
            metrics = box.fontMetrics()
            box.setMinimumWidth(metrics.horizontalAdvance("0" * _LEAST_DIGITS) + _LEAST_AROUND)
            box.setMaximumWidth(metrics.horizontalAdvance("0" * _DIGITS) + _AROUND_DIGITS)

    def _fill_places(self) -> None:
        self._places.setBackgroundRole(QPalette.ColorRole.Base)
        self._places.setAutoFillBackground(True)  # opaque: in a drag the boxes change, and nothing behind them
        line = QHBoxLayout(self._places)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(_GAP)
        for letter, box in (("x", self.x_box), ("y", self.y_box)):
            label = TextLine(Qt.AlignmentFlag.AlignRight, QPalette.ColorRole.PlaceholderText, template="PC 1")
            label.show_text(letter)
            label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            self._axis_names.append(label)
            box.setAccessibleName(f"{letter} of the chosen token")
            box.setToolTip(f"The chosen token's place on the plane, {letter}; Up and Down change it by 0.01")
            line.addWidget(label)
            line.addWidget(box, 1)
        self._fit_boxes()

    def _fold_where_narrow(self) -> None:
        labels = sum(label.sizeHint().width() for label in self._axis_names)
        places = labels + self.x_box.minimumWidth() + self.y_box.minimumWidth() + 3 * _GAP
        shown = [button for button in (self.refit_button, self.fit_button) if not button.isHidden()]
        buttons = sum(button.sizeHint().width() for button in shown) + (len(shown) - 1) * _GAP
        whole = self.name.minimumSizeHint().width() + places + buttons
        self._fold(is_narrow=self.width() < whole + 2 * _GAP + 2 * _MARGIN)

    def _fold(self, *, is_narrow: bool) -> None:
        if is_narrow == self._is_folded:
            return
        self._is_folded = is_narrow
        for part in (self.name, self._places, self._buttons):
            self._grid.removeWidget(part)
        self._grid.addWidget(self.name, 0, 0)
        if is_narrow:
            self._grid.addWidget(self._buttons, 0, 1)
            self._grid.addWidget(self._places, 1, 0, 1, 2)
        else:
            self._grid.addWidget(self._places, 0, 1)
            self._grid.addWidget(self._buttons, 0, 2)

    def _enter_x(self, x: float) -> None:
        self.place_entered.emit(x, self._at[1])

    def _enter_y(self, y: float) -> None:
        self.place_entered.emit(self._at[0], y)
