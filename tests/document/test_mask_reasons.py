"""Each mask says in its own words why it bans a cell."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.document import mask_reasons
from attnviz.document.frame import compute
from attnviz.document.mask_reasons import reason_of
from attnviz.engine.registry import Registry
from tests.document.states import cat_dog_phone, cross_state


@pytest.mark.parametrize(
    ("fields", "cell", "reason"),
    [
        ({"mask": "causal"}, (0, 1), "the causal mask hides K from Q"),
        ({"mask": "window", "window": 2}, (0, 2), "the window of 2 hides K from Q, too far away"),
        ({"mask": "causal_window"}, (0, 1), "the causal window of 2 hides K from Q, which comes later"),
        ({"mask": "causal_window"}, (2, 0), "the causal window of 2 hides K from Q, too far back"),
        ({"mask": "prefix"}, (0, 1), "the mask hides K from Q, which comes later and is not in the prefix of 1"),
        ({"mask": "block"}, (0, 2), "the mask hides K from Q, which is in another block of 2"),
        (
            {"mask": "custom", "visible": np.eye(3, dtype=bool)},
            (0, 1),
            "the mask was painted by hand, and hides K from Q",
        ),
        ({"mask": "causal", "padding": np.array([False, True, False])}, (0, 1), "K is padding"),
    ],
)
def test_reason_names_the_mask(fields: dict[str, object], cell: tuple[int, int], reason: str) -> None:
    state = cat_dog_phone(**fields)
    assert compute(state).is_banned(*cell)
    assert reason_of(state, *cell, "Q", "K") == reason


def test_mask_of_the_context_is_explained_in_its_own_places() -> None:
    state = cross_state(3, 5, 2, mask="causal_window", window=2)  # the last of three queries sits on the last key
    assert reason_of(state, 0, 3, "Q", "K") == "the causal window of 2 hides K from Q, which comes later"
    assert reason_of(state, 0, 0, "Q", "K") == "the causal window of 2 hides K from Q, too far back"


def test_mask_without_words_of_its_own_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    masks: Registry[object] = Registry("mask")
    masks.register("dilated", "Dilated", "A query sees every second key.")(np.ones)
    monkeypatch.setattr(mask_reasons, "MASKS", masks)
    state = cat_dog_phone()
    object.__setattr__(state, "mask", "dilated")  # as if the engine had one mask more
    assert reason_of(state, 0, 1, "Q", "K") == "the mask 'Dilated' hides K from Q"
