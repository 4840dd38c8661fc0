"""Snapshots: states kept under a name, saved with the document and gone back to."""

from __future__ import annotations

import json

import numpy as np
import pytest

from attnviz.document import edits, snapshot_edits
from attnviz.document.attn_file import decode, encode
from attnviz.document.errors import DocumentError, FileError
from attnviz.document.snapshots import MAX_SNAPSHOTS, Snapshot
from attnviz.document.state import State
from tests.document.layers import random_layer
from tests.document.states import assert_one_sentence, cat_dog_phone


def held() -> State:
    return edits.set_scalar(snapshot_edits.take_snapshot(cat_dog_phone(), "start"), "temperature", 0.5)


def test_snapshot_is_the_state_of_that_moment() -> None:
    (snapshot,) = held().snapshots
    assert snapshot.name == "start"
    assert snapshot.state.is_same(cat_dog_phone())


def test_going_back_brings_the_state_and_keeps_the_list() -> None:
    again = snapshot_edits.restore_snapshot(held(), 0)
    assert again.temperature == 1.0
    assert again.snapshots != ()
    assert again.snapshots[0].name == "start"


def test_snapshots_of_snapshots_are_not_kept() -> None:
    twice = snapshot_edits.take_snapshot(held(), "later")
    assert [one.name for one in twice.snapshots] == ["start", "later"]
    assert all(one.state.snapshots == () for one in twice.snapshots)


def test_snapshot_of_a_state_that_has_some_is_refused() -> None:
    with pytest.raises(DocumentError, match="a snapshot must be a state without snapshots, got one with some"):
        Snapshot("later", held())


def test_snapshot_is_renamed_and_forgotten() -> None:
    named = snapshot_edits.rename_snapshot(held(), 0, "before")
    assert named.snapshots[0].name == "before"
    assert not named.is_same(held())
    assert snapshot_edits.delete_snapshot(named, 0).snapshots == ()


def test_names_are_letters_and_then_numbers() -> None:
    state = cat_dog_phone()
    names = []
    for _ in range(28):
        names.append(snapshot_edits.next_name(state))
        state = snapshot_edits.take_snapshot(state, names[-1])
    assert names[:2] == ["A", "B"]
    assert names[25:] == ["Z", "Snapshot 1", "Snapshot 2"]
    assert snapshot_edits.next_name(snapshot_edits.delete_snapshot(state, 1)) == "B"


@pytest.mark.parametrize("seed", range(5))
def test_snapshots_are_saved_to_the_last_bit(seed: int) -> None:
    state = snapshot_edits.take_snapshot(cat_dog_phone(), "first")
    layer = random_layer(seed, with_pins=True)
    kept = State(
        **{name: getattr(layer, name) for name in ("sequence", "w_q", "w_k", "w_v")}, snapshots=state.snapshots
    )
    kept = snapshot_edits.take_snapshot(kept, "שלום “2”")
    kept = State(layer.sequence, snapshots=(*kept.snapshots, Snapshot("layer", layer)))
    again = decode(encode(kept), "f")
    assert again.is_same(kept)
    assert encode(again) == encode(kept)


def test_document_without_snapshots_says_nothing_of_them() -> None:
    assert b"snapshots" not in encode(cat_dog_phone(n_heads=2))


@pytest.mark.parametrize(
    ("snapshots", "sentence"),
    [
        ({}, "snapshots must be a list, got an object"),
        ([{"name": "A"}], "snapshots entry 1 must hold state, got none"),
        (
            [{"name": "", "state": {"sequence": {"tokens": ["a"], "embeddings": [[1]]}}}],
            "snapshots entry 1: a ",
        ),
        ([{"name": "A", "state": {"version": 3}}], "snapshots entry 1.state must hold only title, "),
        ([{"name": "A", "state": {}}], "snapshots entry 1: the file must hold sequence, got none"),
        (
            [{"name": "A", "state": {"sequence": {"tokens": ["a"], "embeddings": [[None]]}}}],
            "snapshots entry 1: sequence.embeddings row 1 must hold finite numbers, got none",
        ),
    ],
)
def test_bad_snapshot_is_refused_with_its_place(snapshots: object, sentence: str) -> None:
    document = json.loads(encode(held())) | {"snapshots": snapshots}
    with pytest.raises(FileError) as caught:
        decode(json.dumps(document).encode(), "f.attn")
    assert str(caught.value).startswith(f"f.attn: {sentence}")
    assert_one_sentence(caught.value)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81])
def test_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        snapshot_edits.take_snapshot(cat_dog_phone(), name)
    assert_one_sentence(caught.value)


@pytest.mark.parametrize("index", [-1, 1])
def test_snapshot_that_is_not_there_is_refused(index: int) -> None:
    for edit in (snapshot_edits.restore_snapshot, snapshot_edits.delete_snapshot):
        with pytest.raises(DocumentError, match="a snapshot must be one of 1 to 1"):
            edit(held(), index)


def test_too_many_snapshots_are_refused() -> None:
    snapshots = (Snapshot("A", cat_dog_phone()),) * MAX_SNAPSHOTS
    with pytest.raises(DocumentError, match="at most 50 snapshots can be kept, got 51"):
        snapshot_edits.take_snapshot(cat_dog_phone(snapshots=snapshots), "one more")


def test_moving_a_token_shares_the_snapshots() -> None:
    state = held()
    assert edits.move_point(state, "sequence", 0, 0.3, 0.2).snapshots is state.snapshots
    assert np.shares_memory(state.snapshots[0].state.sequence.embeddings, cat_dog_phone().sequence.embeddings) is False
