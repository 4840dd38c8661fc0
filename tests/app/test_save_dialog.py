"""The dialog that asks for a name: what it completes, so that it can ask before a file is written over."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from attnviz.app.dialogs import SaveDialog
from attnviz.app.output import FIGURE_FILTERS

pytestmark = pytest.mark.usefixtures("qapp")


def dialog_for(suggestion: Path, filters: str) -> SaveDialog:
    dialog = SaveDialog(suggestion, filters)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    return dialog


def test_a_name_without_an_ending_gets_that_of_the_document(tmp_path: Path) -> None:
    dialog = dialog_for(tmp_path / "scene.attn", "attnviz documents (*.attn)")
    dialog.selectFile("other")
    assert dialog.selectedFiles() == [str(tmp_path / "other.attn")]


def test_another_kind_gives_another_ending(tmp_path: Path) -> None:
    dialog = dialog_for(tmp_path / "scene.svg", FIGURE_FILTERS)
    dialog.filterSelected.emit("PNG (*.png)")
    dialog.selectFile("other")
    assert dialog.selectedFiles() == [str(tmp_path / "other.png")]


def test_it_begins_with_the_suggestion_and_asks_before_writing_over(tmp_path: Path) -> None:
    dialog = dialog_for(tmp_path / "scene.attn", "attnviz documents (*.attn)")
    assert dialog.selectedFiles() == [str(tmp_path / "scene.attn")]
    assert not dialog.testOption(QFileDialog.Option.DontConfirmOverwrite)
