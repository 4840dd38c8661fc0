"""A document comes back from its file to the last bit, and a file that is none is refused in one sentence."""

import json
import os
from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import attn_file, edits
from attnviz.document.attn_file import MAX_BYTES, decode, encode, read_file, write_file
from attnviz.document.errors import FileError
from attnviz.document.state import SCALARS, State
from attnviz.document.tokens import TokenSequence
from tests.document import states
from tests.document.states import ODD_TOKENS

HARD_FLOATS = [-0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1 / 3, -1e-17]

WRITTEN = """{
  "format": "attnviz",
  "version": 1,
  "title": "Größe",
  "sequence": {
    "tokens": ["cat", "<s>"],
    "embeddings": [
      [1.0, -0.0],
      [0.1, 5e-324]
    ]
  },
  "w_v": [
    [1.0],
    [2.0]
  ],
  "settings": {
    "temperature": 0.5,
    "d_k": 2,
    "scale": "sqrt_d_k",
    "custom_multiplier": 1.0,
    "causal": true,
    "seed": 0
  }
}
"""


def document(**changes):
    """Give the bytes of a small file of three tokens of width 3, with fields changed; None removes one."""
    fields = {
        "format": "attnviz",
        "version": 1,
        "sequence": {"tokens": ["a", "b"], "embeddings": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]},
        **changes,
    }
    return json.dumps({key: value for key, value in fields.items() if value is not None}).encode()


def test_file_is_written_one_row_on_a_line():
    sequence = TokenSequence(("cat", "<s>"), [[1.0, -0.0], [0.1, 5e-324]])
    state = State(sequence=sequence, w_v=[[1.0], [2.0]], title="Größe", temperature=0.5, mask="causal")
    assert encode(state).decode("utf-8") == WRITTEN


@pytest.mark.parametrize(
    "state",
    [
        states.cat_dog_phone(title='"quoted" \\ & <b>', description="Straße ↑ 猫", custom_multiplier=-0.0),
        State(sequence=TokenSequence(ODD_TOKENS, np.ones((len(ODD_TOKENS), 1)))),
        State(sequence=TokenSequence(tuple("abcdefg"), np.outer(HARD_FLOATS, [1.0, 1.0]))),
        states.random_state(5, 7, temperature=1e-12, seed=2**31 - 1, d_k=1024),
        states.cross_state(w_q=np.ones((7, 3)), w_k=np.eye(7, 3), w_v=np.ones((7, 2)), scale="custom"),
        states.cat_dog_phone(w_v=[[1.0, -0.0], [0.0, 1.0]]),
    ],
    ids=["texts", "tokens", "floats", "plane", "cross", "nearly the identity"],
)
def test_state_comes_back_to_the_last_bit(state, tmp_path):
    again = decode(encode(state), "scene.attn")
    assert again.is_same(state)
    assert encode(again) == encode(state)
    path = tmp_path / "scene.attn"
    write_file(state, path)
    assert read_file(path).is_same(state)


def test_plane_comes_back_although_points_moved_since():
    state = states.random_state(5, 3)
    moved = replace(state, sequence=TokenSequence(state.sequence.tokens, 2.0 * state.sequence.embeddings))
    assert decode(encode(moved), "f").plane.is_same(state.plane)


def test_every_scalar_is_written_under_its_key():
    settings = json.loads(encode(states.cat_dog_phone(n_heads=2)))["settings"]
    assert list(settings) == [scalar.key for scalar in SCALARS.values()]


def test_document_that_older_programs_can_read_is_written_for_them():
    written = json.loads(encode(states.cat_dog_phone(mask="causal")))
    assert written["version"] == 1
    assert written["settings"]["causal"] is True
    assert "mask" not in written["settings"]


def test_negative_zero_is_not_taken_for_the_usual_zero():
    state = states.cat_dog_phone(soft_cap=-0.0)
    assert decode(encode(state), "f").is_same(state)


def test_short_file_by_hand_is_read_with_defaults():
    state = decode(document(), "f")
    assert state.is_same(State(sequence=TokenSequence(("a", "b"), [[1, 2, 3], [4, 5, 6]])))


