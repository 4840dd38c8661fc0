"""The sink logits of the heads: one box for each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from attnviz.document.frame import Frame
from attnviz.views.controls.gestures import Gestures
from attnviz.views.number_box import NumberBox

_BOXES_A_LINE = 2
_CHARACTERS, _PADDING = 5, 24
_TIP = (
    "The logit of the sink of head {}: it takes weight like a key and gives nothing.\n"
    "Up and Down step, with Shift ten times as far."
)


class _SinkBox(NumberBox):
    """The box of one head.

    Signals
    -------
    logit_entered : int, float
        The head of this index, and a number typed or stepped to.
    """

    logit_entered = Signal(int, float)

    def __init__(self, head: int, parent: QWidget) -> None:
        super().__init__(0.1, parent, name="a sink logit")
        self._head = head
        self.number_entered.connect(self._tell)

    def _tell(self, logit: float) -> None:
        self.logit_entered.emit(self._head, logit)


class SinkBoxes(QWidget):
    """Boxes for the sink logits; as many as there are heads.

    Signals
    -------
    sink_entered : int, float, int
        The head of this index is to have this sink logit; the last number names the gesture.
    refused : str
        One sentence why a typed number was not taken.
    """

    sink_entered = Signal(int, float, int)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gestures = Gestures(self)
        self.boxes: list[_SinkBox] = []
        self._labels: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(2 * _BOXES_A_LINE, 1)

    def show_frame(self, frame: Frame) -> None:
        """Show the sink logits of a frame's heads; emits nothing."""
        state = frame.state
        while len(self.boxes) < state.n_heads:
            self._add_box(len(self.boxes))
        written = [] if state.sinks is None else state.sinks.tolist()
        for head, (box, label) in enumerate(zip(self.boxes, self._labels, strict=True)):
            is_there = head < state.n_heads
            if box.isHidden() == is_there:
                box.setVisible(is_there)
                label.setVisible(is_there)
            box.show_number(written[head] if head < len(written) else 0.0)

    def _add_box(self, head: int) -> None:
        box, label = _SinkBox(head, self), QLabel(f"head {head + 1}", self)
        label.setObjectName("muted")
        label.setBuddy(box)
        box.setFixedWidth(box.fontMetrics().horizontalAdvance("0") * _CHARACTERS + _PADDING)
        box.setToolTip(_TIP.format(head + 1))
        box.setAccessibleName(f"Sink logit of head {head + 1}")
        box.logit_entered.connect(self._enter)
        box.refused.connect(self.refused)
        line, place = divmod(head, _BOXES_A_LINE)
        self._grid.addWidget(label, line, 2 * place, Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(box, line, 2 * place + 1)
        self.boxes.append(box)
        self._labels.append(label)

    def _enter(self, head: int, logit: float) -> None:
        self.sink_entered.emit(head, logit, self._gestures.burst(f"sink {head}"))
