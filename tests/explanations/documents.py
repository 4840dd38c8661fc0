"""Documents for the tests of explanations: random ones, and the frame's own numbers by kind and place."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from attnviz.document.edits import pin_number
from attnviz.document.frame import Frame, compute
from attnviz.document.interventions import PINNED_KINDS
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import SCALARS, State
from attnviz.document.tokens import TokenSequence
from attnviz.engine import effective_keys, entropy
from attnviz.explanations import KINDS
from tests.document.states import ODD_TOKENS

SCALES = tuple(name for name, _, _ in SCALARS["scale"].choices)

_RUNNER = """
import contextlib, io, json, sys
printed = []
for script in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(script, {"__name__": "__main__"})
    printed.append(out.getvalue())
assert not any(name.startswith(("attnviz", "PySide6")) for name in sys.modules)
json.dump(printed, sys.stdout)
"""


@st.composite
def documents(draw: st.DrawFn) -> State:
    """Draw a document of up to 12 tokens of width up to 6, with every choice of the controls."""
    d = draw(st.integers(1, 6))
    numbers = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from([0.1, 1.0, 30.0]))

    def sequence(most: int) -> TokenSequence:
        n = draw(st.integers(1, most))
        names = tuple(draw(st.sampled_from(("cat", "dog", *ODD_TOKENS))) for _ in range(n))
        return TokenSequence(names, spread * numbers.normal(size=(n, d)))

    is_written = draw(st.booleans())
    m = draw(st.integers(1, 4))
    w_v = numbers.normal(size=(d, draw(st.integers(1, 3)))) if draw(st.booleans()) else None
    n_channels = d if w_v is None else w_v.shape[1]
    n_heads = draw(st.sampled_from([h for h in range(1, n_channels + 1) if n_channels % h == 0]))
    d_out = draw(st.integers(1, 3))
    is_mixed = draw(st.booleans())
    return with_pins(
        draw,
        numbers,
        State(
            sequence=sequence(12),
            context=draw(st.sampled_from([None, sequence(7)])),
            w_q=numbers.normal(size=(d, m)) if is_written else None,
            w_k=numbers.normal(size=(d, m)) if is_written else None,
            w_v=w_v,
            w_o=numbers.normal(size=(n_channels, d_out)) if is_mixed else None,
            b_o=numbers.normal(size=d_out) if is_mixed and draw(st.booleans()) else None,
            n_heads=n_heads,
            n_kv_heads=draw(st.sampled_from([g for g in range(1, n_heads + 1) if n_heads % g == 0])),
            d_k=draw(st.integers(1, 7)),
            scale=draw(st.sampled_from(SCALES)),
            custom_multiplier=draw(st.sampled_from([-2.5, 0.0, 0.3])),
            temperature=draw(st.sampled_from([0.01, 0.7, 1.0, 30.0, 1e-9])),
            mask="causal" if draw(st.booleans()) else "none",
            seed=draw(st.integers(0, 3)),
        ),
    )


def with_pins(draw: st.DrawFn, numbers: np.random.Generator, state: State) -> State:
    """Pin up to four numbers of a document."""
    size = sizes(compute(state))
    rows = {"q": "query", "k": "key", "v": "key", "score": "query", "weight": "query"}
    columns = {"q": "d_k", "k": "d_k", "v": "d_v", "score": "key", "weight": "key"}
    for kind in draw(st.lists(st.sampled_from(PINNED_KINDS), max_size=4)):
        place = (int(numbers.integers(size[rows[kind]])), int(numbers.integers(size[columns[kind]])))
        state = pin_number(state, NumberRef(kind, place), draw(st.sampled_from([0.0, 0.25, 3.0])))
    return state


def sizes(frame: Frame) -> dict[str, int]:
    state = frame.state
    return {
        "query": frame.n_query,
        "key": frame.n_key,
        "context": 0 if state.context is None else frame.n_key,
        "coordinate": state.width,
        "d_k": state.d_k,
        "d_v": frame.v.shape[1],
        "channel": state.n_heads * frame.v.shape[1],
        "d_out": frame.layer_output.shape[1],
        "column of W_O": 0 if state.w_o is None else frame.layer_output.shape[1],
        "entry of b_O": 0 if state.b_o is None else frame.layer_output.shape[1],
    }


def every_ref(frame: Frame) -> Iterator[NumberRef]:
    """Name every number of a frame."""
    size = sizes(frame)
    for name, kind in KINDS.items():
        for indices in itertools.product(*(range(size[axis]) for axis in kind.axes)):
            yield NumberRef(name, indices)


def some_refs(frame: Frame, most: int, seed: int = 0) -> Iterator[NumberRef]:
    """Name up to ``most`` numbers of each kind."""
    size, rng = sizes(frame), np.random.default_rng(seed)
    for name, kind in KINDS.items():
        places = list(itertools.product(*(range(size[axis]) for axis in kind.axes)))
        for place in rng.permutation(len(places))[:most]:
            yield NumberRef(name, places[place])


def number_of(frame: Frame, ref: NumberRef) -> float:
    """Read a number where the rest of the program reads it."""
    state, trace, at = frame.state, frame.trace, ref.indices
    arrays = {
        "x": state.sequence.embeddings,
        "context": state.key_sequence.embeddings,
        "w_q": frame.w_q,
        "w_k": frame.w_k,
        "w_v": frame.w_v,
        "q": frame.q,
        "k": frame.k,
        "v": frame.v,
        "score": trace.scores,
        "scaled": trace.scaled,
        "masked": trace.masked,
        "row_max": trace.row_max,
        "exponential": trace.exponentials,
        "normaliser": trace.normaliser,
        "weight": trace.weights,
        "output": frame.output,
        "concatenated": frame.layer.concatenated,
        "w_o": state.w_o,
        "b_o": state.b_o,
        "layer_output": frame.layer_output,
        "row_sum": frame.row_sums(np.arange(frame.n_query)),
        "column_sum": trace.weights.sum(axis=0),
        "entropy": entropy(trace.weights),
        "largest_weight": trace.weights.max(axis=1),
        "effective_keys": effective_keys(trace.weights),
        "multiplier": np.array(frame.multiplier),
        "temperature": np.array(state.temperature),
        "custom_multiplier": np.array(state.custom_multiplier),
        "d_k": np.array(state.d_k),
    }
    return float(arrays[ref.kind][at])


def run_scripts(scripts: list[str]) -> list[float]:
    """Run programs in one fresh process that has NumPy and nothing of ours, and read what each prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-I", "-c", _RUNNER],
        input=json.dumps(scripts),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [float(printed) for printed in json.loads(done.stdout)]


def small_scene() -> Frame:
    """The start-up scene: cat, dog, phone."""
    return compute(State(TokenSequence(("cat", "dog", "phone"), [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])))
