"""The one door to Qt: fixes the binding and pyqtgraph's options before the first item is made."""

from __future__ import annotations

import os

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import pyqtgraph
import PySide6.QtCore

pyqtgraph.setConfigOptions(imageAxisOrder="row-major", antialias=True)

__all__ = ["PySide6", "pyqtgraph"]
