"""Numbers come back from every file to the last bit, with their tokens."""

import csv
import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.figures import numbers
from attnviz.figures.numbers import frame_as_csv, frame_as_json, frame_as_npz, layer_arrays, matrices
from tests.document.states import random_state
from tests.figures.figure_scenes import HARD_TOKENS, cat_dog_phone, cross, hard_tokens

NAMES = ["X", "q", "k", "v", "scores", "scaled", "masked", "weights", "output"]
FRAMES = [
    cat_dog_phone(),
    cat_dog_phone(mask="causal", temperature=0.3),
    hard_tokens(d_k=5),
    cross(2, 5, mask="causal"),
    cross(5, 3, mask="causal"),
]


def same_bits(first, second) -> bool:
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return first.shape == second.shape and first.tobytes() == second.tobytes()


@pytest.mark.parametrize("frame", FRAMES)
def test_json_is_exact(frame):
    read = json.loads(frame_as_json(frame))
    for matrix in matrices(frame):
        rows = [[-np.inf if value is None else value for value in row] for row in read[matrix.name]]
        assert same_bits(rows, matrix.values), matrix.name
    assert read["multiplier"] == frame.multiplier
    assert tuple(read["tokens"]) == frame.query_tokens


@pytest.mark.parametrize("frame", FRAMES)
def test_npz_is_exact_and_needs_no_pickle(frame):
    with np.load(io.BytesIO(frame_as_npz(frame)), allow_pickle=False) as read:
        for matrix in matrices(frame):
            assert same_bits(read[matrix.name], matrix.values), matrix.name
        assert tuple(read["tokens"]) == frame.query_tokens
        assert read["temperature"] == frame.state.temperature
        assert bool(read["causal"]) == frame.state.is_causal


@pytest.mark.parametrize("frame", FRAMES)
def test_csv_is_exact_and_its_tokens_travel_with_the_numbers(frame):
    lines = list(csv.DictReader(io.StringIO(frame_as_csv(frame))))
    for matrix in matrices(frame):
        mine = [line for line in lines if line["matrix"] == matrix.name]
        values = np.array([float(line["value"]) for line in mine]).reshape(matrix.values.shape)
        assert same_bits(values, matrix.values), matrix.name
        width = matrix.values.shape[1]
        assert [line["row_token"] for line in mine[::width]] == list(matrix.row_tokens)
        names = list(matrix.column_tokens or [""] * width)
        assert [line["column_token"] for line in mine[:width]] == names


def test_matrices_stand_in_the_order_they_are_computed():
    assert [matrix.name for matrix in matrices(cat_dog_phone())] == NAMES
    assert [name for name in json.loads(frame_as_json(cat_dog_phone())) if name in NAMES] == NAMES


def test_scene_1_in_json_has_the_figures_of_the_curriculum():
    read = json.loads(frame_as_json(cat_dog_phone()))
    np.testing.assert_allclose(read["scores"], [[1.25, 1.10, 0.00], [1.10, 1.00, 0.20], [0.00, 0.20, 1.25]], atol=1e-12)
    np.testing.assert_allclose(
        read["output"], [[0.654218, 0.628224], [0.601719, 0.645381], [0.155590, 0.789868]], atol=5e-7
    )


def test_banned_cells_are_null_in_json_and_minus_infinity_elsewhere():
    frame = cat_dog_phone(mask="causal")
    assert json.loads(frame_as_json(frame))["masked"][0][1:] == [None, None]
    assert "masked,1,cat,2,dog,-inf\n" in frame_as_csv(frame)


def test_cross_attention_brings_its_context():
    read = json.loads(frame_as_json(cross(2, 5)))
    assert read["context_tokens"] == ["k0", "k1", "k2", "k3", "k4"]
    assert np.shape(read["X_context"]) == (5, 3)
    assert json.loads(frame_as_json(cat_dog_phone()))["context_tokens"] is None


def test_settings_are_told():
    settings = json.loads(frame_as_json(cat_dog_phone(temperature=0.3, mask="causal")))["settings"]
    assert settings["temperature"] == 0.3
    assert settings["causal"] is True
    assert settings["d_k"] == 2


def test_json_keeps_hard_tokens():
    assert tuple(json.loads(frame_as_json(hard_tokens()))["tokens"]) == HARD_TOKENS


