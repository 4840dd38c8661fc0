"""The table in the window: shown by its shortcut in the place of the weights, linked with every panel, and copied."""

from __future__ import annotations

import csv
import io
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from attnviz.app.window import MainWindow
from attnviz.document import edits
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.views.table.grid import MatrixGrid
from tests.app.mouse import cell_place, move

_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def grid(window: MainWindow) -> MatrixGrid:
    """The cells of the table, which has the focus and shows the weights."""
    window.plane.setFocus()
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_T, _CONTROL | _SHIFT)
    QApplication.processEvents()
    found = window.table.body.grid
    window.table.show_matrix("weight")
    while found.matrix_model.order.column is not None:
        found.sort_by(found.matrix_model.order.column)
    QTest.keyClick(found, Qt.Key.Key_Home, _CONTROL)
    return found


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def rows_of(text: str, mark: str = "\t") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), delimiter=mark))


def test_table_is_not_made_before_it_is_shown(fresh_window: MainWindow) -> None:
    assert not fresh_window.docks["table"].isVisible()
    assert "body" not in vars(fresh_window.table)


def test_shortcut_shows_it_in_front_of_the_weights(window: MainWindow, grid: MatrixGrid) -> None:
    assert QApplication.focusWidget() is grid
    assert grid.isVisible()
    assert window.docks["weights"] in window.tabifiedDockWidgets(window.docks["table"])
    assert window.docks["table"].visibleRegion().boundingRect().height() > 150


def test_shortcuts_sort(window: MainWindow, grid: MatrixGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_End)
    orders = []
    keys = [(Qt.Key.Key_O, _CONTROL | _SHIFT)] * 2 + [(Qt.Key.Key_R, _CONTROL | Qt.KeyboardModifier.AltModifier)] * 2
    for key, modifiers in keys:
        QTest.keyClick(grid, key, modifiers)
        orders.append([grid.matrix_model.row_name(row) for row in range(3)])
    up, down = ["cat", "dog", "phone"], ["phone", "dog", "cat"]
    assert orders == [up, down, up, down]
    assert window.session.undo_label is None


def test_cursor_lights_the_cell_everywhere_and_enter_explains_it(window: MainWindow, grid: MatrixGrid) -> None:
    window.docks["inspector"].show()
    QTest.keyClick(grid, Qt.Key.Key_Right)
    assert window.derivation.title == "Why 0.389?"
    QTest.keyClick(grid, Qt.Key.Key_Down)
    assert (window.selection.chosen.pointed_query, window.selection.chosen.pointed_key) == (1, 1)
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert window.selection.chosen.number == NumberRef("weight", (1, 1))
    assert (window.selection.chosen.query, window.selection.chosen.key) == (1, 1)


def test_cell_under_the_mouse_in_a_heatmap_is_lit(window: MainWindow, grid: MatrixGrid) -> None:
    move(window.scores.matrix, cell_place(window.scores.matrix, 2, 0), is_pressed=False)
    assert (grid.lights.row, grid.lights.column) == (2, 0)


def test_edits_show_at_once(window: MainWindow, grid: MatrixGrid) -> None:
    window.wiring.set_scalar("temperature", 1e6)
    assert grid.matrix_model.cell_text(0, 1) == "0.333"
    window.session.undo()
    assert grid.matrix_model.cell_text(0, 1) == "0.389"


def test_every_control_of_the_panel_has_a_name_and_explains_itself(window: MainWindow, grid: MatrixGrid) -> None:
    controls = [*window.table.findChildren(QAbstractButton), *window.table.findChildren(QComboBox)]
    controls += window.docks["table"].bar.findChildren(QAbstractButton)
    assert len(controls) == 7  # corner, copy, choice, two digits, maximise, hide
    for control in controls:
        is_button = isinstance(control, QAbstractButton)
        assert control.accessibleName() or (is_button and control.text()), control
        assert control.toolTip(), control


# Copies


def test_ctrl_c_copies_the_selected_cells_as_text_and_html(window: MainWindow, grid: MatrixGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Right, _SHIFT)
    QTest.keyClick(grid, Qt.Key.Key_C, _CONTROL)
    weights = window.session.frame.trace.weights
    head, row = rows_of(clipboard())
    assert head == ["A", "cat", "dog"]
    assert row == ["cat", *(repr(float(weight)) for weight in weights[0, :2])]
    assert "<table" in QGuiApplication.clipboard().mimeData().html()
    assert window.message == "Weights (1 × 2) copied to the clipboard as a table."


def test_menu_copies_the_table_that_has_the_focus_else_the_weights(window: MainWindow, grid: MatrixGrid) -> None:
    window.table.show_matrix("output")
    for name in ("copy_table", "copy_csv", "copy_markdown", "copy_latex", "copy_numpy"):
        grid.setFocus()
        window.actions_by_name[name].trigger()
        of_table = clipboard()
        window.plane.setFocus()
        window.actions_by_name[name].trigger()
        assert ("outputs" in of_table) == ("weights" in clipboard()) == (name == "copy_numpy")
        assert "dog" in of_table
        assert of_table != clipboard()


def test_numpy_code_of_the_masked_scores_runs_on_its_own(window: MainWindow, grid: MatrixGrid) -> None:
    window.actions_by_name["causal"].trigger()
    window.table.show_matrix("masked")
    grid.setFocus()
    window.actions_by_name["copy_numpy"].trigger()
    code = clipboard() + "import sys\nsys.stdout.buffer.write(masked_scores.tobytes())\nassert rows[2] == 'phone'\n"
    done = subprocess.run([sys.executable, "-I", "-c", code], check=False, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(np.frombuffer(done.stdout).reshape(3, 3), window.session.frame.trace.masked)


def test_latex_has_balanced_braces_and_no_bare_sign(window: MainWindow, grid: MatrixGrid) -> None:
    window.tokens.sentence.setFocus()
    window.wiring.insert_token("sequence", 0)
    window.wiring.apply(_renamed, label="Rename")
    window.table.show_matrix("masked")
    grid.setFocus()
    window.actions_by_name["copy_latex"].trigger()
    text = clipboard()
    assert text.count("{") == text.count("}")
    assert r"R\&D\_50\%\textless{}s\textgreater{}" in text
    assert text.isascii()
    assert all(line.count(" & ") == 4 for line in text.splitlines() if line.endswith(r"\\"))


def _renamed(state: State) -> State:
    return edits.rename_token(state, "sequence", 0, "R&D_50%<s>")
