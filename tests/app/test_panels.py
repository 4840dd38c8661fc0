"""What holds for every panel of the list: it shows without asking for anything, and catches up when it appears."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QMetaMethod, QObject, Signal
from PySide6.QtWidgets import QApplication

from attnviz.appearance import DARK, LIGHT
from attnviz.document import edits
from attnviz.document.frame import Frame, compute
from attnviz.document.presets import load_preset, preset_names
from attnviz.document.state import State
from attnviz.views.panel import Panel
from attnviz.views.panels import PANELS, PanelSpec
from attnviz.views.selection import Selection

# What a panel says of itself; everything else is an intent.
FACTS = {"subtitle_changed", "title_changed", "step_explained"}

pytestmark = pytest.mark.usefixtures("qapp")


def frames() -> Iterator[Frame]:
    for name in preset_names():
        yield compute(load_preset(name))
    state = load_preset("s1")
    for key, value in (("causal", True), ("temperature", 1e-3), ("d_k", 40), ("scale", "custom"), ("scale", "none")):
        state = edits.set_scalar(state, key, value)
        yield compute(state)
    many = edits.set_sentence(state, "sequence", " ".join(f"t{i}" for i in range(60)))
    yield compute(many)
    yield compute(edits.replace_embeddings(many, ("a",), np.ones((1, 1)), "one"))
    yield compute(edits.replace_embeddings(many, ("a", "b", "c"), np.eye(3, 9), "nine"))


def intents_of(panel: QObject) -> list[str]:
    meta, own = panel.metaObject(), Panel.staticMetaObject.superClass().methodCount()
    methods = [meta.method(i) for i in range(own, meta.methodCount())]
    names = [m.name().toStdString() for m in methods if m.methodType() == QMetaMethod.MethodType.Signal]
    return sorted(set(names) - FACTS)


@pytest.fixture(params=PANELS, ids=[spec.name for spec in PANELS])
def spec(request: pytest.FixtureRequest) -> PanelSpec:
    spec: PanelSpec = request.param
    return spec


@pytest.fixture
def panel(spec: PanelSpec) -> Iterator[Panel]:
    panel = spec.kind(Selection())
    panel.resize(400, 300)
    yield panel
    panel.close()
    panel.deleteLater()


def test_showing_frames_emits_no_intent(panel: Panel) -> None:
    asked: list[str] = []
    names = intents_of(panel)
    assert "refused" in names
    recorders = [Recorder(name, asked) for name in names]
    for name, recorder in zip(names, recorders, strict=True):
        getattr(panel, name).connect(recorder.record)
    panel.show()
    for frame in frames():
        panel.selection.fit_to(frame.n_query, frame.n_key, 0 if frame.state.context is None else frame.n_key)
        panel.offer_frame(frame)
        QApplication.processEvents()
    for theme in (DARK, LIGHT):
        panel.apply_theme(theme)
    panel.selection.point_at(0, 0)
    QApplication.processEvents()
    assert asked == []


class Recorder(QObject):
    """Remembers that a signal came."""

    def __init__(self, name: str, asked: list[str]) -> None:
        super().__init__()
        self._name, self._asked = name, asked

    def record(self, *_arguments: object) -> None:
        self._asked.append(self._name)


def test_frame_offered_while_hidden_is_shown_once_it_appears(spec: PanelSpec) -> None:
    shown: list[Frame] = []

    class Watched(spec.kind):  # type: ignore[name-defined]  # the kind of the panel is known when the test runs
        shown_frame = Signal()

        def show_frame(self, frame: Frame) -> None:
            shown.append(frame)
            super().show_frame(frame)

    panel = Watched(Selection())
    panel.resize(400, 300)
    first, second = compute(load_preset("s1")), compute(warmer(load_preset("s1")))
    panel.offer_frame(first)
    panel.offer_frame(second)
    assert shown == []
    panel.show()
    assert shown == [second]
    panel.hide()
    panel.offer_frame(first)
    assert shown == [second]
    panel.show()
    assert shown[-1] is first
    panel.close()
    panel.deleteLater()


def warmer(state: State) -> State:
    return edits.set_scalar(state, "temperature", 2.0)


def test_names_titles_and_help_are_given_and_unique() -> None:
    names = [spec.name for spec in PANELS]
    assert len(set(names)) == len(names)
    assert all(spec.title and spec.help.endswith(".") for spec in PANELS)


def test_panel_draws_something_in_both_themes(panel: Panel) -> None:
    panel.show()
    panel.offer_frame(compute(load_preset("s1")))
    for theme in (LIGHT, DARK):
        panel.apply_theme(theme)
        QApplication.processEvents()
        image = panel.grab().toImage()
        colours = {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
        assert len(colours) > 2
