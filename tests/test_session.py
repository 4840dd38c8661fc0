"""The session: one signal per change, a document that errors leave alone, and undo of whole gestures."""

from pathlib import Path

import pytest

from attnviz.document import edits
from attnviz.document.errors import DocumentError
from attnviz.session import Session
from tests.document import states


@pytest.fixture
def session():
    return Session(states.cat_dog_phone())


@pytest.fixture
def frames(session):
    """Every frame the session sends from here on."""
    sent = []
    session.frame_changed.connect(sent.append)
    return sent


def heat(session, temperature, merge=None):
    session.apply(edits.set_scalar, "temperature", temperature, label="Set Temperature", merge=merge)


def test_new_session_is_unmodified_and_nameless(session):
    assert not session.is_modified
    assert session.path is None
    assert (session.undo_label, session.redo_label) == (None, None)
    assert session.frame.state is session.state


def test_edit_sends_one_frame_of_the_new_state(session, frames):
    session.apply(edits.move_point, "sequence", 1, 0.25, 0.5, label="Move 'dog'")
    assert [frame.state for frame in frames] == [session.state]
    assert session.frame is frames[0]
    assert session.state.sequence.embeddings[1].tolist() == [0.25, 0.5]
    assert session.undo_label == "Move 'dog'"
    assert session.is_modified


def test_edit_that_changes_nothing_sends_nothing(session, frames):
    heat(session, 1.0)
    assert frames == []
    assert session.undo_label is None


def test_refused_edit_leaves_the_document_as_it_was(session, frames):
    before = session.frame
    with pytest.raises(DocumentError, match="temperature must be between"):
        heat(session, 0.0)
    assert frames == []
    assert session.frame is before
    assert session.undo_label is None


def test_edit_whose_numbers_overflow_leaves_the_document_as_it_was(session, frames):
    before = session.frame
    with pytest.raises(DocumentError, match="must stay below"):
        session.apply(edits.move_point, "sequence", 0, 1e200, 0.0, label="Move 'cat'")
    assert frames == []
    assert session.frame is before
    assert not session.is_modified


def test_undo_and_redo_send_the_states_back_and_forth(session, frames):
    first = session.state
    heat(session, 2.0)
    second = session.state
    session.undo()
    session.redo()
    assert [frame.state for frame in frames] == [second, first, second]


def test_undo_at_the_beginning_and_redo_at_the_end_send_nothing(session, frames):
    session.undo()
    session.redo()
    assert frames == []


def test_gesture_is_undone_as_one(session):
    for temperature in (2.0, 3.0, 4.0):
        heat(session, temperature, merge="gesture")
    session.undo()
    assert session.state.temperature == 1.0
    assert session.redo_label == "Set Temperature"


def test_gesture_taken_back_never_happened(session, frames):
    heat(session, 2.0, merge="gesture")
    session.take_back("gesture")
    assert frames[-1].state.temperature == 1.0
    assert (session.undo_label, session.redo_label) == (None, None)
    assert not session.is_modified


def test_taking_back_a_gesture_that_did_nothing_sends_nothing(session, frames):
    session.take_back("gesture")
    assert frames == []


def test_gesture_that_ends_where_it_began_is_no_change(session, frames):
    heat(session, 2.0, merge="gesture")
    heat(session, 1.0, merge="gesture")
    assert [frame.state.temperature for frame in frames] == [2.0, 1.0]
    assert session.undo_label is None
    assert not session.is_modified


def test_saving_marks_the_state_and_names_the_file(session, frames):
    heat(session, 2.0)
    session.mark_saved(Path("scene.attn"))
    assert not session.is_modified
    assert session.path == Path("scene.attn")
    assert len(frames) == 2
    session.undo()
    assert session.is_modified


def test_opening_begins_a_new_history(session, frames):
    heat(session, 2.0)
    other = states.cross_state()
    session.open(session.prepare(other), Path("other.attn"))
    assert session.state is other
    assert (session.path, session.undo_label, session.is_modified) == (Path("other.attn"), None, False)
    assert frames[-1].state is other


def test_imported_document_is_unsaved(session):
    session.open(session.prepare(states.cross_state()), None, is_saved=False)
    assert session.is_modified


def test_document_that_cannot_be_computed_is_refused_while_the_present_one_stays(session, frames):
    before = session.frame
    bad = edits.move_point(states.cat_dog_phone(), "sequence", 0, 1e200, 0.0)
    with pytest.raises(DocumentError, match="must stay below"):
        session.prepare(bad)
    assert frames == []
    assert session.frame is before
