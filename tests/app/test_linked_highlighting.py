"""Linked highlighting: what is pointed at in one panel, by mouse or by keyboard, lights up in every other one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QSettings, Qt
from PySide6.QtGui import QColor, QEnterEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attnviz import session as session_module
from attnviz.app.window import MainWindow
from attnviz.appearance import DARK
from attnviz.document.number_ref import NumberRef
from attnviz.document.presets import load_preset
from attnviz.views.selection import Chosen
from tests.app.conftest import Answers
from tests.app.mouse import cell_place, click, middle_of, move, place_of

PANELS = ("tokens", "plane", "scores", "weights", "derivation", "film", "inspector")
LEAST = 30  # pixels: less is no light that anybody sees


@pytest.fixture(scope="module")
def wide_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """One window with every panel in sight: plane and film one over the other, and the inspector open."""
    settings = QSettings(str(tmp_path_factory.mktemp("settings") / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(load_preset("s1"), settings, Answers)
    window.appearance.use_theme("light")
    window.show_sized(1500, 1100)
    assert window.plane.canvas.isVisible()
    window.docks["inspector"].show()
    window.docks["film"].show()
    window.splitDockWidget(window.docks["plane"], window.docks["film"], Qt.Orientation.Vertical)
    qapp.processEvents()
    assert all(window.panels[name].isVisible() for name in PANELS)
    yield window
    window.close()
    window.deleteLater()
    qapp.processEvents()


@pytest.fixture
def window(wide_window: MainWindow) -> MainWindow:
    """The window with cat → dog pinned, the film at a product, and the score explained."""
    for widget in wide_window.findChildren(QWidget):
        if widget.underMouse() or widget.hasFocus():
            widget.clearFocus()
    for target in hovered_widgets(wide_window):
        QApplication.sendEvent(target, QEvent(QEvent.Type.Leave))
    wide_window.selection.choose(Chosen())
    wide_window.film.body.follow_selection()
    wide_window.film.body.go_to(12)
    wide_window.inspector.show_number(NumberRef("score", (0, 1)))
    wide_window.scores.choose_stage("scaled")
    QApplication.processEvents()
    return wide_window


def hovered_widgets(window: MainWindow) -> list[QWidget]:
    return [
        window.scores.matrix,
        window.weights.matrix,
        window.plane.canvas,
        window.tokens.table.viewport(),
        window.derivation,
        window.film.body.stage,
        window.inspector.body.sheet,
    ]


# -- the sources: each points at something of cat or dog


def over_row_of_table(window: MainWindow) -> None:
    table = window.tokens.table
    move(table.viewport(), QPointF(table.visualRect(table.rows.index(0, 0)).center()), is_pressed=False)


def over_coordinate(window: MainWindow) -> None:
    table = window.tokens.table
    move(table.viewport(), QPointF(table.visualRect(table.rows.index(0, 1)).center()), is_pressed=False)


def over_dot(window: MainWindow) -> None:
    move(window.plane.canvas.viewport(), place_of(window, 0), is_pressed=False)


def over_row_label(window: MainWindow) -> None:
    matrix = window.weights.matrix
    at = cell_place(matrix, 0, 0)
    move(matrix, QPointF(matrix.cell_rect(0, 0).left() - 20.0, at.y()), is_pressed=False)


def over_column_label(window: MainWindow) -> None:
    matrix = window.scores.matrix
    at = cell_place(matrix, 0, 1)
    move(matrix, QPointF(at.x(), matrix.cell_rect(0, 1).top() - 12.0), is_pressed=False)


def over_score(window: MainWindow) -> None:
    move(window.scores.matrix, cell_place(window.scores.matrix, 0, 1), is_pressed=False)


def over_weight(window: MainWindow) -> None:
    move(window.weights.matrix, cell_place(window.weights.matrix, 0, 1), is_pressed=False)


def over_number_on_a_card(window: MainWindow) -> None:
    spot = next(spot for spot in window.derivation.spots if spot.ref == NumberRef("k", (1, 0)))
    move(window.derivation, spot.box.center(), is_pressed=False)


def over_cell_of_the_film(window: MainWindow) -> None:
    move(window.film.body.stage, film_place(window, "score", 0, 1), is_pressed=False)


def over_operand(window: MainWindow) -> None:
    sheet = window.inspector.body.sheet
    place = sheet.link_rectangle(sheet.links.index(NumberRef("q", (0, 0))))
    move(sheet, QPointF(place.center()), is_pressed=False)


def over_readout(window: MainWindow) -> None:
    line = window.scores.readout.numbers[0]
    at = middle_of(line)
    QApplication.sendEvent(line, QEnterEvent(at, at, QPointF(line.mapToGlobal(at.toPoint()))))


def by_arrow_in_a_matrix(window: MainWindow) -> None:
    window.weights.matrix.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Right):
        QTest.keyClick(window.weights.matrix, key)


def by_arrow_on_a_card(window: MainWindow) -> None:
    window.derivation._cards[0].setFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)


def by_tab_to_an_operand(window: MainWindow) -> None:
    window.inspector.body.sheet.setFocus(Qt.FocusReason.TabFocusReason)


Source = Callable[[MainWindow], None]
SOURCES: dict[str, tuple[str, Source]] = {
    "row of the table": ("tokens", over_row_of_table),
    "coordinate": ("tokens", over_coordinate),
    "dot": ("plane", over_dot),
    "row label": ("weights", over_row_label),
    "column label": ("scores", over_column_label),
    "score": ("scores", over_score),
    "weight": ("weights", over_weight),
    "number on a card": ("derivation", over_number_on_a_card),
    "cell of the film": ("film", over_cell_of_the_film),
    "operand": ("inspector", over_operand),
    "readout": ("scores", over_readout),
    "arrow in a matrix": ("weights", by_arrow_in_a_matrix),
    "arrow on a card": ("derivation", by_arrow_on_a_card),
    "tab to an operand": ("inspector", by_tab_to_an_operand),
}


def film_place(window: MainWindow, kind: str, row: int, column: int) -> QPointF:
    stage = window.film.body.stage
    stage.grab()
    block, box = next((b, box) for b, box in stage.placed if b.origin is not None and b.origin.kind == kind)
    rows, columns = block.shape
    return QPointF(
        box.left() + (column + 0.5) * box.width() / columns,
        box.top() + (row + 0.5) * box.height() / rows,
    )


def pictures(window: MainWindow, but_for: str) -> dict[str, QImage]:
    QApplication.processEvents()
    return {name: window.panels[name].grab().toImage() for name in PANELS if name != but_for}


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_pointed_at_lights_up_in_every_other_panel_until_it_is_left(window: MainWindow, source: str) -> None:
    own, point = SOURCES[source]
    before = pictures(window, own)
    point(window)
    after = pictures(window, own)
    assert [name for name in before if changed_pixels(before[name], after[name]) < LEAST] == []
    for widget in (*hovered_widgets(window), window.scores.readout.numbers[0]):
        QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    window.selection.point_at(None, None)  # the keyboard does not leave
    left = pictures(window, own)
    assert [name for name in before if before[name] != left[name]] == []


def test_it_is_lit_in_the_dark_too(window: MainWindow) -> None:
    window.appearance.use_theme("dark")
    before = pictures(window, "scores")
    over_score(window)
    after = pictures(window, "scores")
    window.appearance.use_theme("light")
    assert [name for name in before if changed_pixels(before[name], after[name]) < LEAST] == []


def changed_pixels(before: QImage, after: QImage) -> int:
    assert before.size() == after.size()
    first, second = (np.frombuffer(image.constBits(), np.uint32) for image in (before, after))
    return int((first != second).sum())


@pytest.mark.parametrize("source", SOURCES)
def test_pointing_computes_nothing_and_makes_no_undo_entry(
    window: MainWindow, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[object] = []
    monkeypatch.setattr(session_module, "compute", computed.append)
    published: list[object] = []
    window.session.frame_changed.connect(published.append)
    state = window.session.state
    SOURCES[source][1](window)
    QApplication.processEvents()
    window.session.frame_changed.disconnect(published.append)
    assert (computed, published, window.session.undo_label) == ([], [], None)
    assert window.session.state is state


def test_operand_lights_its_own_cell_and_no_other(window: MainWindow) -> None:
    window.inspector.show_number(NumberRef("normaliser", (2,)))
    sheet = window.inspector.body.sheet
    place = sheet.link_rectangle(sheet.links.index(NumberRef("exponential", (2, 1))))
    move(sheet, QPointF(place.center()), is_pressed=False)
    chosen = window.selection.chosen
    assert (chosen.pointed_query, chosen.pointed_key) == (2, 1)
    assert chosen.pointed_number == NumberRef("exponential", (2, 1))
    assert sheet.lit == {NumberRef("exponential", (2, 1))}
    assert window.tokens.table.pointed_rows == {1, 2}
    scene = window.plane.canvas.tokens.scene
    assert scene is not None
    assert (scene.query, scene.key, scene.lit) == (2, 1, {(False, 2), (False, 1)})


def test_strip_lights_what_belongs_to_a_dragged_token_once_it_rests(window: MainWindow, qtbot: QtBot) -> None:
    over_dot(window)
    assert NumberRef("q", (0, 0)) in window.derivation.lit
    x, y = window.session.state.sequence.embeddings[0].tolist()
    window.wiring.move_point("sequence", 0, x + 0.1, y, 1)
    assert window.derivation.lit == frozenset()
    qtbot.waitUntil(lambda: NumberRef("q", (0, 0)) in window.derivation.lit)
    window.session.undo()


def test_status_bar_says_which_number_is_pointed_at(window: MainWindow) -> None:
    window.inspector.show_number(NumberRef("normaliser", (2,)))
    sheet = window.inspector.body.sheet
    place = sheet.link_rectangle(sheet.links.index(NumberRef("exponential", (2, 1))))
    move(sheet, QPointF(place.center()), is_pressed=False)
    assert window.status_line.sentence.text == "exponential of dog for query phone: 0.476"
    QApplication.sendEvent(sheet, QEvent(QEvent.Type.Leave))
    assert window.status_line.sentence.text == "query cat → key dog: score 1.100, weight 0.389"


def test_number_in_the_strip_stays_while_the_mouse_is_over_it(window: MainWindow) -> None:
    title = window.derivation.title
    spot = next(spot for spot in window.derivation.spots if spot.ref == NumberRef("exponential", (0, 2)))
    move(window.derivation, spot.box.center(), is_pressed=False)
    assert window.selection.chosen.pointed_key == 2
    assert window.derivation.title == title
    click(window.derivation, spot.box.center())
    assert window.derivation.title == title
    assert window.selection.chosen.number == NumberRef("exponential", (0, 2))


def test_temperature_in_a_formula_lights_its_control(window: MainWindow) -> None:
    window.inspector.show_number(NumberRef("multiplier"))
    sheet = window.inspector.body.sheet
    for kind in ("temperature", "d_k"):
        place = sheet.link_rectangle(sheet.links.index(NumberRef(kind)))
        move(sheet, QPointF(place.center()), is_pressed=False)
        assert window.controls.lit == {NumberRef(kind)}


def test_query_chosen_in_the_film_lights_its_row_elsewhere(window: MainWindow) -> None:
    body = window.film.body
    body.stage.setFocus()
    QTest.keyClick(body.stage, Qt.Key.Key_Down)
    assert (window.selection.chosen.query, window.selection.chosen.pointed_query) == (1, 1)
    assert window.tokens.table.pointed_rows == {1}
    assert not body.is_following


def test_film_follows_the_selection_again(window: MainWindow) -> None:
    body = window.film.body
    body.choose_query(1)
    assert not body.transport.follow.isChecked()
    click(window.weights.matrix, cell_place(window.weights.matrix, 2, 0))
    assert body.script.size[3] == 1
    QTest.mouseClick(body.transport.follow, Qt.MouseButton.LeftButton)
    assert body.script.size[3] == 2
    assert body.transport.follow.isChecked()
    click(window.weights.matrix, cell_place(window.weights.matrix, 0, 0))
    assert body.script.size[3] == 0
    body.choose_query(1)
    window.selection.pin_cell(0, 1)
    body.stage.setFocus()
    QTest.keyClick(body.stage, Qt.Key.Key_F)
    assert body.script.size[3] == 0


@pytest.mark.parametrize("name", ["scores", "weights", "derivation", "tokens", "plane", "stages", "table", "film"])
def test_panel_that_was_hidden_shows_what_was_chosen_meanwhile(window: MainWindow, name: str) -> None:
    dock, panel = window.docks[name], window.panels[name]
    dock.show()
    QApplication.processEvents()
    dock.hide()
    window.selection.pin_number(NumberRef("weight", (2, 0)), 2, 0)
    seen: list[Chosen] = []
    show = panel.show_selection
    panel.show_selection = lambda chosen: (seen.append(chosen), show(chosen))[1]  # type: ignore[method-assign]
    try:
        dock.show()
        dock.raise_()
        QApplication.processEvents()
    finally:
        del panel.show_selection  # type: ignore[method-assign]
    assert seen
    assert seen[-1] == window.selection.chosen


def test_scores_that_were_hidden_frame_the_cell_that_was_chosen_meanwhile(window: MainWindow) -> None:
    window.docks["scores"].hide()
    window.selection.pin_number(NumberRef("weight", (2, 0)), 2, 0)
    window.docks["scores"].show()
    QApplication.processEvents()
    assert window.scores.readout.lines[0].text == "phone → cat"


def test_frame_of_a_chosen_number_takes_the_colours_of_another_theme(window: MainWindow) -> None:
    window.selection.pin_number(NumberRef("weight", (0, 1)), 0, 1)
    line = window.scores.readout.numbers[2]
    window.actions_by_name["theme_dark"].trigger()
    QApplication.processEvents()
    accent = QColor(DARK.accent).rgb()
    image = line.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    assert (pixels == accent).any()
