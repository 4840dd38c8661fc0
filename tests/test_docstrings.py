"""Docstrings of public things: every public thing has one, and its sections agree with the signature.

The parameters of a group may share one line ("x, y : float"), and prose may stand where types are expected;
what is checked is that the names are those of the signature, all of them and none twice.
"""

import ast
import re
from pathlib import Path

import pytest

import attnviz

PACKAGE = Path(attnviz.__file__).parent
MODULES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
NAMES = re.compile(r"^(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: :.*)?$")

Documented = ast.FunctionDef | ast.ClassDef


def public_things(tree: ast.AST, prefix: str = "") -> list[tuple[str, Documented]]:
    found: list[tuple[str, Documented]] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found.append((prefix + node.name, node))
            if isinstance(node, ast.ClassDef):
                found += public_things(node, f"{node.name}.")
    return found


def documented_names(docstring: str) -> list[str] | None:
    """Give the names in the section Parameters; None without one."""
    _, found, section = docstring.partition("Parameters\n----------\n")
    if not found:
        return None
    names: list[str] = []
    for line in re.split(r"\n\n\w+\n---", section)[0].splitlines():
        match = NAMES.match(line)
        if match:
            names += [name.lstrip("*") for name in match["names"].split(", ")]
    return names


def signature_names(node: Documented) -> list[str]:
    """Give the names of the parameters of a function, or of the constructor or fields of a class."""
    if isinstance(node, ast.ClassDef):
        for child in node.body:
            if isinstance(child, ast.FunctionDef) and child.name == "__init__":
                return signature_names(child)
        return [
            child.target.id
            for child in node.body
            if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name) and is_given(child)
        ]
    given = node.args
    starred = [extra for extra in (given.vararg, given.kwarg) if extra]
    return [
        a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs, *starred) if a.arg not in ("self", "cls")
    ]


def is_given(field: ast.AnnAssign) -> bool:
    """Tell whether a field is given by the caller, and does not document itself in its metadata."""
    if isinstance(field.value, ast.Call) and ast.unparse(field.value.func) == "_scalar":
        return False
    options = {word.arg for word in field.value.keywords} if isinstance(field.value, ast.Call) else set()
    return not ast.unparse(field.target).startswith("_") and not options & {"init", "metadata"}


@pytest.mark.parametrize("module", MODULES)
def test_documented_parameters_are_those_of_the_signature(module):
    wrong = {}
    for name, node in public_things(ast.parse(MODULES[module].read_text("utf-8"))):
        documented = documented_names(ast.get_docstring(node) or "")
        taken = signature_names(node)
        if documented is not None and "parent" in taken and "parent" not in documented:
            taken.remove("parent")  # in Qt always the same
        if documented is not None and sorted(documented) != sorted(taken):
            wrong[name] = f"documented {documented}, takes {taken}"
    assert wrong == {}


@pytest.mark.parametrize("module", MODULES)
def test_every_public_thing_says_what_it_is(module):
    things = public_things(ast.parse(MODULES[module].read_text("utf-8")))
    assert [name for name, node in things if not ast.get_docstring(node)] == []
