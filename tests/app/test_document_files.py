"""Documents as a person handles them: new, open, recent, save, the question before changes are lost, files dropped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from attnviz.app.documents import Answer
from attnviz.app.window import MainWindow
from attnviz.document.attn_file import encode, read_file, write_file
from attnviz.document.presets import load_preset, preset_names
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.text_line import TextLine
from tests.app.conftest import OpenWindow, answers_of
from tests.app.mouse import click, drop_files


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.attn"
    write_file(load_preset("s2"), path)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.attn"
    path.write_text('{"format": "attnviz", "version": 1, "tok')
    return path


def change(window: MainWindow) -> State:
    window.actions_by_name["causal"].trigger()
    return window.session.state


def message(window: MainWindow) -> str:
    lines = [line.text for line in window.statusBar().findChildren(TextLine) if line.isVisible()]
    return lines[0]


def recent_menu(window: MainWindow) -> QMenu:
    menu = window.findChild(QMenu, "menu_file_recent")
    assert isinstance(menu, QMenu)
    return menu


def test_title_marks_what_is_not_saved(window: MainWindow, tmp_path: Path) -> None:
    assert window.windowTitle() == "Cat, dog, phone[*] — attnviz"
    assert not window.isWindowModified()
    change(window)
    assert window.isWindowModified()
    window.actions_by_name["undo"].trigger()
    assert not window.isWindowModified()
    window.actions_by_name["redo"].trigger()
    answers_of(window).save_path = tmp_path / "scene.attn"
    window.actions_by_name["save"].trigger()
    assert window.windowTitle() == "scene.attn[*] — attnviz"
    assert not window.isWindowModified()


def test_first_save_asks_for_a_name_and_the_next_does_not(window: MainWindow, tmp_path: Path) -> None:
    prompts = answers_of(window)
    prompts.save_path = tmp_path / "scene"
    window.actions_by_name["save"].trigger()
    assert prompts.asked == ["save Cat, dog, phone.attn"]
    assert read_file(tmp_path / "scene.attn").is_same(window.session.state)
    state = change(window)
    window.actions_by_name["save"].trigger()
    assert len(prompts.asked) == 1
    assert read_file(tmp_path / "scene.attn").is_same(state)


@pytest.mark.parametrize(("typed", "expected"), [("scene", "scene.attn"), ("v1.2", "v1.2.attn"), ("a.ATTN", "a.ATTN")])
def test_saved_name_ends_as_documents_do(window: MainWindow, tmp_path: Path, typed: str, expected: str) -> None:
    answers_of(window).save_path = tmp_path / typed
    window.actions_by_name["save_as"].trigger()
    assert (tmp_path / expected).read_bytes() == encode(window.session.state)


def test_a_completed_name_never_writes_over_a_file(window: MainWindow, other: Path) -> None:
    kept = other.read_bytes()
    answers_of(window).save_path = other.with_suffix("")
    window.actions_by_name["save_as"].trigger()
    assert other.read_bytes() == kept
    assert "other.attn" in message(window)


def test_a_failing_save_keeps_the_document_modified_and_says_why(window: MainWindow, tmp_path: Path) -> None:
    change(window)
    answers_of(window).save_path = tmp_path / "missing" / "scene.attn"
    window.actions_by_name["save"].trigger()
    assert window.isWindowModified()
    assert window.session.path is None
    assert "missing" in message(window)


def test_save_before_closing_that_fails_keeps_the_window(window: MainWindow, tmp_path: Path) -> None:
    change(window)
    answers_of(window).unsaved = Answer.SAVE
    answers_of(window).save_path = tmp_path / "missing" / "scene.attn"
    assert not window.close()
    answers_of(window).save_path = None
    assert not window.close()
    answers_of(window).save_path = tmp_path / "scene.attn"
    assert window.close()
    assert (tmp_path / "scene.attn").exists()


@pytest.mark.parametrize("way", ["new", "open", "scene", "close"])
@pytest.mark.parametrize("answer", list(Answer))
def test_unsaved_changes_are_asked_about(
    window: MainWindow, other: Path, tmp_path: Path, way: str, answer: Answer
) -> None:
    prompts = answers_of(window)
    prompts.unsaved, prompts.open_path, prompts.save_path = answer, other, tmp_path / "kept.attn"
    state = change(window)
    if way == "close":
        assert window.close() == (answer is not Answer.CANCEL)
    elif way == "scene":
        choose_scene(window, 1)
    else:
        window.actions_by_name[way].trigger()
    assert "unsaved Cat, dog, phone" in prompts.asked
    is_kept = answer is Answer.CANCEL or way == "close"
    assert window.session.state.is_same(state) == is_kept
    assert (tmp_path / "kept.attn").exists() == (answer is Answer.SAVE)


def choose_scene(window: MainWindow, place: int) -> None:
    window.scene_box.setCurrentIndex(place)
    window.scene_box.activated.emit(place)


def test_scene_box_follows_the_document(window: MainWindow, other: Path) -> None:
    assert window.scene_box.currentText() == "Cat, dog, phone"
    change(window)
    answers_of(window).unsaved = Answer.CANCEL
    choose_scene(window, 3)
    assert window.scene_box.currentText() == "Cat, dog, phone"
    answers_of(window).unsaved = Answer.DISCARD
    window.documents.open_path(other)
    assert window.scene_box.currentText() == load_preset("s2").title


def test_scene_box_shows_the_title_of_a_document_that_is_no_scene(window: MainWindow) -> None:
    box = window.scene_box
    for title, shown in (("mine.txt", "mine.txt"), ("", "Own document"), ("W" * 60, "…")):
        window.documents.open_state(replace(load_preset("s2"), title=title))
        assert (box.currentIndex(), box.currentText()) == (-1, "")
        assert box.placeholderText().endswith(shown)
        assert box.accessibleDescription() == title or not title
        assert box.fontMetrics().horizontalAdvance(box.placeholderText()) < box.width()
    window.documents.open_preset("s3")
    assert (box.currentText(), box.placeholderText()) == (load_preset("s3").title, "")


def test_unchanged_document_is_left_without_a_question(window: MainWindow) -> None:
    window.actions_by_name["new"].trigger()
    assert answers_of(window).asked == []


def test_cancelled_open_changes_nothing(window: MainWindow) -> None:
    state = window.session.state
    window.actions_by_name["open"].trigger()
    assert window.session.state is state


@pytest.fixture
def overflowing(tmp_path: Path) -> Path:
    path = tmp_path / "overflowing.attn"
    write_file(State(TokenSequence(("a",), np.array([[1e200, 0.0]]))), path)
    return path


def test_a_document_whose_numbers_overflow_is_refused_before_anything_is_asked(
    window: MainWindow, overflowing: Path
) -> None:
    state = change(window)
    window.selection.pin_cell(2, 0)
    chosen = window.selection.chosen
    assert drop_files(window, overflowing)
    assert message(window).startswith("overflowing.attn: q k^T must stay below")
    assert window.session.state is state
    assert window.selection.chosen == chosen
    assert answers_of(window).asked == []


@pytest.mark.parametrize("name", ["broken.attn", "absent.attn"])
def test_what_cannot_be_opened_is_said_and_the_document_stays(
    window: MainWindow, tmp_path: Path, broken: Path, name: str
) -> None:
    state = change(window)
    answers_of(window).open_path = tmp_path / name
    window.actions_by_name["open"].trigger()
    assert window.session.state is state
    assert name in message(window)
    assert answers_of(window).asked == ["open"]
    assert window.documents.recent() == []


def test_recent_documents_newest_first_and_ten_at_most(window: MainWindow, tmp_path: Path) -> None:
    paths = [tmp_path / f"d{i}.attn" for i in range(12)]
    for path in paths:
        write_file(load_preset("s2"), path)
        window.documents.open_path(path)
    window.documents.open_path(paths[5])
    expected = [paths[5], *(p for p in reversed(paths) if p != paths[5])][:10]
    assert window.documents.recent() == expected
    texts = [action.text() for action in recent_menu(window).actions()][:10]
    assert texts == [f"&{(i + 1) % 10} {path.name}" for i, path in enumerate(expected)]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_recent_document_opens_by_a_click_in_the_menu(window: MainWindow, other: Path) -> None:
    window.documents.open_path(other)
    window.actions_by_name["new"].trigger()
    menu = recent_menu(window)
    menu.popup(window.mapToGlobal(window.rect().center()))
    click(menu, menu.actionGeometry(menu.actions()[0]).center().toPointF())
    assert window.session.path == other
    menu.close()


def test_missing_recent_document_is_greyed_and_back_when_it_is_back(window: MainWindow, other: Path) -> None:
    window.documents.open_path(other)
    content = other.read_bytes()
    other.unlink()
    menu = recent_menu(window)
    menu.aboutToShow.emit()
    assert not menu.actions()[0].isEnabled()
    other.write_bytes(content)
    menu.aboutToShow.emit()
    assert menu.actions()[0].isEnabled()


def test_clear_forgets_the_recent_documents(window: MainWindow, other: Path) -> None:
    window.documents.open_path(other)
    menu = recent_menu(window)
    menu.actions()[-1].trigger()
    assert window.documents.recent() == []
    assert not menu.actions()[-1].isEnabled()


def test_recent_documents_outlive_the_window(open_window: OpenWindow, settings: QSettings, other: Path) -> None:
    open_window(load_preset("s1")).documents.open_path(other)
    settings.sync()
    assert open_window(load_preset("s1")).documents.recent() == [other]


@pytest.mark.parametrize("target", ["window", "sentence", "box", "canvas", "matrix", "table"])
def test_a_dropped_document_opens_wherever_it_falls(window: MainWindow, other: Path, target: str) -> None:
    widgets: dict[str, QWidget] = {
        "window": window,
        "sentence": window.tokens.sentence,
        "box": window.plane.footer.x_box,
        "canvas": window.plane.canvas.viewport(),
        "matrix": window.scores.matrix,
        "table": window.tokens.table.viewport(),
    }
    assert drop_files(widgets[target], other)
    assert window.session.path == other
    assert window.tokens.sentence.text() == "the cat sat mat"


def test_two_dropped_files_are_not_taken(window: MainWindow, other: Path, broken: Path) -> None:
    state = window.session.state
    assert not drop_files(window, other, broken)
    assert window.session.state is state


def test_a_dropped_document_asks_about_unsaved_changes(window: MainWindow, other: Path) -> None:
    state = change(window)
    answers_of(window).unsaved = Answer.CANCEL
    drop_files(window, other)
    assert window.session.state is state


def test_a_dropped_file_of_another_kind_is_refused_in_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    state = window.session.state
    drop_files(window, picture)
    dialog = window.findChild(QDialog)
    assert dialog is not None
    assert "picture.png" in dialog.message.text()
    assert not dialog.import_button.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.session.state is state


@pytest.mark.parametrize("name", preset_names())
def test_preset_opens_as_an_unmodified_document_without_a_file(window: MainWindow, name: str) -> None:
    assert window.documents.open_preset(name)
    assert (window.session.path, window.isWindowModified()) == (None, False)
    assert window.session.state.is_same(load_preset(name))


def test_opening_another_document_shows_all_of_it_and_empties_the_history(window: MainWindow) -> None:
    change(window)
    window.documents.open_preset("s2")
    assert (window.session.undo_label, window.session.redo_label) == (None, None)
    view = window.plane.canvas.window_shown()
    state = window.session.state
    for x, y in state.points(state.sequence.embeddings).tolist():
        assert view.left <= x <= view.right
        assert view.bottom <= y <= view.top


def test_settings_of_another_kind_do_not_stop_the_window(open_window: OpenWindow, settings: QSettings) -> None:
    window = open_window(load_preset("s1"))
    settings.setValue("font_percent", "many")
    settings.setValue("theme", "sepia")
    settings.setValue("window/state", QByteArray(b"rubbish"))
    window.appearance.restore()
    assert not window.layout_of_docks.restore_docks()
    assert (window.appearance.percent, window.appearance.choice) == (100, "system")


@pytest.mark.parametrize("scene", ["s2", "s3", "s4", "s5"])
def test_another_document_is_in_view_whatever_was_chosen_before(fresh_window: MainWindow, scene: str) -> None:
    fresh_window.selection.choose_token("sequence", 1, is_query=True)
    fresh_window.documents.open_preset(scene)
    assert fresh_window.plane.canvas.shows_every_token()


def test_new_tokens_out_of_sight_make_the_view_fit(fresh_window: MainWindow) -> None:
    fresh_window.tokens.rows_pasted.emit("sequence", 3, "far\t30\t-40")
    assert fresh_window.session.state.sequence.tokens[3] == "far"
    assert fresh_window.plane.canvas.shows_every_token()


def test_what_was_done_is_not_coloured_as_an_error_and_goes_with_the_next_edit(
    fresh_window: MainWindow, tmp_path: Path
) -> None:
    answers_of(fresh_window).save_path = tmp_path / "scene.attn"
    fresh_window.actions_by_name["save_as"].trigger()
    assert fresh_window.message == "Saved scene.attn."
    change(fresh_window)
    assert fresh_window.message == ""
