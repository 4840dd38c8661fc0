"""The bar of the parts, the dials of the turn, and the words of the panel."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from attnviz.document.frame import compute
from attnviz.document.position_parts import ScoreParts, ShiftEffect
from attnviz.document.state import State
from attnviz.views.positions.parts_bar import PartsBar
from attnviz.views.positions.turn_dials import Turn, TurnDials, text_of
from attnviz.views.positions.wording import bias_text, encoding_text, shift_text
from tests.views.panel_scenes import cat_dog_phone


def test_segments_stack_away_from_zero_to_one_scale(qtbot: QtBot) -> None:
    bar = PartsBar()
    qtbot.addWidget(bar)
    bar.show_parts(ScoreParts(3.0, -1.0, 2.0, -2.0, 2.0, False), "a → b")
    lefts = [(segment.left(), segment.right()) for segment in bar.segments(82.0)]
    # 80 pixels for 8 units: zero is 3 units from the left end, which is at 1.
    np.testing.assert_allclose(lefts, [(31.0, 61.0), (21.0, 31.0), (61.0, 81.0), (1.0, 21.0)])


def test_sum_and_score_are_written_with_all_digits(qtbot: QtBot) -> None:
    bar = PartsBar()
    qtbot.addWidget(bar)
    bar.show_parts(ScoreParts(0.1, 0.2, 0.0, 0.0, 0.3, False), "a → b")
    assert bar.lines()[-2:] == [("sum of the parts", "0.30000000000000004"), ("score q·k", "0.3")]
    assert bar.lines()[0] == ("content · content", "0.100")
    assert "content · position 0.200" in bar.accessibleDescription()


def test_parts_that_are_all_zero_are_drawn(qtbot: QtBot) -> None:
    bar = PartsBar()
    qtbot.addWidget(bar)
    bar.show_parts(ScoreParts(0.0, 0.0, 0.0, 0.0, 0.0, False), "a → b")
    bar.resize(300, bar.sizeHint().height())
    assert not bar.grab().isNull()


def test_turn_is_said_in_words() -> None:
    turn = Turn("q", "cat", (1.0, 0.0), (0.0, 1.0), 5.0, pi / 2)
    assert text_of(turn) == (
        "q of cat, position 5",
        "before (1.0, 0.0)",
        "after (0.0, 1.0)",
        "turned by 1.571 rad (90.0°)",
    )


def test_arrow_keys_choose_another_pair(qtbot: QtBot) -> None:
    dials = TurnDials()
    qtbot.addWidget(dials)
    turn = Turn("q", "cat", (1.0, 0.0), (0.0, 1.0), 5.0, pi / 2)
    dials.show_turns(turn, Turn("k", "dog", (0.0, 0.0), (0.0, 0.0), 0.0, 0.0))
    dials.show()
    steps: list[int] = []
    dials.pair_stepped.connect(steps.append)
    QTest.keyClick(dials, Qt.Key.Key_Right)
    QTest.keyClick(dials, Qt.Key.Key_Left)
    assert steps == [1, -1]
    assert "k of dog, position 0" in dials.accessibleDescription()


def test_arrow_after_a_quarter_turn_points_up(qtbot: QtBot) -> None:
    dials = TurnDials()
    qtbot.addWidget(dials)
    dials.resize(600, dials.sizeHint().height())
    quarter = Turn("q", "a", (1.0, 0.0), (0.0, 1.0), 1.0, pi / 2)
    dials.show_turns(quarter, quarter)
    image = dials.grab().toImage()
    ratio = image.width() / dials.width()
    above = image.pixelColor(round(150 * ratio), round(45 * ratio))  # half way up from the middle of the first dial
    below = image.pixelColor(round(150 * ratio), round(125 * ratio))
    assert above.saturation() > 100
    assert below.saturation() < 30


@pytest.mark.parametrize(
    ("positions", "effect", "text"),
    [
        ("rotary", ShiftEffect(2e-14, 1.0, None), "Scores moved by 0 (rotary scores depend on distances alone)."),
        ("alibi", ShiftEffect(0.0, 1.0, None), "Scores moved by 0 (ALiBi depends on distances alone)."),
        (
            "rotary",
            ShiftEffect(3e-11, 1.0, None),
            "Scores moved by 0, but for a rounding of 3e-11 (rotary scores depend on distances alone).",
        ),
        ("sinusoidal", ShiftEffect(1.3, 5.0, None), "Scores moved by up to 1.300."),
        ("sinusoidal", ShiftEffect(1.3, 5.0, 64), "Scores moved by up to 1.300. Compared were 64 tokens of the list."),
        ("learned", None, "Without the shift these positions cannot be."),
    ],
)
def test_what_a_shift_moved_is_said(positions: str, effect: ShiftEffect | None, text: str) -> None:
    state = State(cat_dog_phone().sequence, positions=positions, shift=2)
    assert shift_text(state, effect) == text


def test_bias_of_a_cell_is_said_with_where_it_comes_from() -> None:
    frame = compute(State(cat_dog_phone().sequence, positions="alibi", n_heads=2, d_k=1))
    assert encoding_text(frame).endswith("Head 1 of 2 has slope 0.0625.")
    # one channel a head: q·k of cat and phone is 1 · (-0.5), scaled by 1; slope 1/16 times 2.
    assert bias_text(frame, 0, 2) == (
        "cat → phone: scaled score + bias = -0.500 + (-0.125) = -0.625 (slope 0.0625, distance 2)"
    )
    relative = State(cat_dog_phone().sequence, positions="relative", bucket_table=np.arange(8.0)[np.newaxis])
    assert bias_text(compute(relative), 0, 1).endswith("= 0.778 + 5.000 = 5.778 (bucket 5, 1 ahead)")
    assert bias_text(compute(relative), 2, 0).endswith("= 0.000 + 2.000 = 2.000 (bucket 2, 2 back)")
