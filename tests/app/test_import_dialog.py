"""Importing embeddings: from the file through the dialog into the document, with the thread that reads in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt, QThreadPool, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from attnviz.app import import_dialog
from attnviz.app.import_dialog import ImportDialog
from attnviz.app.window import MainWindow
from attnviz.sources import Cancelled, WordVectors
from attnviz.views.text_line import TextLine
from tests.app.conftest import answers_of

ROWS = {
    "the": (0.5, -1.0, 0.25),
    "cat": (1.0, 0.5, 0.0),
    "dog": (0.75, 0.5, 0.125),
    "phone": (-0.5, 1.0, 2.0),
}


@pytest.fixture
def glove(tmp_path: Path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in ROWS.items()))
    return path


def open_dialog(window: MainWindow, path: Path) -> ImportDialog:
    answers_of(window).import_path = path
    window.actions_by_name["import_embeddings"].trigger()
    dialog = window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    return dialog


def type_sentence(dialog: ImportDialog, text: str) -> None:
    dialog.sentence.setFocus()
    dialog.sentence.selectAll()
    QTest.keyClicks(dialog.sentence, text)


class SlowReader:
    """A reading that goes on until it is cancelled or let go, and tells how far it is."""

    def __init__(self) -> None:
        self.began, self.may_end = threading.Event(), threading.Event()
        self.was_cancelled = False

    def __call__(
        self,
        _path: Path,
        _wanted: Sequence[str] | None,
        *,
        progress: Callable[[float], None],
        is_cancelled: Callable[[], bool],
    ) -> WordVectors:
        self.began.set()
        progress(0.25)
        while not self.may_end.wait(0.002):
            if is_cancelled():
                self.was_cancelled = True
                raise Cancelled
        return WordVectors(("cat",), np.ones((1, 3)), ())


@pytest.fixture
def slow_reader(monkeypatch: pytest.MonkeyPatch) -> SlowReader:
    reader = SlowReader()
    monkeypatch.setattr(import_dialog, "read_word_vectors", reader)
    return reader


def test_sentence_of_a_file_becomes_the_document_in_one_undo_entry(
    window: MainWindow, glove: Path, qtbot: QtBot
) -> None:
    before = window.session.state
    dialog = open_dialog(window, glove)
    assert "3 numbers each" in dialog.summary.text()
    assert dialog.sentence.text() == "cat dog phone"
    type_sentence(dialog, "the cat the dog")
    with qtbot.waitSignal(dialog.imported):
        QTest.keyClick(dialog.sentence, Qt.Key.Key_Return)
    state = window.session.state
    assert state.sequence.tokens == ("the", "cat", "the", "dog")
    np.testing.assert_array_equal(state.sequence.embeddings, [ROWS[word] for word in state.sequence.tokens])
    assert window.session.undo_label == "Import Embeddings"
    window.actions_by_name["undo"].trigger()
    assert window.session.state.is_same(before)


def test_imported_tokens_are_all_in_view_with_the_share_of_variance(
    window: MainWindow, glove: Path, qtbot: QtBot
) -> None:
    dialog = open_dialog(window, glove)
    with qtbot.waitSignal(dialog.imported):
        dialog.import_button.click()
    state, view = window.session.state, window.plane.canvas.window_shown()
    assert state.plane is not None
    for x, y in state.points(state.sequence.embeddings).tolist():
        assert view.left < x < view.right
        assert view.bottom < y < view.top
    embeddings = state.sequence.embeddings
    singular = np.linalg.svd(embeddings - embeddings.mean(axis=0), compute_uv=False)
    share = 100.0 * singular[:2] ** 2 / (singular**2).sum()
    assert f"PC 1 {share[0]:.1f} % + PC 2 {share[1]:.1f} %" in window.plane.subtitle


def test_words_of_which_the_file_has_none_are_not_suggested(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "other.txt"
    path.write_text("sun 1 2 3\nmoon 4 5 6\n")
    dialog = open_dialog(window, path)
    assert dialog.sentence.text() == ""
    assert dialog.sentence.placeholderText().startswith("Words to keep")
    with qtbot.waitSignal(dialog.imported):
        QTest.keyClick(dialog.sentence, Qt.Key.Key_Return)
    assert window.session.state.sequence.tokens == ("sun", "moon")


def test_unknown_words_are_listed_and_dropped_on_request(window: MainWindow, glove: Path, qtbot: QtBot) -> None:
    dialog = open_dialog(window, glove)
    type_sentence(dialog, "cat unicorn dog <b>gryphon</b>")
    dialog.import_button.click()
    qtbot.waitUntil(dialog.message.isVisible)
    assert dialog.message.text() == "Not in the file: unicorn, <b>gryphon</b>"
    assert dialog.message.textFormat() == Qt.TextFormat.PlainText
    assert window.session.state.sequence.tokens == ("cat", "dog", "phone")
    with qtbot.waitSignal(dialog.imported):
        dialog.import_button.click()
    assert window.session.state.sequence.tokens == ("cat", "dog")


def test_changing_the_sentence_reads_again(window: MainWindow, glove: Path, qtbot: QtBot) -> None:
    dialog = open_dialog(window, glove)
    type_sentence(dialog, "cat unicorn")
    dialog.import_button.click()
    qtbot.waitUntil(dialog.message.isVisible)
    type_sentence(dialog, "phone the")
    with qtbot.waitSignal(dialog.imported):
        dialog.import_button.click()
    assert window.session.state.sequence.tokens == ("phone", "the")


def test_no_known_word_leaves_the_document(window: MainWindow, glove: Path, qtbot: QtBot) -> None:
    state = window.session.state
    dialog = open_dialog(window, glove)
    type_sentence(dialog, "unicorn")
    dialog.import_button.click()
    qtbot.waitUntil(dialog.message.isVisible)
    assert dialog.message.text() == "None of these words is in the file: unicorn"
    assert window.session.state is state


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\0\0", b"cat 1 2\ndog 1\n", b"cat one two\n"])
def test_a_bad_file_is_refused_in_one_sentence(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, content: bytes
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    state = window.session.state
    dialog = open_dialog(window, path)
    if dialog.import_button.isEnabled():
        dialog.import_button.click()
    qtbot.waitUntil(dialog.message.isVisible)
    assert "bad.txt" in dialog.message.text()
    assert "\n" not in dialog.message.text()
    assert window.session.state is state


def test_cancel_stops_a_long_reading_and_the_dialog_stays(
    window: MainWindow, glove: Path, qtbot: QtBot, slow_reader: SlowReader
) -> None:
    state = window.session.state
    dialog = open_dialog(window, glove)
    dialog.import_button.click()
    qtbot.waitUntil(lambda: dialog.progress.value() == 250)
    assert dialog.progress.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert slow_reader.was_cancelled
    assert dialog.isVisible()
    assert dialog.message.text() == "Cancelled; nothing was changed."
    assert dialog.import_button.isEnabled()
    assert window.session.state is state
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_closing_the_window_ends_the_reading(
    window: MainWindow, glove: Path, qtbot: QtBot, slow_reader: SlowReader
) -> None:
    dialog = open_dialog(window, glove)
    dialog.import_button.click()
    qtbot.waitUntil(slow_reader.began.is_set)
    assert window.close()
    assert slow_reader.was_cancelled
    assert QThreadPool.globalInstance().waitForDone(1000)


def test_window_lives_on_while_a_file_is_read(
    window: MainWindow, glove: Path, qtbot: QtBot, slow_reader: SlowReader
) -> None:
    dialog = open_dialog(window, glove)
    dialog.import_button.click()
    qtbot.waitUntil(slow_reader.began.is_set)
    ticks: list[int] = []
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: ticks.append(len(ticks)))
    timer.start()
    qtbot.waitUntil(lambda: len(ticks) > 20)
    timer.stop()
    assert not slow_reader.may_end.is_set()
    slow_reader.may_end.set()
    qtbot.waitUntil(lambda: window.session.state.sequence.tokens == ("cat",))


def test_cancelled_question_opens_no_dialog(window: MainWindow) -> None:
    window.actions_by_name["import_embeddings"].trigger()
    assert window.findChild(ImportDialog) is None


def test_vectors_without_words_are_read_whole(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "rows.npy"
    np.save(path, np.arange(12.0).reshape(4, 3))
    dialog = open_dialog(window, path)
    with qtbot.waitSignal(dialog.imported):
        dialog.import_button.click()
    np.testing.assert_array_equal(window.session.state.sequence.embeddings, np.arange(12.0).reshape(4, 3))


@pytest.mark.parametrize(("words", "size"), [("two\nlines", 1.0), ("large", 1e200)])
def test_vectors_that_no_document_takes_are_refused_by_the_name_of_their_file(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, words: str, size: float
) -> None:
    state, path = window.session.state, tmp_path / "odd.npz"
    np.savez(path, vectors=np.full((1, 2), size), tokens=np.array([words]))
    dialog = open_dialog(window, path)
    dialog.sentence.clear()
    with qtbot.waitSignal(dialog.imported):
        dialog.import_button.click()
    assert window.session.state is state
    said = next(line.text for line in window.statusBar().findChildren(TextLine) if line.isVisible())
    assert said.startswith("odd.npz: ")


def test_what_arrives_after_the_cancel_is_dropped(
    window: MainWindow, glove: Path, qtbot: QtBot, slow_reader: SlowReader
) -> None:
    state = window.session.state
    dialog = open_dialog(window, glove)
    dialog.import_button.click()
    slow_reader.may_end.set()
    assert QThreadPool.globalInstance().waitForDone(5000)  # the result waits in the window's queue
    dialog.reject()
    QApplication.processEvents()
    assert dialog.message.text() == "Cancelled; nothing was changed."
    assert window.session.state is state


# What the rows are to be


def choose_role(dialog: ImportDialog, label: str) -> None:
    button = next(b for b in dialog.role.findChildren(QToolButton) if b.text() == label)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_both_widths_are_said_before_anything_is_read(window: MainWindow, glove: Path) -> None:
    dialog = open_dialog(window, glove)
    assert dialog.widths.text().startswith("The file has 3 numbers a token, the document 2. ")
    assert dialog.import_button.isEnabled()


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("Tokens that answer", "the tokens that answer must have the width of those that ask, 2, got 3."),
        ("Tokens that ask", "tokens that take the place of others must have their width, 2, got 3."),
    ],
)
def test_a_list_of_another_width_is_refused_at_the_control(
    window: MainWindow, glove: Path, label: str, sentence: str
) -> None:
    state = window.session.state
    dialog = open_dialog(window, glove)
    choose_role(dialog, label)
    assert dialog.widths.text() == f"The file has 3 numbers a token, the document 2: {sentence}"
    assert not dialog.import_button.isEnabled()
    choose_role(dialog, "Start over")
    assert dialog.import_button.isEnabled()
    assert window.session.state is state


def test_words_become_the_tokens_that_answer(window: MainWindow, glove: Path, qtbot: QtBot) -> None:
    window.documents.open_preset("s5")
    before = window.session.state
    dialog = open_dialog(window, glove)
    type_sentence(dialog, "the phone")
    choose_role(dialog, "Tokens that answer")
    assert dialog.widths.text() == "The file has 3 numbers a token, the document 3: they fit."
    with qtbot.waitSignal(dialog.imported):
        dialog.import_button.click()
    state = window.session.state
    assert state.context is not None
    assert state.context.tokens == ("the", "phone")
    np.testing.assert_array_equal(state.context.embeddings, [ROWS["the"], ROWS["phone"]])
    assert state.sequence.is_same(before.sequence)
    np.testing.assert_array_equal(state.w_v, before.w_v)
    assert window.session.undo_label == "Import Embeddings"


def test_words_become_the_tokens_that_ask(window: MainWindow, glove: Path, qtbot: QtBot) -> None:
    window.documents.open_preset("s5")
    before = window.session.state
    dialog = open_dialog(window, glove)
    type_sentence(dialog, "cat dog")
    choose_role(dialog, "Tokens that ask")
    with qtbot.waitSignal(dialog.imported):
        dialog.import_button.click()
    state = window.session.state
    assert state.sequence.tokens == ("cat", "dog")
    assert state.context is not None
    assert state.context.is_same(before.context)
