"""The sweep of a number, by hand-computed moments and by the clock."""

import pytest
from pytestqt.qtbot import QtBot

from attnviz.views.controls.sweep import Sweep, swept


@pytest.mark.parametrize(
    ("seconds", "number"),
    # four decades in 8 s: half a decade a second, up from 1, down from 100, up again from 0.01
    [(0.0, 1.0), (2.0, 10.0), (4.0, 100.0), (6.0, 10.0), (12.0, 0.01), (14.0, 0.1), (16.0, 1.0)],
)
def test_sweep_goes_up_and_down_by_ratio(seconds: float, number: float) -> None:
    assert swept(0.01, 100.0, 1.0, seconds) == pytest.approx(number, rel=1e-3)


def test_sweep_from_beyond_the_range_begins_at_its_end() -> None:
    assert swept(0.01, 100.0, 5000.0, 0.0) == 100.0


def test_running_sweep_reports_numbers_until_it_is_stopped(qtbot: QtBot) -> None:
    sweep = Sweep(0.01, 100.0)
    with qtbot.waitSignals([sweep.number_reached, sweep.number_reached]):
        sweep.start(1.0)
    assert sweep.is_running
    with qtbot.waitSignal(sweep.running_changed) as heard:
        sweep.stop()
    assert heard.args == [False]
    with qtbot.assertNotEmitted(sweep.running_changed):
        sweep.stop()
