"""Steps and slides from one number of heads to another that can be; what is typed is asked for as it is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from attnviz.document.head_edits import possible_heads, possible_kv_heads
from attnviz.document.state import State
from attnviz.views.controls.rows import NumberRow
from attnviz.views.controls.scalar_rows import ScalarRows

_ROWS = {"heads": "n_heads", "kv_heads": "n_kv_heads"}


class HeadSteps(QObject):
    """Stands between the rows of the heads and whoever sets the scalars.

    Parameters
    ----------
    rows : ScalarRows
        The rows of the panel.

    Signals
    -------
    changed : str, object, int
        The scalar of this key is to have this value; the last number names the gesture.
    """

    changed = Signal(str, object, int)

    def __init__(self, rows: ScalarRows, parent: QObject) -> None:
        super().__init__(parent)
        self._state: State | None = None
        self._boxes = {}
        for key, name in _ROWS.items():
            row = rows.rows[name]
            assert isinstance(row, NumberRow), "heads are counted"
            self._boxes[key] = row
            row.touched.connect(self._remember_touch)
        self._is_typed = False

    def show_state(self, state: State) -> None:
        """Know which numbers there can be."""
        self._state = state

    def ask_for(self, key: str, value: object, gesture: int) -> None:
        """Ask for a value: the typed one, or for a step or slide the nearest that can be in its direction."""
        is_typed, self._is_typed = self._is_typed, False
        state = self._state
        if state is not None and key in _ROWS and isinstance(value, int) and not is_typed:
            value = self._possible(state, key, value)
            row = self._boxes[key]
            if value == row.value:
                row.show_value(value)  # it may have gone where nothing can be
        self.changed.emit(key, value, gesture)

    def _possible(self, state: State, key: str, value: int) -> int:
        now = state.n_heads if key == "heads" else state.n_kv_heads
        choices = possible_heads(state) if key == "heads" else possible_kv_heads(state)
        slider = self._boxes[key].slider
        if slider is not None and slider.isSliderDown():
            return min(choices, key=lambda choice: (abs(choice - value), choice))
        onward = [choice for choice in choices if (choice >= value if value > now else choice <= value)]
        if not onward:
            return now
        return min(onward) if value > now else max(onward)

    def _remember_touch(self) -> None:
        """Remember that something was typed; a slide touches its row too, and is told by its held slider."""
        self._is_typed = not any(row.slider is not None and row.slider.isSliderDown() for row in self._boxes.values())
