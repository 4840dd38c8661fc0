"""The line below the plane: the chosen token's exact place, and buttons that fit view and plane."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from attnviz.document.frame import Frame
from attnviz.views.number_box import NumberBox
from attnviz.views.selection import Chosen
from attnviz.views.text_line import TextLine

_NUDGE = 0.01


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
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 4, 16, 8)
        layout.setSpacing(8)
        layout.addWidget(self.name)
        for letter, box in (("x", self.x_box), ("y", self.y_box)):
            label = TextLine(Qt.AlignmentFlag.AlignRight, QPalette.ColorRole.PlaceholderText, template="PC 1")
            label.show_text(letter)
            label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            self._axis_names.append(label)
            box.setAccessibleName(f"{letter} of the chosen token")
            box.setToolTip(f"The chosen token's place on the plane, {letter}; Up and Down change it by 0.01")
            box.setFixedWidth(box.fontMetrics().horizontalAdvance("-0.000000") + 28)
            layout.addWidget(label)
            layout.addWidget(box)
        layout.addStretch(1)
        layout.addWidget(self.refit_button)
        layout.addWidget(self.fit_button)
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
        self.refit_button.setVisible(plane is not None)
        for line, name in zip(self._axis_names, ("x", "y") if plane is None else ("PC 1", "PC 2"), strict=True):
            line.show_text(name)
        self.y_box.setEnabled(state.width > 1)

    def _enter_x(self, x: float) -> None:
        self.place_entered.emit(x, self._at[1])

    def _enter_y(self, y: float) -> None:
        self.place_entered.emit(self._at[0], y)
