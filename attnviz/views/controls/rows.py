"""One row of the control panel for each kind of scalar: a number with its slider, a choice, a switch."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.errors import DocumentError
from attnviz.document.scalars import Kind, Scalar, ScalarValue
from attnviz.views.controls.gestures import Gestures
from attnviz.views.controls.head_line import HeadLine
from attnviz.views.controls.icon_button import IconButton
from attnviz.views.controls.log_slider import LogSlider
from attnviz.views.controls.toggle_switch import ToggleSwitch
from attnviz.views.hints import plain_tooltip
from attnviz.views.number_box import NumberBox
from attnviz.views.segments import Segments

_BOX_CHARACTERS = 7
_BOX_PADDING = 24
_MOST_SEGMENTS = 5
_LONGEST_SEGMENTS = 24


class ScalarRow(QWidget):
    """The base of the rows.

    Parameters
    ----------
    scalar : Scalar
        What the row is for.
    gestures : Gestures
        Counts the gestures of the panel.

    Signals
    -------
    changed : str, object, int
        The user wants the scalar of this key to have this value; the last number names the gesture.
    touched : (nothing)
        The user took hold of the row, whether or not the value changes.
    refused : str
        One sentence why a typed value was not taken.
    """

    changed = Signal(str, object, int)
    touched = Signal()
    refused = Signal(str)

    def __init__(self, scalar: Scalar, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scalar = scalar
        self.value: ScalarValue | None = None
        self.default: ScalarValue | None = None
        self._gestures = gestures
        self.setWhatsThis(_whats_this(scalar))

    def show_state(self, value: ScalarValue, default: ScalarValue) -> None:
        """Show a value, and know the one that reset brings back; emits nothing."""
        if value != self.value or default != self.default:
            self.value, self.default = value, default
            self.show_value(value)

    def want(self, value: ScalarValue, gesture: int) -> None:
        """Ask for a value, and stand where the document is afterwards, should it have refused it."""
        before = self.value
        self.changed.emit(self.scalar.key, value, gesture)
        if self.value is not None and self.value == before:
            self.show_value(self.value)

    def show_value(self, value: ScalarValue) -> None:
        """Set the widgets; to be overridden."""

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; to be overridden."""


