"""Undo and redo go through states exactly; a gesture is one entry, and one state is the saved one."""

import pytest

from attnviz.document.edits import set_scalar
from attnviz.document.history import MAX_ENTRIES, History
from tests.document import states


def heated(temperature):
    return states.cat_dog_phone(temperature=temperature)


@pytest.fixture
def history():
    """A history at the last of three states, temperatures 1, 2 and 3."""
    history = History(heated(1.0))
    history.push(heated(2.0), "Two")
    history.push(heated(3.0), "Three")
    return history


def temperatures(history):
    """Walk to the beginning and give every temperature from there to the end."""
    while history.undo():
        pass
    seen = [history.state.temperature]
    while history.redo():
        seen.append(history.state.temperature)
    return seen


def test_new_history_has_nothing_to_undo_or_redo():
    history = History(heated(1.0))
    assert (history.undo_label, history.redo_label, history.is_clean) == (None, None, True)
    assert not history.undo()
    assert not history.redo()


def test_undo_gives_back_the_very_same_state(history):
    before = heated(5.0)
    history.push(before, "Five")
    history.push(heated(6.0), "Six")
    assert history.undo()
    assert history.state is before


def test_labels_name_the_neighbouring_edits(history):
    assert (history.undo_label, history.redo_label) == ("Three", None)
    history.undo()
    assert (history.undo_label, history.redo_label) == ("Two", "Three")


def test_equal_state_makes_no_entry(history):
    assert not history.push(heated(3.0), "Again")
    assert history.undo_label == "Three"


def test_edit_after_undo_drops_what_was_undone(history):
    history.undo()
    history.push(heated(9.0), "Nine")
    assert temperatures(history) == [1.0, 2.0, 9.0]


def test_states_of_one_gesture_make_one_entry(history):
    for temperature in (4.0, 5.0, 6.0):
        assert history.push(heated(temperature), "Drag", "gesture")
    assert temperatures(history) == [1.0, 2.0, 3.0, 6.0]


def test_two_gestures_make_two_entries(history):
    history.push(heated(4.0), "Drag", 1)
    history.push(heated(5.0), "Drag", 2)
    assert temperatures(history) == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_gesture_does_not_continue_across_an_undo(history):
    history.push(heated(4.0), "Drag", 1)
    history.undo()
    history.push(heated(5.0), "Drag", 1)
    assert temperatures(history) == [1.0, 2.0, 3.0, 5.0]


def test_gesture_that_ends_where_it_began_leaves_no_entry(history):
    history.undo()
    history.push(heated(4.0), "Drag", 1)
    assert history.push(heated(2.0), "Drag", 1)
    assert temperatures(history) == [1.0, 2.0, 3.0]


def test_gesture_taken_back_restores_what_could_be_redone(history):
    history.undo()
    history.push(heated(4.0), "Drag", 1)
    history.push(heated(5.0), "Drag", 1)
    assert history.take_back(1)
    assert history.state.temperature == 2.0
    assert history.redo_label == "Three"
    assert temperatures(history) == [1.0, 2.0, 3.0]


def test_only_the_gesture_at_the_end_can_be_taken_back(history):
    history.push(heated(4.0), "Drag", 1)
    assert not history.take_back(2)
    history.push(heated(5.0), "Set")
    assert not history.take_back(1)
    assert temperatures(history) == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_clean_mark_follows_the_saved_state(history):
    assert not history.is_clean
    history.mark_saved()
    assert history.is_clean
    history.undo()
    assert not history.is_clean
    history.redo()
    assert history.is_clean


def test_state_equal_to_the_saved_one_is_clean_by_whatever_way(history):
    history.mark_saved()
    history.undo()
    history.push(heated(3.0), "Three again")
    assert history.is_clean


def test_saving_in_the_middle_of_a_gesture_marks_that_state(history):
    history.push(heated(4.0), "Drag", 1)
    history.mark_saved()
    history.push(heated(5.0), "Drag", 1)
    assert not history.is_clean
    history.push(heated(4.0), "Set")
    assert history.is_clean


def test_forgotten_save_makes_every_state_unsaved(history):
    history.forget_saved()
    assert not history.is_clean
    history.undo()
    history.undo()
    assert not history.is_clean
    history.mark_saved()
    assert history.is_clean


def test_oldest_edits_are_forgotten_beyond_the_limit():
    history = History(heated(1.0))
    for i in range(MAX_ENTRIES + 7):
        history.push(set_scalar(history.state, "seed", i + 1), f"Edit {i}")
    count = 0
    while history.undo():
        count += 1
    assert count == MAX_ENTRIES
    assert history.state.seed == 7


def test_save_that_was_forgotten_with_its_edit_still_counts():
    history = History(heated(1.0))
    for i in range(MAX_ENTRIES + 1):
        history.push(set_scalar(history.state, "seed", i + 1), "Edit")
    assert not history.is_clean
    history.push(set_scalar(history.state, "seed", 0), "Edit")
    assert history.is_clean
