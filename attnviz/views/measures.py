"""Which measures stand beside the weights: their gutters, the switch that chooses them, and their numbers in words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from attnviz.document.frame import Frame
from attnviz.document.measures import MEASURES, SHOWN_FIRST, Measure, MeasureAxis
from attnviz.document.number_ref import NumberRef
from attnviz.views.matrix.picture import Gutter
from attnviz.views.numbers import number_text

_NAME, _SIGN = "Measures", "Σ"


class MeasureSwitch(QToolButton):
    """A button with a menu in which each measure is switched on and off.

    Attributes
    ----------
    measure_actions : tuple of QAction
        One checkable action a measure, for other menus too.
    names : tuple of str
        The measures that are switched on, in the order of the table.

    Signals
    -------
    measures_chosen : object
        The user chose the measures of these names, a tuple in the order of the table.
    """

    measures_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("menu_button")
        self.setText(_NAME)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        explanation = "Choose what is measured of each row and column of the weights"
        self.setToolTip(explanation)
        self.setAccessibleName("Measures")
        self.setAccessibleDescription(explanation)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.names: tuple[str, ...] = ()
        menu = QMenu(self)
        menu.setObjectName("menu_measures_of_weights")
        menu.setToolTipsVisible(True)
        self.measure_actions = tuple([self._action(measure) for measure in MEASURES.values()])
        menu.addActions(list(self.measure_actions))
        self.setMenu(menu)
        self.show_measures(SHOWN_FIRST)

    def show_measures(self, names: Iterable[str]) -> None:
        """Switch these measures on and all others off; emits nothing."""
        wanted = set(names)
        for action in self.measure_actions:
            action.setChecked(action.data() in wanted)

    def sizeHint(self) -> QSize:
        """Give the room for the whole name, whatever is shown now."""
        return self._size_for(_NAME)

    def minimumSizeHint(self) -> QSize:
        """Give the room for the sign that stands for the name in a narrow title bar."""
        return self._size_for(_SIGN)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the name where it fits, else the sign."""
        super().resizeEvent(event)
        self.setText(_NAME if self.width() >= self.sizeHint().width() else _SIGN)

    def _size_for(self, text: str) -> QSize:
        metrics, mnemonic = self.fontMetrics(), Qt.TextFlag.TextShowMnemonic  # Qt rounds the width of a text so
        more = metrics.size(mnemonic, text).width() - metrics.size(mnemonic, self.text()).width()
        return super().sizeHint() + QSize(more, 0)

    def _action(self, measure: Measure) -> QAction:
        action = QAction(measure.label, self, checkable=True)
        action.setObjectName(f"measure_{measure.name}")
        action.setStatusTip(measure.meaning)
        action.setToolTip(measure.tip)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setData(measure.name)
        action.toggled.connect(self._read_names)
        action.triggered.connect(self._tell)
        return action

    def _read_names(self) -> None:
        """Keep the names: every frame asks for them."""
        self.names = tuple([str(action.data()) for action in self.measure_actions if action.isChecked()])

    def _tell(self) -> None:
        self.measures_chosen.emit(self.names)


def gutters_of(frame: Frame, axis: MeasureAxis, names: tuple[str, ...]) -> tuple[Gutter, ...]:
    """Make the gutters of the measures of these names that are taken along an axis."""
    return tuple(
        [
            Gutter(
                measure.title,
                partial(measure.values, frame),
                measure.template(frame),
                measure.digits,
                measure.is_alarm,
                measure.name,
                measure.tip,
                partial(_sentence_at, frame, measure.name),
            )
            for measure in MEASURES.values()
            if measure.name in names and measure.axis == axis
        ]
    )


def measure_sentence(frame: Frame, ref: NumberRef) -> str:
    """Say the number of a measure in one sentence; nothing for another number, and for one that is not there."""
    measure = MEASURES.get(ref.kind)
    if measure is None:
        return ""
    (index,), tokens = ref.indices, frame.query_tokens if measure.axis == "query" else frame.key_tokens
    if index >= len(tokens):
        return ""
    value = number_text(float(measure.values(frame, np.array([index]))[0]))
    is_empty = measure.axis == "query" and frame.shows_mask("weights") and bool(frame.empty_rows[index])
    seen = "no visible key, " if is_empty else ""
    return f"{measure.axis} {tokens[index]}: {seen}{measure.title} {value}"


def _sentence_at(frame: Frame, name: str, index: int) -> str:
    return measure_sentence(frame, NumberRef(name, (index,)))