def test_npz_bytes_depend_on_the_numbers_alone():
    first, second = frame_as_npz(cat_dog_phone()), frame_as_npz(cat_dog_phone())
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_too_large_a_matrix_is_refused_as_text(monkeypatch):
    monkeypatch.setattr(numbers, "MAX_TEXT_CELLS", 8)
    for write in (frame_as_json, frame_as_csv):
        with pytest.raises(DocumentError, match="may have 8 cells, got 9"):
            write(cat_dog_phone())


# Pinned numbers


def pinned_frame():
    state = edits.pin_number(cat_dog_phone().state, NumberRef("score", (0, 1)), 3.0)
    return compute(edits.pin_number(state, NumberRef("k", (2, 0)), 0.5))


def test_json_says_what_is_pinned():
    assert json.loads(frame_as_json(pinned_frame()))["pinned"] == [
        {"number": "k", "row": 2, "column": 0, "value": 0.5},
        {"number": "score", "row": 0, "column": 1, "value": 3.0},
    ]
    assert "pinned" not in json.loads(frame_as_json(cat_dog_phone()))


def test_csv_gives_pinned_numbers_again():
    lines = [row for row in csv.reader(io.StringIO(frame_as_csv(pinned_frame()))) if row[0].startswith("pinned")]
    assert lines == [["pinned_k", "3", "phone", "1", "", "0.5"], ["pinned_scores", "1", "cat", "2", "dog", "3.0"]]


def test_npz_masks_pinned_numbers():
    with np.load(io.BytesIO(frame_as_npz(pinned_frame()))) as archive:
        assert archive["pinned_scores"].tolist() == [[False, True, False], [False] * 3, [False] * 3]
        assert archive["pinned_k"].tolist() == [[False, False], [False, False], [True, False]]
        assert "pinned_weights" not in archive


# Richer layers


def rich_layer(**fields):
    rng = np.random.default_rng(2)
    w_o, b_q, b_o = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=3)
    special = {"mask": "causal", "positions": "sinusoidal", "dropout": 0.3, "has_sink": True, "sinks": [0.5]}
    plain = random_state(5, 4, d_k=2, n_heads=2, w_o=w_o, b_q=b_q, b_o=b_o)
    state = replace(plain, **special | fields)
    return compute(state).at_head(1)


def test_all_heads_and_what_a_layer_has_are_in_the_archive():
    frame = rich_layer()
    with np.load(io.BytesIO(frame_as_npz(frame)), allow_pickle=False) as read:
        assert read["head"] == 2
        assert read["heads"] == 2
        for head in range(2):
            assert same_bits(read["weights_all_heads"][head], frame.at_head(head).trace.weights)
        assert same_bits(read["weights"], read["weights_all_heads"][1])
        product = np.hstack([frame.at_head(head).output for head in range(2)]) @ read["w_o"] + read["b_o"]
        np.testing.assert_allclose(read["layer_output"], product, atol=1e-12)
        assert same_bits(read["inputs"], read["X"] + read["P"])
        assert read["sinks"].tolist() == [0.5, 0.0]
        assert read["places"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
        assert read["allowed"].tolist() == np.tri(5, dtype=bool).tolist()
        expected = np.where(read["kept"], read["undropped"] / 0.7, 0.0)
        np.testing.assert_allclose(read["weights"], expected, atol=1e-15)


def test_json_and_csv_hold_the_same_arrays_as_the_archive():
    frame = rich_layer(positions="alibi")
    read = json.loads(frame_as_json(frame))
    assert read["head"] == 2
    lines = list(csv.DictReader(io.StringIO(frame_as_csv(frame))))
    in_csv = {line["matrix"] for line in lines}
    for name, array in layer_arrays(frame).items():
        assert read[name] == array.tolist(), name
        assert (name in in_csv) == (name != "weights_all_heads")
    assert {"weights_head_1", "weights_head_2", "bias", "layer_output"} <= in_csv
    second = [float(line["value"]) for line in lines if line["matrix"] == "weights_head_2"]
    assert same_bits(second, frame.trace.weights.ravel())
    assert {line["value"] for line in lines if line["matrix"] == "allowed"} == {"0.0", "1.0"}


def test_plain_layer_has_none_of_that():
    assert layer_arrays(cat_dog_phone()) == {}
    assert "head" not in json.loads(frame_as_json(cat_dog_phone()))