def test_whole_numbers_are_read_as_floats():
    state = decode(document(settings={"temperature": 2, "d_k": 2.0}, w_v=[[1], [2], [3]]), "f")
    assert (state.temperature, state.d_k, state.w_v.tolist()) == (2.0, 2, [[1.0], [2.0], [3.0]])


BAD_ROWS = {"tokens": ["a", "b"], "embeddings": [[1.0, 2.0, 3.0], [4.0, 5.0]]}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": None}, 'format must be "attnviz", got none'),
        ({"format": "other"}, "format must be \"attnviz\", got 'other'"),
        ({"version": None}, "version must be a whole number from 1, got none"),
        ({"version": True}, "version must be a whole number from 1, got true"),
        ({"version": 1.5}, "version must be a whole number from 1, got 1.5"),
        ({"version": 0}, "version must be a whole number from 1, got 0"),
        ({"version": 4, "novelty": 1}, "version must be at most 3, got 4: a newer attnviz wrote it"),
        (
            {"novelty": 1},
            "the file must hold only format, version, title, description, sequence, context, spare_context, w_q, w_k, "
            "w_v, w_o, position_table, bucket_table, b_q, b_k, b_v, b_o, sinks, position_ids, context_position_ids, "
            "padding, visible, plane, interventions, settings, snapshots, got 'novelty'",
        ),
        ({"sequence": None}, "the file must hold sequence, got none"),
        ({"sequence": [1]}, "sequence must be an object, got a list"),
        ({"sequence": {"tokens": ["a"]}}, "sequence must hold embeddings, got none"),
        ({"sequence": {**BAD_ROWS, "x": 1}}, "sequence must hold only tokens, embeddings, got 'x'"),
        ({"sequence": BAD_ROWS}, "sequence.embeddings row 2 must have 3 numbers, got 2"),
        (
            {"sequence": {"tokens": ["a"], "embeddings": [[1.0], [2.0]]}},
            "sequence: embeddings must have one row per token, 1, got 2",
        ),
        ({"sequence": {"tokens": [], "embeddings": []}}, "sequence.tokens must have 1 to 5,000 entries, got 0"),
        (
            {"sequence": {"tokens": ["a"] * 5001, "embeddings": [[1]]}},
            "sequence.tokens must have 1 to 5,000 entries, got 5,001",
        ),
        ({"sequence": {"tokens": "ab", "embeddings": []}}, "sequence.tokens must be a list, got 'ab'"),
        ({"sequence": {"tokens": [1], "embeddings": [[1]]}}, "sequence.tokens entry 1 must be text, got 1"),
        (
            {"sequence": {"tokens": ["\ud800"], "embeddings": [[1]]}},
            "sequence: a token must not hold control characters, got U+D800",
        ),
        ({"sequence": {"tokens": ["a"], "embeddings": [1]}}, "sequence.embeddings row 1 must be a list, got 1"),
        (
            {"sequence": {"tokens": ["a"], "embeddings": [[]]}},
            "sequence.embeddings row 1 must have 1 to 16,384 entries, got 0",
        ),
        (
            {"sequence": {"tokens": ["a"], "embeddings": [[1] * 16385]}},
            "sequence.embeddings row 1 must have 1 to 16,384 entries, got 16,385",
        ),
        (
            {"sequence": {"tokens": ["a"], "embeddings": [[float("nan")]]}},
            "sequence.embeddings row 1 must hold finite numbers, got nan",
        ),
        (
            {"sequence": {"tokens": ["a"], "embeddings": [["1"]]}},
            "sequence.embeddings row 1 must hold finite numbers, got '1'",
        ),
        (
            {"sequence": {"tokens": ["a"], "embeddings": [[True]]}},
            "sequence.embeddings row 1 must hold finite numbers, got true",
        ),
        (
            {"context": {"tokens": ["a"], "embeddings": [[1.0]]}},
            "the context's embeddings must have the width of the sequence's, 3, got 1",
        ),
        ({"context": {"tokens": ["a"]}}, "context must hold embeddings, got none"),
        ({"w_q": [[1.0], [2.0]]}, "w_q must have one row per coordinate of an embedding, 3, got 2"),
        ({"w_q": [[1.0], [2.0], [3.0]]}, "w_k must have the shape of w_q, (3, 1), got (3, 3)"),
        ({"w_v": [[1.0], [2.0, 3.0], [4.0]]}, "w_v row 2 must have 1 number, got 2"),
        ({"w_v": {}}, "w_v must be a list, got an object"),
        ({"title": 7}, "title must be text, got 7"),
        ({"title": "x" * 70 + "\n"}, "a title must not hold control characters, got U+000A"),
        ({"description": ["x"]}, "description must be text, got a list"),
        ({"settings": 1}, "settings must be an object, got 1"),
        (
            {"settings": {"heat": 1}},
            "settings must hold only temperature, d_k, scale, custom_multiplier, seed, mask, ",
        ),
        ({"settings": {"temperature": 0}}, "settings: temperature must be between 1e-12 and 1e+12, got 0"),
        ({"settings": {"d_k": 0}}, "settings: d_k must be between 1 and 1,024, got 0"),
        ({"settings": {"mask": "none", "causal": False}}, "settings must hold mask or causal, got both"),
        ({"padding": [False, 1]}, "padding must hold true and false, got 1"),
        ({"visible": [[True, True], [None, True]]}, "visible must hold true and false, got none"),
        ({"visible": [[True, True], [True]]}, "visible must have rows of one length, got others"),
        ({"visible": [[True, True], True]}, "visible must have rows of one length, got others"),
        ({"settings": {"causal": "true"}}, "settings: causal must be true or false, got 'true'"),
        ({"settings": {"scale": "x" * 99}}, "settings: scale must be one of none, sqrt_d_k, d_k, custom, got 'xxx"),
        ({"plane": [[1]]}, "plane must be an object, got a list"),
        ({"plane": {"centre": [0, 0, 0]}}, "plane must hold explained, got none"),
        (
            {"plane": {"centre": [0] * 3, "axes": [[1, 0, 0], [1, 0, 0]], "explained": [1, 0]}},
            "plane: the plane's axes must be orthonormal, got others",
        ),
        (
            {"plane": {"centre": [0] * 4, "axes": [[1, 0, 0, 0], [0, 1, 0, 0]], "explained": [1, 0]}},
            "the plane must have the width of the embeddings, 3, got 4",
        ),
        (
            {"sequence": {"tokens": ["a"], "embeddings": [[1, 2]]}, "plane": {}},
            "plane must be left out where embeddings have at most 2 coordinates, got one for 2",
        ),
        ({"k" * 99: 1}, "the file must hold only format, "),
    ],
)
def test_bad_field_is_refused_with_file_and_place(changes, sentence):
    with pytest.raises(FileError) as caught:
        decode(document(**changes), "scene.attn")
    assert str(caught.value).startswith(f"scene.attn: {sentence}")
    assert "\n" not in str(caught.value)


