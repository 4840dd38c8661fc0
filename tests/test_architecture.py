"""The import rules, read from the source itself: finer than the contracts in pyproject.toml, and without exceptions."""

import ast
import sys
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import attnviz

PACKAGE = Path(attnviz.__file__).parent
QT = ("PySide6", "pyqtgraph", "shiboken6", "attnviz._qt")

# What a layer may import of the package, and of what is installed beside it.
OWN = {
    "engine": {"engine"},
    "document": {"engine", "document"},
    "film": {"engine", "document", "film"},
    "explanations": {"engine", "document", "explanations"},
    "sources": {"engine", "document", "sources"},
    "figures": {"engine", "document", "explanations", "figures", "appearance"},
    "session": {"engine", "document", "session"},
    "views": {"engine", "document", "explanations", "film", "views", "appearance", "late", "_qt", "override_guard"},
    "appearance": {"appearance"},
    "late": {"late"},
    "override_guard": {"override_guard"},
    "environment": {"environment"},
    "arguments": {"document"},
    "_qt": {"_qt", "late"},
    "__main__": {"cli"},
}
FOREIGN = {
    "engine": {"numpy"},
    "document": {"numpy"},
    "film": {"numpy"},
    "explanations": {"numpy"},
    "sources": {"numpy"},
    "figures": {"numpy"},
    "session": {"PySide6.QtCore"},
    "views": {"numpy", "PySide6", "pyqtgraph"},
    "app": {"numpy", "PySide6", "pyqtgraph"},
    "appearance": {"numpy"},
    "environment": set(),
    "late": set(),
    "override_guard": {"PySide6.QtCore"},
    "cli": {"numpy"},
    "_qt": {"PySide6", "pyqtgraph"},
    "arguments": set(),
    "__main__": set(),
    "__init__": set(),
}
MAY_IMPORT_LATE = {"cli", "arguments", "sources"}  # so that --help answers at once, and optional libraries stay so


@dataclass(frozen=True)
class Import:
    """One imported module, and where the import stands; a deferred one does not run when the module does."""

    target: str
    line: int
    is_in_function: bool
    is_deferred: bool


def module_name(path: Path) -> str:
    parts = ("attnviz", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def layer_of(module: str) -> str:
    """Name the layer of a module: its first part below the package."""
    return module.split(".")[1] if "." in module else "__init__"


def imports_of(source: str) -> list[Import]:
    """List the modules that a source text imports; a public name of the package counts as one."""
    found: list[Import] = []

    def visit(node: ast.AST, in_function: bool, deferred: bool) -> None:
        if isinstance(node, ast.Import):
            found.extend(Import(name.name, node.lineno, in_function, deferred) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            for name in node.names:
                inner = f"{base}.{name.name}"
                is_module = inner in MODULES or base == "PySide6"
                is_public = base == "attnviz" and name.name != "__version__"
                target = inner if is_module or is_public else base
                found.append(Import(target, node.lineno, in_function, deferred))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "late":
            found.append(Import(beginning(node.args[0]), node.lineno, in_function, True))
        in_function = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        is_type_block = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        otherwise = node.orelse if isinstance(node, ast.If) else []
        for child in ast.iter_child_nodes(node):
            visit(child, in_function, deferred or (is_type_block and child not in otherwise))

    visit(ast.parse(source), False, False)
    return found


def beginning(text: ast.expr) -> str:
    """Give a string, or the package that a name put together begins with."""
    constant = text.values[0] if isinstance(text, ast.JoinedStr) else text
    assert isinstance(constant, ast.Constant), ast.unparse(text)
    return str(constant.value).rstrip(".")


IMPORTS = {name: imports_of(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def is_within(module: str, packages: set[str] | tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def runtime_graph() -> dict[str, set[str]]:
    """Give for every module the modules of the package that run before it."""
    graph: dict[str, set[str]] = {}
    for name, found in IMPORTS.items():
        graph[name] = {
            entry.target
            for entry in found
            if entry.target in MODULES and not entry.is_deferred and not entry.is_in_function
        } - {name}
    return graph


def test_the_reader_sees_every_kind_of_import():
    source = """
from typing import TYPE_CHECKING
import numpy as np
from attnviz import session
from PySide6 import QtGui
if TYPE_CHECKING:
    from attnviz.engine import attend
else:
    import json
json = late("json")
def load():
    from attnviz.document.state import State
"""
    seen = [(entry.target, entry.is_in_function, entry.is_deferred) for entry in imports_of(source)]
    assert seen == [
        ("typing", False, False),
        ("numpy", False, False),
        ("attnviz.session", False, False),
        ("PySide6.QtGui", False, False),
        ("attnviz.engine", False, True),
        ("json", False, False),
        ("json", False, True),
        ("attnviz.document.state", True, False),
    ]


def test_every_layer_has_its_rules():
    assert {layer_of(name) for name in MODULES} <= set(FOREIGN)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_its_layer_may(module):
    layer = layer_of(module)
    for entry in IMPORTS[module]:
        assert not entry.target.startswith("."), f"line {entry.line}: imports are absolute, got {entry.target}"
        if is_within(entry.target, ("attnviz",)):
            allowed = OWN.get(layer)
            target = layer_of(entry.target)
            is_right = allowed is None or target in allowed or entry.target == "attnviz"
            assert is_right, f"line {entry.line}: {layer} imports {entry.target}"
        elif entry.target.partition(".")[0] not in sys.stdlib_module_names:
            assert is_within(entry.target, FOREIGN[layer]), f"line {entry.line}: {layer} imports {entry.target}"


@pytest.mark.parametrize("module", [name for name in MODULES if layer_of(name) not in MAY_IMPORT_LATE])
def test_nothing_is_imported_inside_a_function(module):
    assert [entry for entry in IMPORTS[module] if entry.is_in_function] == []


@pytest.mark.parametrize("layer", ["engine", "document", "explanations", "film", "sources", "figures"])
def test_no_qt_below_the_session(layer):
    reached: set[str] = set()
    waiting = [name for name in MODULES if layer_of(name) == layer]
    while waiting:
        name = waiting.pop()
        if name not in reached and name != "attnviz.__init__":
            reached.add(name)
            waiting += [entry.target for entry in IMPORTS.get(name, ())]
    assert [name for name in reached if is_within(name, QT)] == []


def test_only_the_wiring_side_knows_views_and_session():
    both = {
        name
        for name, found in IMPORTS.items()
        if {"views", "session"} <= {layer_of(entry.target) for entry in found if is_within(entry.target, ("attnviz",))}
    }
    assert {layer_of(name) for name in both} <= {"app"}


def test_modules_form_no_cycle():
    try:
        order = list(TopologicalSorter(runtime_graph()).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
    assert len(order) == len(MODULES)


def test_every_module_opens_with_what_it_is_for():
    assert [name for name, path in MODULES.items() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []
