"""The control panel: a row for every scalar of the state, made from its description, and the live multiplier."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.document.scalars import Scalar
from attnviz.document.state import SCALARS, State
from attnviz.views.controls.gestures import Gestures
from attnviz.views.controls.head_line import HeadLine
from attnviz.views.controls.icon_button import IconButton
from attnviz.views.controls.rows import ROWS, NumberRow, ScalarRow
from attnviz.views.controls.sweep import Sweep
from attnviz.views.controls.usual_values import usual_value
from attnviz.views.hints import plain_tooltip
from attnviz.views.linked_number import LinkedNumber, NumberLine
from attnviz.views.numbers import number_text
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen, Selection

_SWEPT = "temperature"
_WIDTH = "d_k"
_DRAWN_BY_BUTTON = "seed"
_NAMED = ("temperature", "d_k", "custom_multiplier")  # the scalars that are kinds of numbers
_MARGIN = 16
_WIDEST_NEED, _WIDEST_WITH_LARGE_TEXT, _WIDE_LINES = 296, 350, 15.5
_LEAST_LINES, _LINES_BESIDE_MULTIPLIER = 4, 6
_SCALARS_OF = attrgetter(*SCALARS)
_MULTIPLIER_HELP = plain_tooltip(
    "The one number that every dot product is multiplied by before the softmax. Temperature and scale rule act "
    "through it alone: the larger it is, the farther apart the scores stand and the sharper the weights become."
)
_MULTIPLIER_TIP = "What the dot products are multiplied by before the softmax."
_SHARED_IN_SWEEP = ("sequence", "context", "w_q", "w_k", "w_v", "plane")


class ControlsView(Panel):
    """The control panel.

    Signals
    -------
    scalar_changed : str, object, int
        The scalar of this key is to have this value; the last number names the gesture: the same one for a drag of a
        slider, a burst of key strokes or a whole sweep.
    redraw_requested : (nothing)
        Other columns are to be drawn beyond the written ones.
    sweep_changed : bool
        The sweep of the temperature began or ended.
    """

    scalar_changed = Signal(str, object, int)
    redraw_requested = Signal()
    sweep_changed = Signal(bool)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self._gestures = Gestures(self)
        self._gesture = 0
        self._shown: State | None = None
        self._scalars: tuple[object, ...] = ()
        self._swept = (0.0, 0.0)  # the last two temperatures of the sweep: a frame may lag one behind
        low, high = SCALARS[_SWEPT].slider or (0.01, 100.0)
        self._sweep = Sweep(low, high, self)
        self.rows: dict[str, ScalarRow] = {}
        self._column = self._scrolled_column()
        for name, scalar in SCALARS.items():
            if name != _DRAWN_BY_BUTTON and not scalar.group:
                self._add_row(name, scalar)
        self._column.addStretch(1)
        self._add_multiplier()
        self._add_redraw()
        self._add_sweep()
        self._linked = [LinkedNumber(self, self._multiplier, "multiplier")]
        self._linked[0].ref = NumberRef("multiplier")
        for name in _NAMED:
            link = LinkedNumber(self, _number_row(self.rows[name]).box)
            link.ref = NumberRef(name)
            self._linked.append(link)

    def show_frame(self, frame: Frame) -> None:
        """Set what differs from what is shown."""
        state = frame.state
        self._stop_if_disturbed(state)
        self._shown = state
        scalars = (*_SCALARS_OF(state), state.w_q.shape)
        if scalars != self._scalars:  # in a drag they are not: one comparison is all
            self._scalars = scalars
            self._show_scalars(frame)

    def show_selection(self, chosen: Chosen) -> None:
        """Light the number that is pointed at, and frame the pinned one."""
        for link in self._linked:
            link.show_chosen(chosen)

    def focused_number(self) -> NumberRef | None:
        """Give the number that the keyboard is at."""
        return next((link.ref for link in self._linked if link.has_focus), None)

    @property
    def lit(self) -> frozenset[NumberRef]:
        """The numbers that are lit."""
        return frozenset(link.ref for link in self._linked if link.is_lit and link.ref is not None)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for row in self.rows.values():
            row.apply_theme(theme)

    def step(self, name: str, by: int) -> None:
        """Move a number by so many of its steps, as the arrow keys in its box do."""
        _number_row(self.rows[name]).box.step_by(by)

    def reset(self, name: str) -> None:
        """Bring the usual value of a number back."""
        _number_row(self.rows[name]).reset_button.click()

    def toggle_sweep(self) -> None:
        """Start the sweep of the temperature at where it is, or stop it."""
        if self._sweep.is_running:
            self._sweep.stop()
        elif self.frame is not None:
            temperature = self.frame.state.temperature
            self._gesture = self._gestures.begin()
            self._swept = (temperature, temperature)
            self._sweep.start(temperature)

    def stop_sweep(self) -> None:
        """Stop the sweep, if it runs."""
        self._sweep.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the sweep: nobody sees it any more."""
        super().hideEvent(event)
        self._sweep.stop()

    def changeEvent(self, event: QEvent) -> None:
        """Ask for another width when the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Give the size at which nothing is scrolled."""
        rows, below = self._content.sizeHint(), self._below.sizeHint()
        return QSize(max(rows.width(), below.width()), rows.height() + below.height())

    def minimumSizeHint(self) -> QSize:
        """Give the width of the rows, and a height of which the rest is scrolled."""
        margins = self._column.contentsMargins()
        beside = 2 * _MARGIN - margins.left() - margins.right()
        flat = self._content.sizeHint().width() + beside  # with every head on one line, which saves height
        line = self.fontMetrics().height()
        widest = max(_WIDEST_NEED, min(round(_WIDE_LINES * line), _WIDEST_WITH_LARGE_TEXT))
        width = max(self._content.minimumSizeHint().width() + beside, min(flat, widest))
        return QSize(width, round(_LEAST_LINES * line))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the height to the rows where it is short; the title then says the multiplier."""
        super().resizeEvent(event)
        below = self._below.minimumSizeHint().height()
        is_low = self.height() < _LINES_BESIDE_MULTIPLIER * self.fontMetrics().height() + below
        if is_low != self._below.isHidden():
            self._below.setVisible(not is_low)
            self._say_multiplier()

    def _say_multiplier(self) -> None:
        self.set_subtitle(self._multiplier.text.replace("multiplier", "×") if self._below.isHidden() else "")

    def _scrolled_column(self) -> QVBoxLayout:
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        column.setSpacing(6)
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._content)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._make_room_for_bar)
        for transparent in (self._scroll.viewport(), self._content):
            transparent.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(4)
        outer.addWidget(self._scroll, 1)
        self._below = QWidget(self)  # stays in sight while the rows are scrolled
        outer.addWidget(self._below)
        return column

    def _make_room_for_bar(self, _lowest: int, highest: int) -> None:
        """Let the scroll bar stand in the margin, so that the rows are as wide with it as without."""
        bar = self._scroll.verticalScrollBar().sizeHint().width() if highest else 0
        beside = max(0, _MARGIN - bar)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self._column.setContentsMargins(beside if is_mirrored else _MARGIN, 0, _MARGIN if is_mirrored else beside, 0)

    def _add_row(self, name: str, scalar: Scalar) -> None:
        row = ROWS[scalar.kind](scalar, self._gestures, self)
        row.changed.connect(self.scalar_changed)
        row.refused.connect(self.refused)
        row.touched.connect(self.stop_sweep)
        row.setVisible(scalar.shown_when is None)
        self.rows[name] = row
        self._column.addWidget(row)

    def _add_multiplier(self) -> None:
        """Put the live multiplier under the rows, out of what is scrolled."""
        self._formula = QLabel(self)
        self._formula.setObjectName("muted")
        self._formula.setTextFormat(Qt.TextFormat.PlainText)
        self._formula.setToolTip(_MULTIPLIER_TIP)
        self._multiplier = NumberLine(Qt.AlignmentFlag.AlignRight, template="multiplier 0.000e", tip=_MULTIPLIER_TIP)
        place = QVBoxLayout(self._below)
        place.setContentsMargins(_MARGIN, 0, _MARGIN, 4)
        place.addWidget(HeadLine(self._formula, self._multiplier, self._below))
        self._below.setWhatsThis(_MULTIPLIER_HELP)

    def _add_redraw(self) -> None:
        explanation = "draws other columns for the part of d_k beyond the written ones."
        self.redraw_button = IconButton("draw", "New draw", explanation, self)
        self.redraw_button.clicked.connect(self._redraw)
        _number_row(self.rows[_WIDTH]).add_button(self.redraw_button)

    def _add_sweep(self) -> None:
        self.sweep_button = IconButton("play", "Auto-play T", "sweeps the temperature up and down.", self)
        self.sweep_button.setCheckable(True)
        self.sweep_button.clicked.connect(self.toggle_sweep)
        _number_row(self.rows[_SWEPT]).add_button(self.sweep_button)
        self._sweep.number_reached.connect(self._follow_sweep)
        self._sweep.running_changed.connect(self._show_running)

    def _show_scalars(self, frame: Frame) -> None:
        state = frame.state
        for name, row in self.rows.items():
            row.show_state(getattr(state, name), usual_value(name, state))
            needed = row.scalar.shown_when
            if needed is not None:
                is_wanted = getattr(state, needed[0]) in needed[1]
                if row.isHidden() == is_wanted:
                    row.setVisible(is_wanted)
        self.redraw_button.setEnabled(state.n_heads * state.d_k > state.w_q.shape[1])
        _set_text(self._formula, multiplier_formula(SCALARS["scale"], state.scale))
        self._multiplier.show_text(f"multiplier {number_text(frame.multiplier)}")
        self._say_multiplier()

    def _follow_sweep(self, number: float) -> None:
        self._swept = (self._swept[1], number)
        self.scalar_changed.emit(SCALARS[_SWEPT].key, number, self._gesture)

    def _show_running(self, is_running: bool) -> None:
        self.sweep_button.setChecked(is_running)
        self.sweep_button.show_sign("pause" if is_running else "play")
        self.sweep_changed.emit(is_running)

    def _redraw(self) -> None:
        self.redraw_requested.emit()

    def _stop_if_disturbed(self, state: State) -> None:
        """Stop the sweep when another hand changes the document, so that each of them has its own entry to undo."""
        if not self._sweep.is_running or self._shown is None:
            return
        is_same = all(getattr(state, name) is getattr(self._shown, name) for name in _SHARED_IN_SWEEP)
        others = (name for name in SCALARS if name != _SWEPT)
        is_same = is_same and all(getattr(state, name) == getattr(self._shown, name) for name in others)
        if state.temperature not in self._swept or not is_same:
            self._sweep.stop()


def multiplier_formula(scale: Scalar, rule: str) -> str:
    """Write the formula of the multiplier under a scale rule.

    Parameters
    ----------
    scale : Scalar
        The choice among the rules; their labels are the factors.
    rule : str
        The name of the one in force.

    Examples
    --------
    >>> [multiplier_formula(SCALARS["scale"], rule) for rule in ("none", "sqrt_d_k", "d_k", "custom")]
    ['1/T', '1/(T·√d_k)', '1/(T·d_k)', 'm/T']
    """
    label = next(label for name, label, _ in scale.choices if name == rule)
    if label.startswith("1/"):
        return f"1/(T·{label.removeprefix('1/')})"
    return "m/T" if rule == "custom" else "1/T"


def _number_row(row: ScalarRow) -> NumberRow:
    if not isinstance(row, NumberRow):
        raise TypeError(f"{row.scalar.key} must be a number, got a {row.scalar.kind}")
    return row


def _set_text(label: QLabel, text: str) -> None:
    if label.text() != text:
        label.setText(text)
