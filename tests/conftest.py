"""What every test needs before the first import of Qt: no screen, no user's folders, one BLAS thread."""

import atexit
import faulthandler
import os
import shutil
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

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

faulthandler.enable()

collect_ignore = ["engine/record_torch.py"]  # it needs PyTorch, and is no test
