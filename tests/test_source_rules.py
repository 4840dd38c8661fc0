"""Rules of the house that are seen in the source: what Qt punishes, what keeps edits pure, who knows whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "attnviz"
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


TREES = {name_of(module): ast.parse(module.read_text(encoding="utf-8")) for module in MODULES}


def imports_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls() -> Iterator[tuple[str, ast.Call]]:
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield f"{name}:{node.lineno}", node


def test_no_slot_is_a_lambda() -> None:
    """A lambda that holds self keeps the widget alive for good (PySide6)."""
    found = [
        place
        for place, call in calls()
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "connect"
        and any(isinstance(argument, ast.Lambda) for argument in call.args)
    ]
    assert found == []


def test_no_signal_carries_a_dict() -> None:
    """A Signal of dict loses entries without a word (PySide6)."""
    found = [
        place
        for place, call in calls()
        if isinstance(call.func, ast.Name)
        and call.func.id == "Signal"
        and any(isinstance(argument, ast.Name) and argument.id == "dict" for argument in call.args)
    ]
    assert found == []


def test_nobody_lets_pyqtgraph_make_the_application() -> None:
    assert [place for place, call in calls() if ast.unparse(call.func).endswith("mkQApp")] == []


@pytest.mark.parametrize("part", ["engine", "document"])
def test_nothing_computed_reads_a_clock_logs_or_rolls_dice(part: str) -> None:
    banned = {"time", "datetime", "random", "logging"}
    found = [
        f"{name}: {target}"
        for name, tree in TREES.items()
        if name.startswith(part)
        for target in imports_in(tree)
        if target.partition(".")[0] in banned
    ]
    assert found == []


def test_only_the_wiring_and_the_window_know_a_view_and_the_session_at_once() -> None:
    both = []
    for name, tree in TREES.items():
        targets = set(imports_in(tree))
        knows_session = any(target.startswith("attnviz.session") for target in targets)
        if knows_session and any(t.startswith("attnviz.views.") and t.endswith("View") for t in targets):
            both.append(name)
    assert {"app/window.py", "app/wiring.py"} <= set(both)
    assert {name for name in both if not name.endswith("wiring.py")} == {"app/window.py"}


def test_only_the_frame_asks_the_engine_for_attention() -> None:
    wanted = {"attnviz.engine.attend", "attnviz.engine.attention.attend"}
    outside = {
        name for name, tree in TREES.items() if not name.startswith("engine/") and wanted & set(imports_in(tree))
    }
    assert outside - {"__init__.py"} == {"document/attending.py"}
