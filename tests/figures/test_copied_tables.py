"""Tables to paste: each form is read back by what reads it elsewhere."""

import csv
import io
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from attnviz.figures.tables import (
    table_as_csv,
    table_as_html,
    table_as_latex,
    table_as_markdown,
    table_as_numpy,
    table_as_tsv,
)
from tests.figures.figure_scenes import HARD_TOKENS

ROWS = HARD_TOKENS[:3]
COLUMNS = HARD_TOKENS[3:8]
ALL = [table_as_tsv, table_as_csv, table_as_html, table_as_markdown, table_as_latex, table_as_numpy]
MATRIX = np.random.default_rng(5).normal(size=(3, 5))


@pytest.mark.parametrize(("write", "mark"), [(table_as_tsv, "\t"), (table_as_csv, ",")])
def test_separated_values_are_exact_with_their_names(write, mark):
    head, *rows = csv.reader(io.StringIO(write(MATRIX, ROWS, COLUMNS, corner='a,\t"b')), delimiter=mark)
    assert head == ['a,\t"b', *COLUMNS]
    assert [row[0] for row in rows] == list(ROWS)
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], float), MATRIX)


def test_html_is_well_formed_with_names_as_text():
    root = ET.fromstring(table_as_html(MATRIX, ROWS, COLUMNS))
    assert [cell.text for cell in root.iter("th")] == [*COLUMNS, *ROWS]
    numbers = [float(cell.text) for cell in root.iter("td") if cell.text]
    np.testing.assert_allclose(numbers, MATRIX.ravel(), atol=5e-4)


@pytest.mark.parametrize("write", [table_as_html, table_as_markdown, table_as_latex])
def test_corner_says_what_the_numbers_are(write):
    assert "W" in write([[0.5]], ["a"], ["b"], corner="W_Q").partition("0.5")[0]


def test_corner_is_text_in_every_language():
    corner = "Z′<_"
    assert ET.fromstring(table_as_html([[1.0]], ["a"], ["b"], corner=corner)).find(".//thead/tr/td").text == corner
    assert r"Z$'$\textless{}\_ & b" in table_as_latex([[1.0]], ["a"], ["b"], corner=corner)
    assert r"| Z′\<\_ | b" in table_as_markdown([[1.0]], ["a"], ["b"], corner=corner)


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


@pytest.mark.parametrize("write", ALL)
def test_a_single_cell_is_a_table(write):
    assert "0.5" in write([[0.5]], ["a"], ["b"])
