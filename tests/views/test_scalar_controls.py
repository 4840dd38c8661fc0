"""The rows of the control panel: a description is enough, and gestures are told apart."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from attnviz.document.scalars import Scalar
from attnviz.views.gestures import Gestures
from attnviz.views.scalar_controls import ROWS, ChoiceRow, NumberRow, ScalarRow, SwitchRow

NUMBER = Scalar(
    key="sharpness",
    label="Sharpness",
    help="How sharp.",
    kind="number",
    minimum=0.0,
    maximum=1000.0,
    slider=(0.01, 100.0),
    is_logarithmic=True,
    step=0.1,
)
COUNT = Scalar(key="heads", label="Heads", help="How many heads.", kind="count", minimum=1, maximum=64)
CHOICE = Scalar(key="rule", label="Rule", help="Which.", kind="choice", choices=(("a", "1/A", ""), ("b", "B", "")))
LONG_CHOICE = Scalar(
    key="rule", label="Rule", help="Which.", kind="choice", choices=tuple((c, f"choice {c}", "") for c in "abcdef")
)
SWITCH = Scalar(key="is_on", label="Switched on", help="Whether.", kind="switch")


def _row(qtbot: QtBot, scalar: Scalar) -> ScalarRow:
    row = ROWS[scalar.kind](scalar, Gestures(QObject(qtbot.__dict__.get("owner"))), None)
    qtbot.addWidget(row)
    row.resize(260, 80)
    row.show()
    return row
