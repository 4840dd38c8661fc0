"""The figure tells the numbers, the tokens and the settings, at every size."""

import base64
import dataclasses
import re
import struct
import xml.etree.ElementTree as ET
import zlib

import numpy as np
import pytest

from attnviz.appearance import DARK, LIGHT, colour_table, contrast, rgb
from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.figures.attention_figure import SCORE_STAGES, figure_svg
from attnviz.figures.layer_settings import layer_settings
from tests.figures.figure_scenes import HARD_TOKENS, cat_dog_phone, cross, hard_tokens, many

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(svg: str) -> list[str]:
    root = ET.fromstring(svg.encode())
    lines = root.iter(f"{SVG}text")
    return [(line.text or "") + "".join(child.tail or "" for child in line) for line in lines]


def cells_of(svg: str) -> list[list[str]]:
    root = ET.fromstring(svg.encode())
    return [[number.text for number in group] for group in root.iter(f"{SVG}g") if group.get("text-anchor") == "middle"]


def pictures_of(svg: str) -> list[np.ndarray]:
    pictures = []
    for coded in re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", svg):
        png = base64.b64decode(coded)
        width, height = struct.unpack(">II", png[16:24])
        at = png.index(b"IDAT")
        body = png[at + 4 : at + 4 + struct.unpack(">I", png[at - 4 : at])[0]]
        pictures.append(np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, width + 1)[:, 1:])
    return pictures


def test_scene_1_shows_the_scaled_scores_and_the_weights_of_the_curriculum():
    scores, weights = cells_of(figure_svg(cat_dog_phone()))
    assert scores == ["0.884", "0.778", "0.000", "0.778", "0.707", "0.141", "0.000", "0.141", "0.884"]
    assert weights == ["0.432", "0.389", "0.179", "0.406", "0.379", "0.215", "0.219", "0.252", "0.529"]


def test_raw_scores_of_scene_1():
    svg = figure_svg(cat_dog_phone(), stage="raw")
    assert cells_of(svg)[0] == ["1.250", "1.100", "0.000", "1.100", "1.000", "0.200", "0.000", "0.200", "1.250"]
    assert "raw: q·k" in texts_of(svg)


def test_axes_legend_sums_title_and_settings_are_told():
    texts = texts_of(figure_svg(cat_dog_phone(temperature=2.0)))
    assert texts.count("query (from)") == texts.count("key (to)") == 2
    assert texts.count("Σ 1.000") == 3
    assert "Cat, dog, phone" in texts
    assert {"1", "0", "0.442", "−0.442"} <= set(texts)
    settings = next(t for t in texts if t.startswith("T = "))
    for part in ("T = 2", "d_k = 2", "scale 1/√d_k", "multiplier 0.353553", "mask none", "n = 3"):
        assert part in settings


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("stage", SCORE_STAGES)
def test_hard_tokens_stand_as_text_on_all_four_axes(theme, stage):
    texts = texts_of(figure_svg(hard_tokens(mask="causal"), stage=stage, theme=theme))
    for token in HARD_TOKENS:
        assert texts.count(token) == 4, token


def test_masked_cells_have_no_number_and_are_hatched_and_explained():
    svg = figure_svg(cat_dog_phone(mask="causal"))
    texts = texts_of(svg)
    scores, weights = cells_of(svg)
    assert scores == ["0.884", "0.778", "0.707", "0.000", "0.141", "0.884"]
    assert (len(weights), weights[0]) == (6, "1.000")
    assert LIGHT.hatch in svg
    assert "masked: left out before the softmax" in texts
    assert "mask causal" in next(t for t in texts if t.startswith("T = "))


@pytest.mark.parametrize(("stage", "number"), [("raw", "1.100"), ("scaled", "0.778")])
def test_scores_before_the_mask_keep_their_numbers(stage, number):
    scores, weights = cells_of(figure_svg(cat_dog_phone(mask="causal"), stage=stage))
    assert (len(scores), scores.count(number), len(weights)) == (9, 2, 6)


def test_small_scores_are_told_by_powers_of_ten():
    svg = figure_svg(cat_dog_phone(temperature=1e6))
    assert cells_of(svg)[0][:3] == ["8.8e-7", "7.8e-7", "0"]
    assert {"8.8e-7", "−8.8e-7"} <= set(texts_of(svg))


def test_numbers_that_do_not_fit_are_left_out():
    rows = np.column_stack([np.full(20, 1e150), np.arange(20.0)])
    frame = compute(State(sequence=TokenSequence(tuple("abcdefghijklmnopqrst"), rows)))
    assert len(cells_of(figure_svg(frame))) == 1


def test_rows_without_a_visible_key_are_named():
    texts = texts_of(figure_svg(cross(5, 3, mask="causal")))
    assert "No visible key, so weights and output are 0: q0, q1" in texts
    assert texts.count("Σ 0.000") == 2


def test_queries_are_rows_and_keys_are_columns():
    texts = texts_of(figure_svg(cross(2, 5)))
    assert [texts.count(f"q{i}") for i in range(2)] == [2, 2]
    assert [texts.count(f"k{i}") for i in range(5)] == [2] * 5


