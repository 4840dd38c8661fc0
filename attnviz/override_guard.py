"""Keeps a fault in an overridden Qt method from ending the whole program on Python 3.11.

There, Shiboken (seen with 6.8.3 to 6.11.3) takes the exception's value for an exception object when it hands it on
from C++. One that C code raised, such as the IndexError of a tuple, is not an object yet before Python 3.12, and the
process ends with a segmentation fault: nothing is told and nothing is saved. Raised once more from Python it is one.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import ParamSpec, TypeVar

from PySide6.QtCore import QObject

_GUARDED = ("attnviz", "pyqtgraph")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def guard_overrides() -> None:
    """Guard the overridden Qt methods of our classes and the plotting library's made from now on, where needed.

    Called again it does nothing.
    """
    if sys.version_info < (3, 12) and "__init_subclass__" not in vars(QObject):
        QObject.__init_subclass__ = classmethod(_guard_class)  # type: ignore[arg-type,assignment]  # mypy knows no such place


def _guard_class(cls: type[QObject], **options: object) -> None:
    super(QObject, cls).__init_subclass__(**options)
    if cls.__module__.partition(".")[0] not in _GUARDED:
        return
    bases = [base for base in cls.__mro__ if base.__module__.startswith("PySide6.")]
    for name, method in list(vars(cls).items()):
        is_override = isinstance(method, FunctionType) and any(name in vars(base) for base in bases)
        if is_override and not name.startswith("__"):
            setattr(cls, name, _guarded(method))


def _guarded(method: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    @functools.wraps(method)
    def call(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        try:
            return method(*arguments, **options)
        except Exception as error:
            raise error

    return call
