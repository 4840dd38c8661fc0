"""Tables to paste: each form is read back by what reads it elsewhere."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from attnviz.figures.tables import table_as_html, table_as_latex, table_as_markdown, table_as_numpy, table_as_tsv
from tests.figures.figure_scenes import HARD_TOKENS

ROWS = HARD_TOKENS[:3]
COLUMNS = HARD_TOKENS[3:8]
MATRIX = np.random.default_rng(5).normal(size=(3, 5))


def test_tsv_is_exact_with_its_names():
    head, *rows = csv.reader(io.StringIO(table_as_tsv(MATRIX, ROWS, COLUMNS)), delimiter="\t")
    assert head == ["", *COLUMNS]
    assert [row[0] for row in rows] == list(ROWS)
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], float), MATRIX)


def test_html_is_well_formed_with_names_as_text():
    root = ET.fromstring(table_as_html(MATRIX, ROWS, COLUMNS))
    assert [cell.text for cell in root.iter("th")] == [*COLUMNS, *ROWS]
    numbers = [float(cell.text) for cell in root.iter("td") if cell.text]
    np.testing.assert_allclose(numbers, MATRIX.ravel(), atol=5e-4)


def test_python_code_makes_the_matrix_again():
    matrix = MATRIX.copy()
    matrix[0, 0], matrix[0, 1], matrix[0, 2] = -np.inf, np.nan, np.inf
    names: dict[str, object] = {}
    exec(table_as_numpy(matrix, ROWS, COLUMNS, "weights"), names)
    np.testing.assert_array_equal(names["weights"], matrix)
    assert names["rows"] == list(ROWS)
    assert names["columns"] == list(COLUMNS)


def test_markdown_columns_are_aligned_and_marks_escaped():
    lines = table_as_markdown([[0.25, -1.0]], ["a|b"], ["<s>", "x_y"]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "\\<s\\>" in lines[0]
    assert "x\\_y" in lines[0]
    assert "a\\|b" in lines[2]
    assert "-1.000" in lines[2]


def test_latex_escapes_what_is_special_to_it():
    table = table_as_latex([[1.0, -np.inf]], ["R&D_50%"], ["$x^2$", "~{#}\\"])
    assert r"R\&D\_50\%" in table
    assert r"\$x\textasciicircum{}2\$" in table
    assert r"\textasciitilde{}\{\#\}\textbackslash{}" in table
    assert r"$1.000$ & $-\infty$ \\" in table


@pytest.mark.parametrize("write", [table_as_html, table_as_markdown, table_as_latex])
def test_rounded_tables_print_no_negative_zero(write):
    assert "-0.000" not in write([[-0.0001, -0.0]], ["a"], ["b", "c"])


@pytest.mark.parametrize("write", [table_as_tsv, table_as_html, table_as_markdown, table_as_latex, table_as_numpy])
def test_a_single_cell_is_a_table(write):
    assert "0.5" in write([[0.5]], ["a"], ["b"])
