"""Progress is passed on rarely and never falls; cancelling is noticed at once."""

import pytest

from attnviz.sources import Cancelled
from attnviz.sources.byte_source import Pulse


def test_thousands_of_beats_at_one_time_give_one_report(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 7.0
    monkeypatch.setattr("attnviz.sources.byte_source.time.monotonic", lambda: now_s)
    shares: list[float] = []
    pulse = Pulse(shares.append, lambda: False)
    for beat in range(10_000):
        pulse.beat(beat / 10_000)
    assert shares == [0.0]
    now_s = 7.021
    pulse.beat(0.3)
    assert shares == [0.0, 0.9999]


def test_share_stays_within_one(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float] = []
    Pulse(shares.append, lambda: False).beat(1.5)
    assert shares == [1.0]


def test_cancelling_comes_before_any_report() -> None:
    shares: list[float] = []
    with pytest.raises(Cancelled):
        Pulse(shares.append, lambda: True).beat(0.5)
    assert shares == []
