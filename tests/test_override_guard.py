"""A fault in an overridden Qt method is told like any other, and does not end the program."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
import attnviz.views

class Faulty(QWidget):
    __module__ = "attnviz.views.faulty"

    def mousePressEvent(self, event):
        {fault}

    def event(self, event):
        return super().event(event)

app = QApplication([])
widget = Faulty()
widget.show()
told = []
sys.excepthook = lambda kind, error, trace: told.append(kind.__name__)
try:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
except Exception as error:
    told.append(type(error).__name__)
print(*told)
"""


@pytest.mark.parametrize(
    ("fault", "name"),
    [("()[0]", "IndexError"), ("{}['x']", "KeyError"), ("1 / 0", "ZeroDivisionError"), ("raise OSError", "OSError")],
)
def test_fault_in_an_override_is_told(fault: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(fault=fault)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout.strip()) == (0, name), done.stderr
