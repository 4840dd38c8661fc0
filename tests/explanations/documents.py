"""Documents for the tests of explanations: random ones, and the frame's own numbers by kind and place."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame, compute
from attnviz.document.interventions import PINNED_KINDS, Intervention
from attnviz.document.number_ref import NumberRef
from attnviz.document.projection import bucket_table
from attnviz.document.state import SCALARS, State
from attnviz.document.tokens import TokenSequence
from attnviz.engine import effective_keys, entropy
from attnviz.explanations import KINDS, exists
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
def documents(draw: st.DrawFn, positions: str = "none") -> State:
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
    state = State(
        sequence=sequence(12),
        context=draw(st.sampled_from([None, sequence(7)])),
        w_q=numbers.normal(size=(d, m)) if is_written else None,
        w_k=numbers.normal(size=(d, m)) if is_written else None,
        w_v=numbers.normal(size=(d, draw(st.integers(1, 3)))) if draw(st.booleans()) else None,
        d_k=draw(st.integers(1, 7)),
        scale=draw(st.sampled_from(SCALES)),
        custom_multiplier=draw(st.sampled_from([-2.5, 0.0, 0.3])),
        temperature=draw(st.sampled_from([0.01, 0.7, 1.0, 30.0, 1e-9])),
        seed=draw(st.integers(0, 3)),
    )
    for layer in (with_heads, with_mask, with_softmax):
        state = layer(draw, numbers, state)
    return with_pins(draw, numbers, with_positions(draw, numbers, state, positions))


def with_heads(draw: st.DrawFn, numbers: np.random.Generator, state: State) -> State:
    """Give a document several heads, biases, or keys tied to its queries."""
    heads = draw(st.sampled_from([1, 1, 2, 4]))
    d_v = int(numbers.integers(1, 4))
    if heads > 1:
        state = replace(state, w_v=numbers.normal(size=(state.width, heads * d_v)), n_heads=heads)
        state = replace(state, n_kv_heads=draw(st.sampled_from([heads, 1, heads // 2])))
    m = state.w_q.shape[1]
    widths = {"b_q": m, "b_k": m, "b_v": state.w_v.shape[1]}
    if draw(st.booleans()):
        d_out = draw(st.integers(1, 3))
        state = replace(state, w_o=numbers.normal(size=(state.w_v.shape[1], d_out)))
        state = replace(state, b_o=draw(st.sampled_from([None, numbers.normal(size=d_out)])))
    biases = {name: numbers.normal(size=width) for name, width in widths.items() if draw(st.booleans())}
    return replace(state, is_tied=draw(st.sampled_from([False, False, True])), **biases)


def with_mask(draw: st.DrawFn, numbers: np.random.Generator, state: State) -> State:
    """Give a document a mask, padding, and a method of masking."""
    n_query, n_key = len(state.sequence), len(state.key_sequence)
    return replace(
        state,
        mask=draw(st.sampled_from(("none", "causal", *choices("mask")))),
        align=draw(st.sampled_from(choices("align"))),
        window=draw(st.integers(1, 4)),
        prefix=draw(st.integers(1, 4)),
        block=draw(st.integers(1, 4)),
        visible=draw(st.sampled_from([None, numbers.random((n_query, n_key)) > 0.4])),
        padding=draw(st.sampled_from([None, None, numbers.random(n_key) > 0.6])),
        masking=draw(st.sampled_from(("before", "before", *choices("masking")))),
    )


def with_softmax(draw: st.DrawFn, numbers: np.random.Generator, state: State) -> State:
    """Choose the softmax, a sink, a soft cap and dropout."""
    softmax = draw(st.sampled_from(choices("softmax")))
    return replace(
        state,
        softmax=softmax,
        has_sink=softmax != "columns" and draw(st.booleans()),
        sinks=draw(st.sampled_from([None, numbers.normal(size=2), np.array([-20.0]), np.array([700.5, 3.0])])),
        soft_cap=draw(st.sampled_from([0.0, 0.0, 0.7, 5.0])),
        dropout=draw(st.sampled_from([0.0, 0.0, 0.3])),
        dropout_seed=draw(st.integers(0, 3)),
    )


def with_positions(draw: st.DrawFn, numbers: np.random.Generator, state: State, positions: str) -> State:
    """Choose where the tokens of a document stand, and how that counts."""
    if positions == "rotary":
        state = replace(state, d_k=2 * draw(st.integers(1, 3)))
    state = replace(state, shift=draw(st.sampled_from([0, 0, 7])))
    is_whole = positions in ("learned", "relative")

    def ids(count: int) -> FloatArray | None:
        return draw(st.sampled_from([None, numbers.permutation(20)[:count] + (0.0 if is_whole else 0.25)]))

    return replace(
        state,
        positions=positions,
        position_ids=ids(len(state.sequence)),
        context_position_ids=None if state.context is None else ids(len(state.context)),
        base=draw(st.sampled_from([10000.0, 2.5])),
        pairing=draw(st.sampled_from(choices("pairing"))),
        rotary_width=draw(st.sampled_from([0, 2])),
        position_table=draw(st.sampled_from([None, numbers.normal(size=(3, state.width))])),
        bucket_table=draw(st.sampled_from([None, numbers.normal(size=(1, 8))])),
        is_bidirectional=draw(st.booleans()),
    )


def choices(name: str) -> tuple[str, ...]:
    """Name the choices of a setting."""
    return tuple(choice for choice, _, _ in SCALARS[name].choices)


def with_pins(draw: st.DrawFn, numbers: np.random.Generator, state: State) -> State:
    """Pin up to four numbers of a document."""
    size = sizes(compute(state))
    rows = {"q": "query", "k": "key", "v": "key", "score": "query", "weight": "query"}
    columns = {"q": "d_k", "k": "d_k", "v": "d_v", "score": "key", "weight": "key"}
    for kind in draw(st.lists(st.sampled_from(PINNED_KINDS), max_size=4)):
        place = (int(numbers.integers(size[rows[kind]])), int(numbers.integers(size[columns[kind]])))
        n_heads = state.n_kv_heads if kind in ("k", "v") else state.n_heads
        value, head = draw(st.sampled_from([0.0, 0.25, 3.0])), int(numbers.integers(n_heads))
        state = replace(state, interventions=state.interventions.with_one(Intervention(kind, *place, value, head)))
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
        "budget": len(frame.trace.row_max),
        "pair": (state.rotary_width or state.d_k) // 2 if state.positions == "rotary" else 0,
        "bucket": state.n_buckets if state.positions == "relative" else 0,
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
            if exists(frame, NumberRef(name, indices)):
                yield NumberRef(name, indices)


def some_refs(frame: Frame, most: int, seed: int = 0) -> Iterator[NumberRef]:
    """Name up to ``most`` numbers of each kind."""
    size, rng = sizes(frame), np.random.default_rng(seed)
    for name, kind in KINDS.items():
        places = list(itertools.product(*(range(size[axis]) for axis in kind.axes)))
        for place in rng.permutation(len(places))[:most]:
            if exists(frame, NumberRef(name, places[place])):
                yield NumberRef(name, places[place])


def number_of(frame: Frame, ref: NumberRef) -> float:
    """Read a number where the rest of the program reads it."""
    state, trace, at = frame.state, frame.trace, ref.indices
    if ref.kind in _READ_ELSEWHERE:
        return float(_READ_ELSEWHERE[ref.kind](frame)[at])
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
        "undropped": trace.undropped,
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
        "soft_cap": np.array(state.soft_cap),
        "dropout": np.array(state.dropout),
        "base": np.array(state.base),
    }
    return float(arrays[ref.kind][at])


def _own(frame: Frame, name: str, head: int, width: int) -> FloatArray:
    """Take the part of a bias that belongs to a head; 0 beyond what is written."""
    written = getattr(frame.state, name)
    whole = np.concatenate([written, np.zeros((head + 1) * width)])
    return whole[head * width : (head + 1) * width]


def _places(frame: Frame, *, is_context: bool) -> FloatArray:
    state = frame.state
    ids = state.context_position_ids if is_context else state.position_ids
    count = len(state.key_sequence if is_context else state.sequence)
    return (np.arange(count) if ids is None else ids) + state.shift


def _angles(frame: Frame, *, is_context: bool) -> FloatArray:
    width = frame.state.rotary_width or frame.state.d_k
    turns = frame.state.base ** -(np.arange(0, width, 2) / width)
    return np.outer(_places(frame, is_context=is_context), turns)


def _shares(frame: Frame) -> FloatArray:
    trace = frame.trace
    axis = 0 if frame.state.softmax == "columns" else 1
    total = np.expand_dims(np.where(trace.normaliser > 0.0, trace.normaliser, 1.0), axis)
    return trace.exponentials / total


def _kept_sums(frame: Frame) -> FloatArray:
    allowed = frame.trace.options.allowed
    assert allowed is not None
    shares = _shares(frame)
    kept = (shares * allowed).sum(axis=1)
    if frame.state.softmax == "standard" and not frame.state.has_sink:
        return kept
    whole = shares.sum(axis=1)
    return kept / np.where(whole > 0.0, whole, 1.0)


def _sink(frame: Frame) -> FloatArray:
    written = [] if frame.state.sinks is None else frame.state.sinks.tolist()
    return np.array([*written, 0.0, 0.0, 0.0, 0.0][frame.head])


_READ_ELSEWHERE: dict[str, Callable[[Frame], FloatArray]] = {
    "b_q": lambda frame: _own(frame, "b_q", frame.head, frame.state.d_k),
    "b_k": lambda frame: _own(frame, "b_k", frame.kv_head, frame.state.d_k),
    "b_v": lambda frame: _own(frame, "b_v", frame.kv_head, frame.state.d_v),
    "place": lambda frame: _places(frame, is_context=False),
    "context_place": lambda frame: _places(frame, is_context=True),
    "position": lambda frame: frame.layer.inputs - frame.state.sequence.embeddings,
    "context_position": lambda frame: frame.layer.context_inputs - frame.state.key_sequence.embeddings,
    "input": lambda frame: frame.layer.inputs,
    "context_input": lambda frame: frame.layer.context_inputs,
    "angle": lambda frame: _angles(frame, is_context=False),
    "context_angle": lambda frame: _angles(frame, is_context=True),
    "plain_q": lambda frame: frame.layer.plain_qk(frame.head)[0],
    "plain_k": lambda frame: frame.layer.plain_qk(frame.head)[1],
    "bias": lambda frame: frame.layer.effect.bias[frame.head],
    "bucket": lambda frame: bucket_table(frame.state)[frame.head],
    "sink": _sink,
    "share": _shares,
    "kept_sum": _kept_sums,
}


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
