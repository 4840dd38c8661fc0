"""Numbers that nobody computed: embeddings, matrices as written or drawn, temperature, key width, own multiplier."""

from __future__ import annotations

from attnviz.document.arrays import identity
from attnviz.explanations.expression import Number
from attnviz.explanations.kinds import Derivation, Origin, kind
from attnviz.explanations.source import Name, Source

_TYPED = "You typed this number."


def _given(
    title: str, formula: str, symbol: str, number: Number, note: str = _TYPED, origin: Origin = "typed"
) -> Derivation:
    line = f"result = {number.number!r}  # {'drawn' if origin == 'drawn' else 'given'}"
    return Derivation(title, formula, (symbol, ""), number, lambda: (line,), note, origin)


def _embedding(token: Name, coordinate: int, value: float) -> Derivation:
    place = coordinate + 1
    return _given(
        f"coordinate {place} of the embedding of {token.plain}",
        f"x({token.plain}, {place})",
        rf"x_{{{token.latex},{place}}}",
        Number(value),
        "You typed this number, dragged it there or read it from a file.",
    )


@kind(
    "x",
    "embedding",
    ("query", "coordinate"),
    lambda source, token, coordinate: source.state.sequence.embeddings[token, coordinate],
)
def embedding(source: Source, token: int, coordinate: int) -> Derivation:
    """Tell where a coordinate of a token that asks comes from."""
    return _embedding(source.query(token), coordinate, float(source.state.sequence.embeddings[token, coordinate]))


@kind(
    "context",
    "embedding",
    ("context", "coordinate"),
    lambda source, token, coordinate: source.state.key_sequence.embeddings[token, coordinate],
)
def context_embedding(source: Source, token: int, coordinate: int) -> Derivation:
    """Tell where a coordinate of a token of the context comes from."""
    return _embedding(source.key(token), coordinate, float(source.state.key_sequence.embeddings[token, coordinate]))


def _matrix(source: Source, name: str, row: int, column: int) -> Derivation:
    letter = name[-1].upper()
    state = source.state
    written, place = source.written(name, column)
    note, origin = _TYPED, "typed"
    if place >= written.shape[1]:
        note = f"Drawn from a normal distribution with variance 1/d, with seed {state.seed}."
        origin = "drawn"
    elif written is identity(state.width):
        note = "The identity stands here until another matrix is written."
    return _given(
        f"W_{letter}, row {row + 1}, column {column + 1}",
        f"W_{letter}({row + 1}, {column + 1})",
        rf"W^{{{letter}}}_{{{row + 1},{column + 1}}}",
        Number(source.weight_matrix_entry(name, row, column)),
        note,
        "drawn" if origin == "drawn" else "typed",
    )


@kind(
    "w_q",
    "W_Q",
    ("coordinate", "d_k"),
    lambda source, row, column: source.weight_matrix_entry("w_q", row, column),
)
def query_weight(source: Source, row: int, column: int) -> Derivation:
    """Tell where an entry of W_Q comes from."""
    return _matrix(source, "w_q", row, column)


@kind(
    "w_k",
    "W_K",
    ("coordinate", "d_k"),
    lambda source, row, column: source.weight_matrix_entry("w_k", row, column),
)
def key_weight(source: Source, row: int, column: int) -> Derivation:
    """Tell where an entry of W_K comes from."""
    return _matrix(source, "w_k", row, column)


@kind(
    "w_v",
    "W_V",
    ("coordinate", "d_v"),
    lambda source, row, column: source.weight_matrix_entry("w_v", row, column),
)
def value_weight(source: Source, row: int, column: int) -> Derivation:
    """Tell where an entry of W_V comes from."""
    return _matrix(source, "w_v", row, column)


@kind("temperature", "temperature", (), lambda source: source.state.temperature)
def temperature(source: Source) -> Derivation:
    """Tell where the temperature comes from."""
    return _given("temperature", "T", "T", Number(source.state.temperature), "You set this number in Controls.")


@kind("custom_multiplier", "own multiplier", (), lambda source: source.state.custom_multiplier)
def custom_multiplier(source: Source) -> Derivation:
    """Tell where the factor of the custom scale rule comes from."""
    return _given("custom multiplier", "c", "c", Number(source.state.custom_multiplier))


@kind("d_k", "key width", (), lambda source: source.state.d_k)
def key_width(source: Source) -> Derivation:
    """Tell where the key width comes from."""
    number = Number(float(source.state.d_k), is_count=True)
    return _given("key width", "d_k", "d_k", number, "You set this number in Controls: the columns of W_Q and W_K.")
