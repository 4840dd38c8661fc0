"""What every test needs before the first import of Qt: no screen, no user's folders, one thread."""

import atexit
import faulthandler
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
os.environ["QT_NO_GUI_THREADPOOL"] = "1"  # as the program has it: Qt paints without helping threads

_home = Path(tempfile.mkdtemp(prefix="attnviz-test-"))
for name, folder in {
    "HOME": "",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_CACHE_HOME": "cache",
    "XDG_STATE_HOME": "state",
}.items():
    os.environ[name] = str(_home / folder)
    (_home / folder).mkdir(exist_ok=True)
atexit.register(shutil.rmtree, _home, ignore_errors=True)
_status: list[int] = []

faulthandler.enable()

collect_ignore = ["engine/record_torch.py"]  # it needs PyTorch, and is no test


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Have Qt destroy what a test said is to go, before Python's collector comes upon it.

    The collector takes a window apart in an order of its own, and with a plane in it Qt crashed on that: a widget
    asked for its window while it was being destroyed.
    """
    yield
    core = sys.modules.get("PySide6.QtCore")
    if core is not None and core.QCoreApplication.instance() is not None:
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)


def pytest_sessionfinish(exitstatus: int) -> None:
    """Remember how the tests ended."""
    _status.append(int(exitstatus))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Leave without having Python take Qt apart.

    Everything is reported by now. After the long tests the process once ended with a segmentation fault at this
    point; that it comes from destroying what is left of hundreds of windows is likely, not proven. The status is
    pytest's own. A fault of the program at its own end would not show here.
    """
    if _status and "PySide6.QtWidgets" in sys.modules:
        shutil.rmtree(_home, ignore_errors=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_status[-1])
