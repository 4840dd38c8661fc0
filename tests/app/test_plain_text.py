"""Tokens and file names are plain text wherever they appear: no markup, no mnemonics, no marks of Qt's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QMessageBox, QToolButton

from attnviz.app import dialogs
from attnviz.app.dialogs import QtPrompts
from attnviz.app.documents import Answer
from attnviz.app.window import MainWindow
from attnviz.document import edits
from attnviz.document.attn_file import write_file
from attnviz.document.presets import load_preset
from attnviz.views.text_line import TextLine
from tests.app.mouse import move, place_of

TOKENS = ("<s>", "&", "<b>x</b>", "▁the", "Ġcat", "</s>", "&amp;")


@pytest.fixture
def marked(window: MainWindow) -> MainWindow:
    window.wiring.apply(edits.set_sentence, "sequence", " ".join(TOKENS), label="Edit Sentence")
    return window


def test_undo_names_the_token_letter_by_letter(marked: MainWindow) -> None:
    for index, token in enumerate(TOKENS):
        marked.wiring.move_point("sequence", index, 3.0, 0.01 * index, -1)
        text = marked.actions_by_name["undo"].text()
        assert text == f"&Undo Move “{token.replace('&', '&&')}”"
        assert text.replace("&&", "").count("&") == 1


def test_status_bar_shows_the_token_as_it_is(marked: MainWindow) -> None:
    move(marked.plane.canvas.viewport(), place_of(marked, 0), is_pressed=False)
    marked.selection.point_at(0, 1)
    shown = [line.text for line in marked.statusBar().findChildren(TextLine) if line.isVisible()]
    assert shown[0].startswith("query <s> → key &: ")


def test_labels_of_the_heatmaps_show_the_tokens_as_they_are(marked: MainWindow) -> None:
    for name in ("scores", "weights"):
        shown = [text for text, _ in marked.panels[name].matrix.painted_texts()]
        assert set(TOKENS) <= set(shown)


def test_no_label_of_the_window_guesses_that_a_token_is_markup(marked: MainWindow) -> None:
    marked.tokens.show_message("<s> must be a number, got <b>x</b>")
    for label in marked.findChildren(QLabel):
        if any(token in label.text() for token in TOKENS if token != "&"):
            assert label.textFormat() == Qt.TextFormat.PlainText


def test_tool_bar_shows_the_ampersand_of_a_token(marked: MainWindow) -> None:
    marked.wiring.move_point("sequence", 1, 3.0, 0.0, -1)
    texts = [button.text() for button in marked.findChildren(QToolButton)]
    assert any(text.endswith("Undo Move “&&”") for text in texts)


@pytest.mark.parametrize("name", ["<b>bold<b>.attn", "a & b.attn", "[*].attn", "a[*][*]b.attn"])
def test_file_name_is_shown_as_it_is(window: MainWindow, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_file(load_preset("s1"), path)
    window.documents.open_path(path)
    assert window.windowTitle() == f"{name.replace('[*]', '[*][*]')}[*] — attnviz"
    menu = window.findChild(QMenu, "menu_file_recent")
    assert menu is not None
    entry = menu.actions()[0]
    assert entry.text() == f"&1 {name.replace('&', '&&')}"
    assert entry.toolTip().startswith("<span")
    assert "<b>" not in entry.toolTip()


@pytest.mark.parametrize("answer", list(Answer))
def test_question_before_changes_are_lost_names_the_document_plainly(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    seen: list[QMessageBox] = []

    def answer_it(box: QMessageBox) -> int:
        seen.append(box)
        wanted = {Answer.SAVE: "Save", Answer.DISCARD: "Don't Save", Answer.CANCEL: "Cancel"}[answer]
        next(b for b in box.buttons() if b.text().replace("&", "") == wanted).click()
        return 0

    monkeypatch.setattr(dialogs.QMessageBox, "exec", answer_it)
    assert QtPrompts(window).ask_unsaved("<s> & co") is answer
    box = seen[0]
    assert box.textFormat() == Qt.TextFormat.PlainText
    assert box.text() == "Save the changes to <s> & co?"
    assert [b.text().replace("&", "") for b in box.buttons()] != []
    assert box.escapeButton().text().replace("&", "") == "Cancel"
