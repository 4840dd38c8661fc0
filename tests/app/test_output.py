"""What leaves the window: figures and numbers as files, pictures and tables through the clipboard."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage

from attnviz.app.window import MainWindow
from attnviz.views.text_line import TextLine
from tests.app.conftest import answers_of


def message(window: MainWindow) -> str:
    return next(line.text for line in window.statusBar().findChildren(TextLine) if line.isVisible())


def export(window: MainWindow, action: str, path: Path) -> bytes:
    answers_of(window).save_path = path
    window.actions_by_name[action].trigger()
    return path.read_bytes()


def test_figure_is_written_in_each_offered_format(window: MainWindow, tmp_path: Path) -> None:
    svg = export(window, "export_figure", tmp_path / "a.svg")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert QImage.fromData(export(window, "export_figure", tmp_path / "a.png")).width() > 100
    assert export(window, "export_figure", tmp_path / "a.pdf").startswith(b"%PDF-")
    assert message(window) == "Saved a.pdf."


def test_figure_shows_the_stage_that_the_window_shows(window: MainWindow, tmp_path: Path) -> None:
    window.actions_by_name["scores_raw"].trigger()
    assert b"1.250" in export(window, "export_figure", tmp_path / "raw.svg")
    window.actions_by_name["scores_scaled"].trigger()
    scaled = export(window, "export_figure", tmp_path / "scaled.svg")
    assert b"1.250" not in scaled
    assert b"0.884" in scaled


def test_numbers_are_written_with_every_bit(window: MainWindow, tmp_path: Path) -> None:
    window.wiring.set_scalar("temperature", 0.3)
    weights = window.session.frame.trace.weights
    as_json = json.loads(export(window, "export_numbers", tmp_path / "a.json"))
    np.testing.assert_array_equal(np.array(as_json["weights"]), weights)
    with np.load(io.BytesIO(export(window, "export_numbers", tmp_path / "a.npz"))) as arrays:
        np.testing.assert_array_equal(arrays["weights"], weights)
    assert repr(float(weights[0, 1])).encode() in export(window, "export_numbers", tmp_path / "a.csv")


@pytest.mark.parametrize(("action", "suffix"), [("export_figure", ".svg"), ("export_numbers", ".json")])
def test_a_name_without_an_ending_gets_the_first_kind(
    window: MainWindow, tmp_path: Path, action: str, suffix: str
) -> None:
    answers_of(window).save_path = tmp_path / "bare"
    window.actions_by_name[action].trigger()
    assert (tmp_path / f"bare{suffix}").exists()


@pytest.mark.parametrize("action", ["export_figure", "export_numbers"])
def test_an_ending_that_is_not_offered_is_refused(window: MainWindow, tmp_path: Path, action: str) -> None:
    answers_of(window).save_path = tmp_path / "a.gif"
    window.actions_by_name[action].trigger()
    assert list(tmp_path.iterdir()) == []
    assert "a.gif" in message(window)


def test_a_folder_that_is_missing_is_said(window: MainWindow, tmp_path: Path) -> None:
    answers_of(window).save_path = tmp_path / "missing" / "a.svg"
    window.actions_by_name["export_figure"].trigger()
    assert "missing" in message(window)


def test_cancelled_export_writes_nothing_and_marks_nothing(window: MainWindow, tmp_path: Path) -> None:
    window.actions_by_name["export_figure"].trigger()
    window.actions_by_name["export_numbers"].trigger()
    assert list(tmp_path.iterdir()) == []
    assert not window.isWindowModified()


def test_table_is_copied_as_text_and_as_html(window: MainWindow) -> None:
    window.actions_by_name["copy_table"].trigger()
    content = QGuiApplication.clipboard().mimeData()
    rows = [line.split("\t") for line in content.text().splitlines()]
    assert rows[0][1:] == ["cat", "dog", "phone"]
    assert [row[0] for row in rows[1:]] == ["cat", "dog", "phone"]
    copied = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
    np.testing.assert_allclose(copied, window.session.frame.trace.weights, atol=5e-7)
    assert "<table" in content.html()


@pytest.mark.parametrize(
    ("name", "piece"), [("copy_markdown", "| cat"), ("copy_latex", "\\begin{tabular}"), ("copy_numpy", "np.array(")]
)
def test_table_is_copied_in_other_languages(window: MainWindow, name: str, piece: str) -> None:
    window.actions_by_name[name].trigger()
    text = QGuiApplication.clipboard().text()
    assert piece in text
    assert "phone" in text


@pytest.mark.parametrize("name", ["scores", "weights", "plane"])
def test_picture_of_the_panel_with_the_focus_is_copied(window: MainWindow, name: str) -> None:
    window.panels[name].setFocus()
    window.actions_by_name["copy_image"].trigger()
    image = QGuiApplication.clipboard().image()
    assert image.size() == window.panels[name].size()
