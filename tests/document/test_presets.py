"""The scenes give the numbers that were worked out by hand."""

import numpy as np
import pytest

from attnviz.document.attn_file import encode, read_file
from attnviz.document.edits import set_scalar
from attnviz.document.errors import DocumentError, FileError
from attnviz.document.frame import compute
from attnviz.document.presets import load_preset, preset_names
from attnviz.document.projection import query_matrix
from attnviz.document.resources import find_resources

NAMES = (
    "s1-cat-dog-phone",
    "s2-four-stages",
    "s3-temperature",
    "s4-soft-lookup",
    "s5-three-dimensions",
    "s6-investment-bank",
    "s6-river-bank",
    "s7-it",
    "s8-dog-bites-man",
    "s8-man-bites-dog",
)


def frame_of(name):
    return compute(load_preset(name))


def shown(array, digits):
    return np.round(array, digits).tolist()


def test_presets_come_in_the_order_of_the_lessons():
    assert preset_names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_preset_file_is_as_the_program_would_save_it(name):
    path = find_resources() / "presets" / f"{name}.attn"
    assert encode(read_file(path)) == path.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_preset_has_a_title_and_a_description(name):
    state = load_preset(name)
    assert state.title
    assert state.description.endswith(".")


@pytest.mark.parametrize("name", ["s1", "S1", " s1-cat-dog-phone", "cat-dog-phone", "Cat-Dog-Phone"])
def test_preset_is_found_by_any_of_its_names(name):
    assert load_preset(name).is_same(load_preset(NAMES[0]))


@pytest.mark.parametrize("name", ["s77", "", "cat", "../presets/s1-cat-dog-phone"])
def test_unknown_preset_is_refused_with_those_there_are(name):
    with pytest.raises(DocumentError) as caught:
        load_preset(name)
    assert str(caught.value) == f"a preset must be one of {', '.join(NAMES)}, got {name!r}"


def test_resources_are_found_inside_an_installed_package(tmp_path):
    package = tmp_path / "attnviz"
    (package / "resources" / "presets").mkdir(parents=True)
    assert find_resources(package) == package / "resources"


def test_resources_are_found_beside_the_package_of_a_checkout(tmp_path):
    (tmp_path / "resources" / "presets").mkdir(parents=True)
    assert find_resources(tmp_path / "attnviz") == tmp_path / "resources"


def test_missing_resources_are_named(tmp_path):
    with pytest.raises(FileError, match="must hold the presets of the program, got no such folder"):
        find_resources(tmp_path / "attnviz")


