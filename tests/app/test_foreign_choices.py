"""Choices that another module registers, in one decorated function each, show up everywhere and break nothing."""

from __future__ import annotations

import subprocess
import sys
import textwrap

_CODE = textwrap.dedent(
    """
    import sys

    import numpy as np

    from attnviz.engine import MASKING_METHODS, MASKS, POSITIONAL_ENCODINGS, SCALE_RULES, SOFTMAX_VARIANTS
    from attnviz.engine import PositionEffect

    @SCALE_RULES.register("cube", "Cube root", "Divides by the cube root of the width.")
    def cube(d_k):
        return d_k ** (-1 / 3)

    @MASKS.register("even", "Even keys", "A query sees every second key.")
    def even(request):
        return np.tile(np.arange(request.n_key) % 2 == 0, (request.n_query, 1))

    @MASKING_METHODS.register("halve", "Halved", "Banned keys keep half of their score.")
    def halve(logits, allowed, normalise):
        halved = np.where(allowed, logits, logits / 2.0)
        return halved, normalise(halved)

    @SOFTMAX_VARIANTS.register("sharp", "Twice as sharp", "Doubles each logit.")
    def sharp(logits, sink):
        return SOFTMAX_VARIANTS["standard"].function(2.0 * logits, sink)

    @POSITIONAL_ENCODINGS.register("steps", "Steps", "Each step away costs a tenth.")
    def steps(request):
        apart = np.abs(np.subtract.outer(np.asarray(request.positions), np.asarray(request.context_positions)))
        return PositionEffect(bias=np.tile(-0.1 * apart, (request.n_heads, 1, 1)))

    @POSITIONAL_ENCODINGS.register("ramp", "Ramp", "A tenth of the position is added to each channel.")
    def ramp(request):
        added = [np.outer(np.asarray(places) / 10.0, np.ones(width)) for places, width in (
            (request.positions, request.d_model), (request.context_positions, request.d_context))]
        return PositionEffect(added=added[0], context_added=added[1])

    from PySide6.QtCore import QCoreApplication, QEvent, QSettings

    from attnviz.app.dialogs import QtPrompts
    from attnviz.app.main import make_application
    from attnviz.app.window import MainWindow
    from attnviz.document import edits
    from attnviz.document.frame import compute
    from attnviz.document.number_ref import NumberRef
    from attnviz.document.presets import load_preset
    from attnviz.figures.attention_figure import figure_svg
    from attnviz.film import caption, picture, script_of
    from attnviz.film.headings import symbols_of
    from attnviz.views.panels import PANELS

    choices = [
        ("scale", "cube", "Cube root"), ("mask", "even", "even"), ("masking", "halve", "halved"),
        ("softmax", "sharp", "Twice as sharp"), ("positions", "steps", "Steps"), ("positions", "ramp", "Ramp"),
    ]
    app = make_application()
    for name, choice, label in choices:
        state = load_preset("s1")
        if name == "masking":
            state = edits.set_scalar(state, "mask", "causal")
        state = edits.set_scalar(state, name, choice)
        frame = compute(state)
        assert label.lower() in figure_svg(frame).lower(), choice
        for query in (None, 0):
            script = script_of(frame, query)
            told = []
            for step in map(script.step, range(len(script))):
                picture(frame, step)
                told.append(caption(frame, step) + symbols_of(frame, step))
            print(choice, *told, sep=" | ")

    for positions in ("steps", "ramp"):
        state = load_preset("s1")
        for name, choice in {**{name: choice for name, choice, _ in choices}, "positions": positions}.items():
            state = edits.set_scalar(state, name, choice)
        window = MainWindow(state, QSettings("settings.ini", QSettings.Format.IniFormat), QtPrompts)
        window.show()
        for spec in PANELS:
            window.docks[spec.name].show()
            window.docks[spec.name].raise_()
            app.processEvents()
        for kind in ("scaled", "bias", "masked", "exponential", "weight") if positions == "steps" else ("weight",):
            window.selection.pin_number(NumberRef(kind, (1, 1)), 1, 1, opening="must")
            app.processEvents()
        for name in ("weights", "positions", "derivation"):
            window.panels[name].grab()
        print(window.panels["weights"].subtitle, window.panels["positions"].body.does.text())
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        app.processEvents()
    print("all shown")
    """
)


def test_registered_choices_show_up_in_every_panel_figure_and_film(tmp_path) -> None:
    done = subprocess.run([sys.executable, "-c", _CODE], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert said == []
    assert done.returncode == 0
    assert done.stdout.endswith("all shown\n")
