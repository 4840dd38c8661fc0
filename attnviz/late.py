"""Modules that are loaded when something of them is first asked for, so that the window opens without them.

Most of a start is spent on importing. What only a command needs (dialogs, figures, the reading of files) and
what is heavy (the plotting library) waits until it is used; the import still stands at the top of a module.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType


def late(name: str) -> ModuleType:
    """Give a module that loads itself at the first look at one of its names.

    Parameters
    ----------
    name : str
        Its full name; the module must exist.

    Returns
    -------
    module
        The module itself where it is loaded already.

    Raises
    ------
    ModuleNotFoundError
        If there is no such module.
    """
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"a late module must exist, got {name}")
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    package, _, own_name = name.rpartition(".")
    if package:
        setattr(sys.modules[package], own_name, module)  # as the import statement does
    spec.loader.exec_module(module)
    return module