def test_s1_cat_dog_phone():
    frame = frame_of("s1")
    assert frame.query_tokens == frame.key_tokens == ("cat", "dog", "phone")
    np.testing.assert_array_equal(frame.state.sequence.embeddings, [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
    np.testing.assert_allclose(frame.trace.scores, [[1.25, 1.1, 0.0], [1.1, 1.0, 0.2], [0.0, 0.2, 1.25]], atol=1e-15)
    assert shown(frame.trace.scaled, 3) == [[0.884, 0.778, 0.0], [0.778, 0.707, 0.141], [0.0, 0.141, 0.884]]
    assert shown(np.exp(frame.trace.scaled[0]), 2) == [2.42, 2.18, 1.0]
    assert shown(np.exp(frame.trace.scaled[0]).sum(), 2) == 5.6
    assert shown(frame.trace.weights, 6) == [
        [0.432425, 0.388908, 0.178667],
        [0.406351, 0.378610, 0.215039],
        [0.218714, 0.251938, 0.529348],
    ]
    assert shown(frame.output, 6) == [[0.654218, 0.628224], [0.601719, 0.645381], [0.155590, 0.789868]]


def test_s1_cat_moves_toward_dog():
    frame = frame_of("s1")
    cat, dog = frame.v[0], frame.v[1]
    assert (frame.output[0] - cat) @ (dog - cat) > 0.0


def test_s2_the_four_stages_of_sat():
    frame = frame_of("s2")
    assert frame.query_tokens == ("the", "cat", "sat", "mat")
    np.testing.assert_array_equal(frame.k, [[0, 0], [1, 1], [1, 0], [0, 1]])
    np.testing.assert_array_equal(frame.q[2], [1, 2])
    np.testing.assert_array_equal(frame.trace.scores[2], [0, 3, 1, 2])
    assert shown(frame.trace.weights[2], 2) == [0.06, 0.54, 0.13, 0.27]


def test_s2_every_other_query_lands_elsewhere():
    assert len({tuple(query) for query in frame_of("s2").q.tolist()}) == 4
    assert query_matrix(load_preset("s2")).shape == (2, 2)


def test_s3_weights_at_temperature_1():
    frame = frame_of("s3")
    assert frame.key_tokens == ("The", "cat", "sat", "on", "mat")
    np.testing.assert_array_equal(frame.trace.scaled, [[1.2, 3.8, 0.4, 2.1, 0.9]])
    assert shown(100 * frame.trace.weights[0], 1) == [5.5, 74.3, 2.5, 13.6, 4.1]


def test_s3_low_temperature_sharpens_and_high_flattens():
    state = load_preset("s3")
    cold = compute(set_scalar(state, "temperature", 0.01)).trace.weights[0]
    hot = compute(set_scalar(state, "temperature", 1e9)).trace.weights[0]
    np.testing.assert_allclose(cold, [0, 1, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(hot, 0.2, atol=1e-8)


def test_s4_soft_look_up():
    frame = frame_of("s4")
    np.testing.assert_array_equal(frame.trace.scaled, [[5, 2, 1]])
    exponentials = np.exp(frame.trace.scaled[0])
    assert [round(exponentials[0], 1), round(exponentials[1], 2), round(exponentials[2], 2)] == [148.4, 7.39, 2.72]
    assert shown(frame.trace.weights[0], 3) == [0.936, 0.047, 0.017]


def test_s5_three_dimensions():
    frame = frame_of("s5")
    np.testing.assert_array_equal(frame.q, [[1, 0, 1]])
    np.testing.assert_array_equal(frame.k, [[1, 0, 4], [0, 1, 2], [1, 1, 0]])
    np.testing.assert_array_equal(frame.v, [[10, 0], [0, 10], [5, 5]])
    assert shown(frame.trace.scaled[0], 3) == [2.887, 1.155, 0.577]
    assert shown(frame.trace.weights[0], 4) == [0.7836, 0.1386, 0.0778]
    assert shown(frame.output[0], 3) == [8.225, 1.775]


def test_s6_bank_is_the_same_to_the_last_bit_before_and_differs_after():
    river, investment = frame_of("s6-river-bank"), frame_of("s6-investment-bank")
    assert river.query_tokens == ("river", "bank")
    assert investment.query_tokens == ("investment", "bank")
    before = river.state.sequence.embeddings[1]
    assert before.tobytes() == investment.state.sequence.embeddings[1].tobytes()
    assert np.linalg.norm(river.output[1] - investment.output[1]) > 0.5


@pytest.mark.parametrize("name", ["s6-river-bank", "s6-investment-bank"])
def test_s6_bank_is_pulled_toward_its_neighbour(name):
    frame = frame_of(name)
    neighbour, bank = frame.v
    share = frame.trace.weights[1, 0]
    assert 0.1 < share < 0.9
    np.testing.assert_allclose(frame.output[1], bank + share * (neighbour - bank), atol=1e-15)


def test_s7_it_attends_to_animal():
    frame = frame_of("s7")
    animal, it = frame.query_tokens.index("animal"), frame.query_tokens.index("it")
    assert " ".join(frame.query_tokens) == "The animal didn't cross the street because it was too tired"
    # q(it) = (4, 0.05) and k(animal) = (1.5, 0) by hand.
    np.testing.assert_allclose(frame.q[it], [4.0, 0.05], atol=1e-15)
    np.testing.assert_allclose(frame.k[animal], [1.5, 0.0], atol=1e-15)
    assert frame.cell("scores", it, animal) == pytest.approx(6.0, abs=1e-14)
    assert frame.trace.weights[it].argmax() == animal
    assert frame.trace.weights[it, animal] > 0.5


def test_s7_animal_is_a_good_key_and_a_poor_query():
    frame = frame_of("s7")
    animal, it = frame.query_tokens.index("animal"), frame.query_tokens.index("it")
    # q(animal) = (0, 0.5) and k(it) = (0.15, 0.5): the matrix of scores is not symmetric.
    assert frame.cell("scores", animal, it) == pytest.approx(0.25, abs=1e-15)
    assert frame.trace.weights[animal].max() < 0.2


def test_s8_with_positions_the_order_counts():
    dog, man = frame_of("s8-dog-bites-man"), frame_of("s8-man-bites-dog")
    assert dog.query_tokens == ("dog", "bites", "man")
    assert man.query_tokens == dog.query_tokens[::-1]
    np.testing.assert_array_equal(man.state.sequence.embeddings, dog.state.sequence.embeddings[::-1])
    assert np.abs(man.output[::-1] - dog.output).max(axis=1).min() > 0.05


def test_s8_without_positions_shuffled_tokens_give_shuffled_outputs():
    dog, man = (compute(set_scalar(frame_of(name).state, "positions", "none")) for name in NAMES[-2:])
    np.testing.assert_allclose(man.output[::-1], dog.output, atol=1e-15)
