"""Beside a matrix: which command shapes it, the number that the command asks for, and the button that applies it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.matrix_edits import EDITABLE_MATRICES, EditableMatrix
from attnviz.document.matrix_shapes import MATRIX_OPERATIONS, MAX_SEED, MatrixOperation, needle_angle, rotation_angle
from attnviz.views.controls.gestures import Gestures
from attnviz.views.controls.icon_button import IconButton
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrices.angle_dial import AngleDial
from attnviz.views.matrices.turn import Turn
from attnviz.views.number_box import NumberBox

_FIRST, _ALWAYS = "rotation", "zeros"
_SEED = "Seed"


class OperationBar(QWidget):
    """The commands of one matrix.

    The dial turns the matrix while it is turned; every number in the box waits for the button.

    Parameters
    ----------
    matrix : EditableMatrix
        Which matrix is shaped.
    gestures : Gestures
        Numbers the gestures of the whole panel.

    Signals
    -------
    operation_requested : str, object, int
        The operation of a name is to be applied with a number or None; the last number names the gesture.
    matrix_turned : object, float, int
        The matrix is to be what it was when the gesture began, an array, turned by some degrees since then; the last
        number names the gesture.
    gesture_cancelled : int
        The gesture is to be taken back.
    refused : str
        One sentence why a typed number cannot be.
    """

    operation_requested = Signal(str, object, int)
    matrix_turned = Signal(object, float, int)
    gesture_cancelled = Signal(int)
    refused = Signal(str)

    def __init__(self, matrix: EditableMatrix, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gestures = gestures
        self._values = _first_values(matrix)
        self._array: FloatArray | None = None
        self._turn: Turn | None = None
        self.choice = QComboBox(self)
        self.choice.setAccessibleName(f"Command for {matrix.symbol}")
        for place, operation in enumerate(MATRIX_OPERATIONS.values()):
            self.choice.addItem(operation.label, operation.name)
            self.choice.setItemData(place, plain_tooltip(operation.help), Qt.ItemDataRole.ToolTipRole)
        self.choice.activated.connect(self._choose)
        self.apply_button = QPushButton("Apply", self)
        self.apply_button.setAccessibleName(f"Apply to {matrix.symbol}")
        self.apply_button.clicked.connect(self._apply)
        self._label, self._unit = QLabel(self), QLabel(self)
        self.box = NumberBox(1.0, self)
        self.box.number_entered.connect(self._take)
        self.box.refused.connect(self.refused)
        self.draw_button = IconButton("draw", "New draw", "takes the next seed and applies it", self)
        self.draw_button.clicked.connect(self._draw)
        self.dial = AngleDial(matrix.role, gestures, self)
        self.dial.setAccessibleName(f"Angle of {matrix.symbol}")
        self.dial.turned.connect(self._turn_to)
        self.dial.gesture_cancelled.connect(self.gesture_cancelled)
        self._lay_out()
        self.choose(_ALWAYS if matrix.is_vector else _FIRST)

    @property
    def operation(self) -> MatrixOperation:
        """The command that is chosen."""
        return MATRIX_OPERATIONS[str(self.choice.currentData())]

    def choose(self, name: str) -> None:
        """Choose a command, and apply nothing."""
        self.choice.setCurrentIndex(self.choice.findData(name))
        self._show_operation()

    def show_array(self, array: FloatArray) -> None:
        """Follow the matrix: its shape says which commands it can have, the dial shows where its first axis goes.

        A turn is let go when anything but it has changed the matrix.
        """
        if self._turn is not None and not self._turn.explains(array):
            self._turn = None
            self.dial.let_go()
        is_reshaped = self._array is None or self._array.shape != array.shape
        self._array = array
        if is_reshaped:
            self._offer(array.shape)
        self.dial.show_angle(needle_angle(array), is_true=rotation_angle(array) is not None)

    def sizeHint(self) -> QSize:
        """Give the least width: what is over belongs to the numbers beside."""
        return QSize(self.minimumSizeHint().width(), super().sizeHint().height())

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.dial.apply_theme(theme)
        self.draw_button.apply_theme(theme)

    # -- helpers

    def _lay_out(self) -> None:
        above, number = QHBoxLayout(), QHBoxLayout()
        for line in (above, number):
            line.setSpacing(8)
        above.addWidget(self.choice, 1)
        above.addWidget(self.apply_button)
        number.addWidget(self._label)
        number.addWidget(self.box, 1)
        number.addWidget(self._unit)
        number.addWidget(self.draw_button)
        number.addWidget(self.dial)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(above)
        column.addLayout(number)
        column.addStretch(1)
        self.choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(11)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def _offer(self, shape: tuple[int, ...]) -> None:
        """Grey the commands that a matrix of this shape cannot have, each with the reason."""
        entries = self.choice.model()
        assert isinstance(entries, QStandardItemModel)  # that of every plain list
        for place, operation in enumerate(MATRIX_OPERATIONS.values()):
            reason = operation.reason_against(shape)
            entries.item(place).setEnabled(not reason)
            entries.item(place).setToolTip(plain_tooltip(reason or operation.help))
        if self.operation.reason_against(shape):
            self.choose(_ALWAYS)

    def _choose(self) -> None:
        self._show_operation()

    def _show_operation(self) -> None:
        operation, parameter = self.operation, self.operation.parameter
        self.choice.setToolTip(plain_tooltip(operation.help))
        self.apply_button.setToolTip(plain_tooltip(operation.help))
        for widget in (self._label, self.box, self._unit):
            widget.setVisible(parameter is not None)
        self.draw_button.setVisible(parameter is not None and parameter.label == _SEED)
        self.dial.setVisible(operation.name == "rotation")
        if parameter is not None:
            self._label.setText(parameter.label)
            self._unit.setText(parameter.unit)
            self._unit.setVisible(bool(parameter.unit))
            self.box.setAccessibleName(parameter.label)
            self.box.setToolTip(plain_tooltip(parameter.help))
            self.box.use_step(parameter.step)
            self.box.show_number(self._values[operation.name])

    def _take(self, number: float) -> None:
        """Keep a number that was typed until it is applied."""
        operation = self.operation
        assert operation.parameter is not None
        try:
            operation.parameter.check(number)
        except DocumentError as error:
            self.box.show_refusal(str(error))
            self.refused.emit(str(error))
            return
        self._values[operation.name] = number
        self.box.show_number(number)

    def _turn_to(self, degrees: float, gesture: int) -> None:
        """Turn the matrix as it was when the gesture began; the box says how far."""
        assert self._array is not None
        if self._turn is None or self._turn.gesture != gesture:
            self._turn = Turn(gesture, self._array)
        self._turn.degrees = degrees
        self._values["rotation"] = degrees
        self.box.show_number(degrees)
        self.matrix_turned.emit(self._turn.start, degrees, gesture)

    def _draw(self) -> None:
        name = self.operation.name
        self._values[name] = (self._values[name] + 1.0) % (MAX_SEED + 1.0)
        self.box.show_number(self._values[name])
        self._apply()

    def _apply(self) -> None:
        name = self.operation.name
        self.operation_requested.emit(name, self._values.get(name), self._gestures.begin())


def _first_values(matrix: EditableMatrix) -> dict[str, float]:
    """Give the number each command begins with; every matrix has a seed of its own, so that no two are drawn alike."""
    place = float(list(EDITABLE_MATRICES).index(matrix.name))
    asked = {name: one.parameter for name, one in MATRIX_OPERATIONS.items() if one.parameter is not None}
    return {name: place if one.label == _SEED else one.first for name, one in asked.items()}