@pytest.mark.parametrize(("n", "largest"), [(3, 20_000), (16, 150_000), (40, 250_000), (128, 900_000), (200, 300_000)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_files_stay_small(n, largest, is_causal):
    assert len(figure_svg(many(n, mask="causal" if is_causal else "none")).encode()) < largest


def test_a_thousand_tokens_are_drawn_cell_by_cell():
    frame = many(1000, mask="causal")
    svg = figure_svg(frame)
    assert len(svg.encode()) < 3_000_000
    scores, weights = pictures_of(svg)
    assert scores.shape == weights.shape == (1000, 1000)
    np.testing.assert_array_equal(weights == 255, np.triu(np.ones((1000, 1000), bool), 1))
    expected = np.rint(frame.cells("weights", np.arange(1000), np.arange(1000)) * 254)
    np.testing.assert_array_equal(weights[np.tril_indices(1000)], expected[np.tril_indices(1000)])
    assert "Sampled" not in svg


def test_a_sampled_figure_says_so():
    told = "Sampled: 1,000 of 1,003 rows and 1,000 of 1,003 columns are drawn, evenly spaced."
    assert told in texts_of(figure_svg(many(1003)))


def test_thinned_labels_say_how_many_are_named():
    texts = texts_of(figure_svg(many(200)))
    assert texts.count("key (to), every 5th named") == 2
    assert texts.count("word5") == 4
    assert "word6" not in texts


@pytest.mark.parametrize("n", [3, 22, 23, 29, 30, 40])
def test_a_map_without_numbers_tells_its_largest_weight(n):
    frame = many(n)
    texts = texts_of(figure_svg(frame))
    has_numbers = f"{frame.trace.weights[0, 0]:.3f}" in texts
    largest = f", largest drawn {frame.trace.weights.max():.3f}"
    assert f"softmax of each row{'' if has_numbers else largest}" in texts
    assert has_numbers == (n <= 22)


def test_scores_near_the_largest_float_are_drawn():
    state = cat_dog_phone().state
    huge = TokenSequence(("a", "b"), [[1e154, 0.0], [-1e154, 1.0]])
    texts = texts_of(figure_svg(compute(dataclasses.replace(state, sequence=huge, scale="none")), stage="raw"))
    assert {"1.0e308", "−1.0e308"} <= set(texts)


def test_all_zero_scores_are_drawn():
    frame = compute(State(sequence=TokenSequence(("a", "b"), [[0.0, 0.0], [0.0, 0.0]])))
    svg = figure_svg(frame)
    assert cells_of(svg) == [["0.000"] * 4, ["0.500"] * 4]
    assert {"1", "−1"} <= set(texts_of(svg))  # the range of the colours, which must have a width


def test_the_same_frame_gives_the_same_text():
    assert figure_svg(cat_dog_phone()) == figure_svg(cat_dog_phone())


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_stands_out_from_the_ground(theme):
    for colour in (theme.text, theme.muted, theme.warning, *theme.tokens):
        assert contrast(rgb(colour), rgb(theme.panel)) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_zero_has_the_middle_colour_of_the_score_map(theme):
    np.testing.assert_array_equal(colour_table(theme.score_map, True)[127], rgb(theme.score_map[2]))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"mask": "window", "window": 2}, ["mask window 2"]),
        ({"padding": np.array([False, True, False])}, ["mask none and padding"]),
        ({"mask": "causal", "masking": "after"}, ["mask causal", "masking after the softmax (demonstration)"]),
        ({"softmax": "plus_one", "has_sink": True}, ["mask none", "softmax plus one", "sink logit"]),
        ({"soft_cap": 2.5, "dropout": 0.25}, ["mask none", "soft cap 2.5", "dropout 0.25, seed 0"]),
        ({"positions": "alibi", "shift": 3}, ["mask none", "positions ALiBi, shifted by 3"]),
        ({"positions": "rotary"}, ["mask none", "positions rotary, base 10000, halves"]),
        ({"is_tied": True, "b_q": np.ones(2)}, ["mask none", "with biases", "W_K tied to W_Q"]),
        ({"n_heads": 2, "d_k": 1, "n_kv_heads": 1}, ["mask none", "head 1 of 2, key/value head 1 of 1"]),
    ],
)
def test_caption_names_what_the_layer_does(fields, said):
    frame = cat_dog_phone(**fields)
    assert layer_settings(frame) == said
    lines = [text for text in texts_of(figure_svg(frame)) if "·" in text or text.startswith("T = ")]
    assert all(any(part in line for line in lines) or part in texts_of(figure_svg(frame)) for part in said)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mask": "causal"}, "scaled and masked"),
        ({"soft_cap": 2.0}, "scaled and capped"),
        ({"positions": "alibi", "mask": "causal"}, "scaled, biased and masked"),
        ({"positions": "alibi", "soft_cap": 2.0}, "scaled, capped and biased"),
    ],
)
def test_scores_that_enter_the_softmax_are_named_by_what_was_done_to_them(fields, words):
    assert f"{words}: q·k × 0.707" in texts_of(figure_svg(cat_dog_phone(**fields)))