def test_another_kind_of_file_is_refused():
    with pytest.raises(FileError, match=r"glove\.txt must hold a JSON object, got another kind of file"):
        decode(b"the 0.1 0.2\n", "glove.txt")


def test_file_beyond_the_cap_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "scene.attn"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # sparse: takes no room on the disk
    monkeypatch.setattr(os, "fdopen", lambda *_, **__: pytest.fail("the file was opened for reading"))
    with pytest.raises(FileError, match=r"scene\.attn must have at most 67,108,864 bytes, got more"):
        read_file(path)


def test_bytes_beyond_the_cap_are_refused(monkeypatch):
    monkeypatch.setattr(attn_file, "MAX_BYTES", 100)
    with pytest.raises(FileError, match="f must have at most 100 bytes, got more"):
        decode(b" " * 101, "f")


def test_state_that_could_not_be_read_again_is_not_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(attn_file, "MAX_BYTES", 100)
    path = tmp_path / "scene.attn"
    path.write_bytes(b"old")
    with pytest.raises(FileError, match=r"cannot be saved: it would have [0-9,]+ bytes, more than 100"):
        write_file(states.cat_dog_phone(), path)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("key", ["soft_cap", "dropout"])
def test_negative_zero_is_saved_where_zero_need_not_be(key):
    state = edits.set_scalar(states.cat_dog_phone(), key, -0.0)
    assert decode(encode(state), "f").is_same(state)
