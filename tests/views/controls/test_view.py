"""The control panel: a row for every scalar, the live multiplier, new draws and the sweep."""

import html
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QListView, QScrollArea, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK
from attnviz.document import edits
from attnviz.document.frame import compute
from attnviz.document.state import SCALARS, State
from attnviz.views.controls.rows import NumberRow
from attnviz.views.controls.view import ControlsView, multiplier_formula
from attnviz.views.selection import Selection
from attnviz.views.text_line import TextLine
from tests.views.panel_scenes import cat_dog_phone


@pytest.fixture
def controls(qtbot: QtBot) -> ControlsView:
    view = ControlsView(Selection())
    qtbot.addWidget(view)
    view.resize(268, 400)
    view.show()
    view.offer_frame(compute(cat_dog_phone()))
    return view


def _show(view: ControlsView, state: State) -> None:
    view.offer_frame(compute(state))


def _number_row(view: ControlsView, name: str) -> NumberRow:
    row = view.rows[name]
    assert isinstance(row, NumberRow)
    return row


def _texts(view: ControlsView) -> list[str]:
    labels = [label.text() for label in view.findChildren(QLabel) if label.isVisible()]
    return labels + [line.text for line in view.findChildren(TextLine) if line.isVisible()]


def test_every_scalar_that_is_always_in_sight_has_a_row(controls: ControlsView) -> None:
    assert list(controls.rows) == ["temperature", "d_k", "scale", "custom_multiplier", "mask"]
    always = [name for name, scalar in SCALARS.items() if not scalar.group]
    assert sorted(always) == sorted([*controls.rows, "seed"])


def test_multiplier_of_scene_1_is_on_screen(controls: ControlsView) -> None:
    assert "multiplier 0.707" in _texts(controls)
    assert "1/(T·√d_k)" in _texts(controls)


@pytest.mark.parametrize(
    ("rule", "formula", "number"),
    # T = 0.5, d_k = 2, m = 3
    [
        ("none", "1/T", "2.000"),
        ("sqrt_d_k", "1/(T·√d_k)", "1.414"),
        ("d_k", "1/(T·d_k)", "1.000"),
        ("custom", "m/T", "6.000"),
    ],
)
def test_multiplier_follows_the_rule(controls: ControlsView, rule: str, formula: str, number: str) -> None:
    _show(controls, replace(cat_dog_phone(), temperature=0.5, scale=rule, custom_multiplier=3.0))
    assert formula in _texts(controls)
    assert f"multiplier {number}" in _texts(controls)


def test_scale_rules_are_named_by_what_they_divide_by(controls: ControlsView) -> None:
    buttons = controls.rows["scale"].findChildren(QToolButton)
    assert [button.text() for button in buttons] == ["1", "√d_k", "d_k", "custom"]


def test_formula_is_made_from_the_label_of_the_rule() -> None:
    assert multiplier_formula(SCALARS["scale"], "d_k") == "1/(T·d_k)"


def test_custom_multiplier_is_shown_only_under_the_custom_rule(controls: ControlsView) -> None:
    row = controls.rows["custom_multiplier"]
    assert not row.isVisible()
    _show(controls, replace(cat_dog_phone(), scale="custom"))
    assert row.isVisible()
    _show(controls, cat_dog_phone())
    assert not row.isVisible()


def test_typed_temperature_is_wanted(controls: ControlsView, qtbot: QtBot) -> None:
    box = _number_row(controls, "temperature").box
    box.selectAll()
    qtbot.keyClicks(box, "0.5")
    with qtbot.waitSignal(controls.scalar_changed) as heard:
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert heard.args[:2] == ["temperature", 0.5]


