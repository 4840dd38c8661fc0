"""The random walks over edits leave none out."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

from attnviz import document
from tests.document import test_edit_machine


def edits_there_are() -> set[str]:
    """Name every public function of a document's modules that makes the next state of one."""
    found = set()
    for module in pkgutil.iter_modules(document.__path__):
        namespace = importlib.import_module(f"attnviz.document.{module.name}")
        for name, function in inspect.getmembers(namespace, inspect.isfunction):
            if function.__module__ == namespace.__name__ and not name.startswith("_"):
                annotations = [str(kind) for kind in function.__annotations__.values()]
                is_edit = annotations[:1] == ["State"] and annotations[-1] == "State" and len(annotations) > 1
                if is_edit:
                    found.add(name)
    return found


def test_every_edit_is_walked() -> None:
    source = inspect.getsource(test_edit_machine)
    left_out = {name for name in edits_there_are() if not re.search(rf"\b{name}\b", source)}
    assert left_out == set()


def test_edits_are_found() -> None:
    assert {"set_scalar", "set_matrix", "take_snapshot", "set_visible", "set_position"} <= edits_there_are()