class NumberRow(ScalarRow):
    """A label, a button that resets, a box to type in, and under them the slider if the scalar has one."""

    def __init__(self, scalar: Scalar, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(scalar, gestures, parent)
        self.box = NumberBox(scalar.step, self, name=scalar.key)
        self.reset_button = IconButton("reset", f"Reset {scalar.label}", "brings back the usual value.", self)
        self.slider = _slider(scalar, self)
        self._gesture = 0
        self._is_typed = False
        self._place_widgets()
        self._describe()
        self._fit_box()
        self.box.number_entered.connect(self._enter)
        self.box.textEdited.connect(self._type)
        self.box.refused.connect(self.refused)
        self.reset_button.clicked.connect(self._reset)
        if self.slider is not None:
            self.slider.number_moved.connect(self._move)
            self.slider.sliderPressed.connect(self._press)
            self.slider.sliderReleased.connect(self._release)

    def add_button(self, button: IconButton) -> None:
        """Put a further button before the one that resets."""
        self._tail.insertWidget(0, button)
        for first, second in ((self.box, button), (button, self.reset_button), (self.reset_button, self.box)):
            QWidget.setTabOrder(first, second)

    def show_value(self, value: ScalarValue) -> None:
        """Set box and slider; a value beyond the slider puts it at its end."""
        self.box.show_number(float(value))
        self.reset_button.setEnabled(value != self.default)
        if self.slider is not None:
            self.slider.show_number(float(value))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for button in self.findChildren(IconButton):
            button.apply_theme(theme)
        if self.slider is not None:
            self.slider.apply_theme(theme)

    def changeEvent(self, event: QEvent) -> None:
        """Keep the box as wide as its digits."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_box()

    def _fit_box(self) -> None:
        self.box.setFixedWidth(self.box.fontMetrics().horizontalAdvance("0") * _BOX_CHARACTERS + _BOX_PADDING)

    def _place_widgets(self) -> None:
        self._label = _label(self.scalar.label, self)
        self._label.setBuddy(self.box)
        tail = QWidget(self)
        self._tail = QHBoxLayout(tail)
        self._tail.setContentsMargins(0, 0, 0, 0)
        self._tail.setSpacing(2)
        self._tail.addWidget(self.reset_button)
        self._tail.addWidget(self.box)
        QWidget.setTabOrder(self.reset_button, self.box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(HeadLine(self._label, tail, self))
        if self.slider is not None:
            column.addWidget(self.slider)
            QWidget.setTabOrder(self.box, self.slider)

    def _describe(self) -> None:
        scalar = self.scalar
        keys = "Up and Down step, with Shift ten times as far."
        self.box.setToolTip(plain_tooltip(f"{scalar.help}\nType a number; {keys}"))
        self.box.setAccessibleName(scalar.label)
        self.box.setAccessibleDescription(scalar.help)
        self._label.setToolTip(plain_tooltip(scalar.help))
        if self.slider is not None:
            self.slider.setAccessibleName(f"{scalar.label}, slider")
            self.slider.setAccessibleDescription(scalar.help)
            self.slider.setToolTip(plain_tooltip(f"{scalar.help}\nArrow keys step, Page Up and Page Down ten times."))

    def _type(self) -> None:
        self._is_typed = True
        self.touched.emit()

    def _enter(self, number: float) -> None:
        """Take a number from the box: a typed one is a gesture of its own, steps come in bursts."""
        gesture = self._gestures.begin() if self._is_typed else self._gestures.burst(f"{self.scalar.key} box")
        self._is_typed = False
        try:
            value = self.scalar.check(number)
        except DocumentError as error:
            self.box.show_refusal(str(error))
            self.refused.emit(str(error))
            return
        self.want(value, gesture)

    def _press(self) -> None:
        self._gesture = self._gestures.begin()
        self.touched.emit()

    def _release(self) -> None:
        """Stand where the document is, should it have refused a number."""
        if self.slider is not None and self.value is not None:
            self.slider.show_number(float(self.value))

    def _move(self, number: float) -> None:
        is_held = self.slider is not None and self.slider.isSliderDown()
        gesture = self._gesture if is_held else self._gestures.burst(f"{self.scalar.key} slider")
        self.changed.emit(self.scalar.key, self.scalar.check(number), gesture)

    def _reset(self) -> None:
        self.touched.emit()
        if self.default is not None:
            self.changed.emit(self.scalar.key, self.default, self._gestures.begin())


class ChoiceRow(ScalarRow):
    """A label over buttons side by side; beside a list to unfold where the choices are many or long."""

    def __init__(self, scalar: Scalar, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(scalar, gestures, parent)
        options = short_options(scalar.choices)
        length = sum(len(label) for _, label, _ in options)
        self.segments: Segments | None = None
        self.list: QComboBox | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        label = _label(scalar.label, self)
        label.setToolTip(plain_tooltip(scalar.help))
        if len(options) <= _MOST_SEGMENTS and length <= _LONGEST_SEGMENTS:
            self.segments = Segments(options, self)
            self.segments.chosen.connect(self._choose)
            for button in self.segments.findChildren(QToolButton):
                button.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
            chooser: QWidget = self.segments
            column.addWidget(label)
            column.addWidget(chooser)
        else:
            chooser = self.list = _unfolding_list(options, self)
            self.list.setToolTip(plain_tooltip(scalar.help))
            self.list.activated.connect(self._choose_at)
            column.addWidget(HeadLine(label, chooser, self))
        chooser.setAccessibleName(scalar.label)
        chooser.setAccessibleDescription(scalar.help)
        label.setBuddy(chooser)

    def show_value(self, value: ScalarValue) -> None:
        """Press the button of the choice."""
        if self.segments is not None:
            self.segments.show_choice(str(value))
        elif self.list is not None:
            self.list.setCurrentIndex(self.list.findData(value))

    def _choose(self, name: str) -> None:
        self.touched.emit()
        if name != self.value:
            self.want(name, self._gestures.begin())

    def _choose_at(self, index: int) -> None:
        self._choose(self.scalar.choices[index][0])


class SwitchRow(ScalarRow):
    """A switch with its label."""

    def __init__(self, scalar: Scalar, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(scalar, gestures, parent)
        self.switch = ToggleSwitch(scalar.label, self)
        self.switch.setToolTip(plain_tooltip(f"{scalar.help}\nSpace switches."))
        self.switch.setAccessibleDescription(scalar.help)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.switch)
        self.switch.clicked.connect(self._switch)

    def show_value(self, value: ScalarValue) -> None:
        """Set the switch."""
        self.switch.setChecked(bool(value))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.switch.apply_theme(theme)

    def _switch(self, is_on: bool) -> None:
        self.touched.emit()
        self.want(is_on, self._gestures.begin())


ROWS: dict[Kind, type[ScalarRow]] = {
    "number": NumberRow,
    "count": NumberRow,
    "choice": ChoiceRow,
    "switch": SwitchRow,
}


def short_options(choices: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Name factors by what they divide by, as the label over them says that it divides; other choices stay.

    Examples
    --------
    >>> [label for _, label, _ in short_options((("none", "None", ""), ("d_k", "1/d_k", "")))]
    ['1', 'd_k']
    >>> [label for _, label, _ in short_options((("none", "None", ""), ("window", "Window", "")))]
    ['None', 'Window']
    """
    if not any(label.startswith("1/") for _, label, _ in choices):
        return list(choices)
    return [(name, "1" if label == "None" else label.removeprefix("1/"), help_) for name, label, help_ in choices]


def _whats_this(scalar: Scalar) -> str:
    """Explain a scalar, and each of its choices."""
    options = short_options(scalar.choices)
    return plain_tooltip("\n".join([scalar.help, *(f"{label}: {explanation}" for _, label, explanation in options)]))


def _label(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _slider(scalar: Scalar, parent: QWidget) -> LogSlider | None:
    if scalar.slider is None:
        return None
    return LogSlider(
        *scalar.slider,
        step=scalar.step,
        is_logarithmic=scalar.is_logarithmic,
        is_whole=scalar.kind == "count",
        parent=parent,
    )


def _unfolding_list(options: list[tuple[str, str, str]], parent: QWidget) -> QComboBox:
    chooser = QComboBox(parent)
    for index, (name, label, explanation) in enumerate(options):
        chooser.addItem(label, name)
        chooser.setItemData(index, plain_tooltip(explanation), Qt.ItemDataRole.ToolTipRole)
    return chooser