def test_chosen_mask_is_wanted_under_its_key(controls: ControlsView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(controls.scalar_changed) as heard:
        qtbot.keyClick(controls.rows["mask"].list, Qt.Key.Key_Down)
    assert heard.args[:2] == ["mask", "causal"]


def test_refusal_of_a_typed_value_reaches_the_window(controls: ControlsView, qtbot: QtBot) -> None:
    box = _number_row(controls, "temperature").box
    box.selectAll()
    qtbot.keyClicks(box, "0")
    with qtbot.waitSignal(controls.refused) as heard, qtbot.assertNotEmitted(controls.scalar_changed):
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert heard.args[0].startswith("temperature must be")


def test_reset_of_the_key_width_brings_back_the_written_columns(controls: ControlsView, qtbot: QtBot) -> None:
    _show(controls, replace(cat_dog_phone(), d_k=64))
    with qtbot.waitSignal(controls.scalar_changed) as heard:
        qtbot.mouseClick(_number_row(controls, "d_k").reset_button, Qt.MouseButton.LeftButton)
    assert heard.args[:2] == ["d_k", 2]


def test_new_draw_is_offered_where_columns_are_drawn(controls: ControlsView, qtbot: QtBot) -> None:
    assert not controls.redraw_button.isEnabled()
    _show(controls, replace(cat_dog_phone(), d_k=3))
    with qtbot.waitSignal(controls.redraw_requested):
        qtbot.mouseClick(controls.redraw_button, Qt.MouseButton.LeftButton)


def test_showing_a_frame_asks_for_nothing(controls: ControlsView, qtbot: QtBot) -> None:
    changed = replace(cat_dog_phone(), temperature=3.0, d_k=5, scale="d_k", mask="causal", seed=4)
    with qtbot.assertNotEmitted(controls.scalar_changed), qtbot.assertNotEmitted(controls.redraw_requested):
        _show(controls, changed)


def test_every_control_has_a_name_and_a_tooltip(controls: ControlsView) -> None:
    reachable = [w for w in controls.findChildren(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
    reachable = [w for w in reachable if not isinstance(w, QListView)]  # what a list unfolds is Qt's own
    assert len(reachable) >= 12  # 3 boxes, 2 sliders, 3 resets, play, draw, 4 segments less what is hidden, 1 list
    for widget in reachable:
        assert widget.accessibleName() or widget.text(), widget
        assert widget.toolTip(), widget


def test_tab_goes_through_the_rows_in_reading_order(controls: ControlsView, qtbot: QtBot) -> None:
    _show(controls, replace(cat_dog_phone(), temperature=2.0, d_k=4))
    controls.sweep_button.setFocus()
    names = []
    for _ in range(9):
        focused = controls.focusWidget()
        names.append(focused.accessibleName())
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert names[:8] == [
        "Auto-play T",
        "Reset Temperature T",
        "Temperature T",
        "Temperature T, slider",
        "New draw",
        "Reset Key width d_k",
        "Key width d_k",
        "Key width d_k, slider",
    ]


def test_sweep_is_one_gesture(controls: ControlsView, qtbot: QtBot) -> None:
    heard: list[tuple[object, ...]] = []
    controls.scalar_changed.connect(lambda *intent: heard.append(intent))
    qtbot.mouseClick(controls.sweep_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(heard) >= 3)
    controls.stop_sweep()
    assert {intent[0] for intent in heard} == {"temperature"}
    assert len({intent[2] for intent in heard}) == 1
    assert float(str(heard[0][1])) >= 1.0


def test_sweep_goes_on_while_its_own_temperatures_are_shown(controls: ControlsView, qtbot: QtBot) -> None:
    state = cat_dog_phone()
    _show(controls, state)
    controls.toggle_sweep()
    for _ in range(3):
        with qtbot.waitSignal(controls.scalar_changed) as heard:
            pass
        _show(controls, edits.set_scalar(state, "temperature", heard.args[1]))
    assert controls.sweep_button.isChecked()


def test_press_on_the_slider_stops_the_sweep(controls: ControlsView, qtbot: QtBot) -> None:
    controls.toggle_sweep()
    slider = _number_row(controls, "temperature").slider
    assert slider is not None
    with qtbot.waitSignal(controls.sweep_changed) as heard:
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(30, 12))
    assert heard.args == [False]
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(30, 12))


def test_hiding_stops_the_sweep(controls: ControlsView, qtbot: QtBot) -> None:
    controls.toggle_sweep()
    with qtbot.waitSignal(controls.sweep_changed) as heard:
        controls.hide()
    assert heard.args == [False]


@pytest.mark.parametrize("disturbed", ["undone", "edited", "switched"])
def test_another_hand_on_the_document_stops_the_sweep(controls: ControlsView, qtbot: QtBot, disturbed: str) -> None:
    state = cat_dog_phone()
    _show(controls, state)
    controls.toggle_sweep()
    others = {
        "undone": replace(state, temperature=42.0),
        "edited": edits.set_embedding(state, "sequence", 0, [0.0, 0.0]),
        "switched": replace(state, mask="causal"),
    }
    with qtbot.waitSignal(controls.sweep_changed) as heard:
        _show(controls, others[disturbed])
    assert heard.args == [False]


def test_play_button_shows_pause_while_the_sweep_runs(controls: ControlsView) -> None:
    controls.toggle_sweep()
    assert (controls.sweep_button.sign, controls.sweep_button.isChecked()) == ("pause", True)
    controls.toggle_sweep()
    assert (controls.sweep_button.sign, controls.sweep_button.isChecked()) == ("play", False)


@pytest.mark.parametrize("size", [0.8, 1.0, 2.0])
def test_rows_do_not_overlap_at_any_size_of_text(controls: ControlsView, size: float) -> None:
    font = controls.font()
    font.setPointSizeF(font.pointSizeF() * size)
    controls.setFont(font)
    _show(controls, replace(cat_dog_phone(), scale="custom"))
    controls.resize(controls.minimumSizeHint())
    controls.grab()
    rows = [row.geometry() for row in controls.rows.values()]
    assert not any(a.intersects(b) for i, a in enumerate(rows) for b in rows[:i])
    assert all(row.height() >= row.minimumSizeHint().height() for row in controls.rows.values())


def test_theme_changes_the_drawing(controls: ControlsView) -> None:
    before = controls.grab().toImage()
    controls.apply_theme(DARK)
    assert controls.grab().toImage() != before


def test_multiplier_stays_in_sight_while_the_rows_are_scrolled(controls: ControlsView) -> None:
    controls.resize(268, 8 * controls.fontMetrics().height())
    bar = controls.findChild(QScrollArea).verticalScrollBar()
    assert bar.maximum() > 0
    multiplier = next(line for line in controls.findChildren(TextLine) if line.text.startswith("multiplier"))
    for place in (0, bar.maximum()):
        bar.setValue(place)
        assert multiplier.visibleRegion().boundingRect() == multiplier.rect()


def test_title_says_the_multiplier_where_the_panel_is_too_low_for_its_line(controls: ControlsView) -> None:
    controls.resize(268, controls.minimumSizeHint().height())
    assert controls.subtitle == "× 0.707"
    controls.show_frame(compute(edits.set_scalar(cat_dog_phone(), "temperature", 0.5)))
    assert controls.subtitle == "× 1.414"
    controls.resize(268, 400)
    assert controls.subtitle == ""


def test_all_rows_fit_into_the_first_layout(controls: ControlsView) -> None:
    _show(controls, replace(cat_dog_phone(), scale="custom"))
    controls.resize(266, 258)  # what a window of 1280x800 gives them
    bar = controls.findChild(QScrollArea).verticalScrollBar()
    assert bar.maximum() == 0


def test_rows_are_as_wide_with_a_scroll_bar_as_without(controls: ControlsView, qtbot: QtBot) -> None:
    width = controls.rows["temperature"].width()
    controls.resize(268, controls.minimumSizeHint().height())
    qtbot.waitUntil(lambda: controls.findChild(QScrollArea).verticalScrollBar().maximum() > 0)
    assert abs(controls.rows["temperature"].width() - width) <= 4  # a bar of the system may be wider than the margin


def test_every_row_explains_its_scalar(controls: ControlsView) -> None:
    for name, row in controls.rows.items():
        assert html.escape(SCALARS[name].help) in row.whatsThis()
    assert "custom: Multiply the scores" in controls.rows["scale"].whatsThis()
