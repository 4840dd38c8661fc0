"""Numbers that nobody computed: embeddings, matrices as written or drawn, temperature, key width, own multiplier."""

from __future__ import annotations

from attnviz.document.arrays import identity
from attnviz.explanations.expression import Number
from attnviz.explanations.kinds import Derivation, Origin, kind
from attnviz.explanations.source import Name, Source

_TYPED = "You typed this number."


def given_number(
    title: str, formula: str, symbol: str, number: Number, note: str = _TYPED, origin: Origin = "typed"
) -> Derivation:
    """Describe a number that nobody computed."""
    line = f"result = {number.number!r}  # {'drawn' if origin == 'drawn' else 'given'}"
    return Derivation(title, formula, (symbol, ""), number, lambda: (line,), note, origin)


def _embedding(token: Name, coordinate: int, value: float) -> Derivation:
    place = coordinate + 1
    return given_number(
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
    scope="layer",
)
def embedding(source: Source, token: int, coordinate: int) -> Derivation:
    """Tell where a coordinate of a token that asks comes from."""
    return _embedding(source.query(token), coordinate, float(source.state.sequence.embeddings[token, coordinate]))


@kind(
    "context",
    "embedding",
    ("context", "coordinate"),
    lambda source, token, coordinate: source.state.key_sequence.embeddings[token, coordinate],
    scope="layer",
)
def context_embedding(source: Source, token: int, coordinate: int) -> Derivation:
    """Tell where a coordinate of a token of the context comes from."""
    return _embedding(source.key(token), coordinate, float(source.state.key_sequence.embeddings[token, coordinate]))


def _matrix(source: Source, name: str, row: int, column: int) -> Derivation:
    letter = name[-1].upper()
    state = source.state
    written, place = source.written(name, column)
    note = _TYPED
    origin: Origin = "typed"
    if place >= written.shape[1]:
        note = f"Drawn from a normal distribution with variance 1/d, with seed {state.seed}."
        origin = "drawn"
    elif written is identity(state.width):
        note = "The identity stands here until another matrix is written."
    if name == "w_k" and state.is_tied:
        note = f"W_K is tied to W_Q, so that this is an entry of W_Q. {note}"
    return given_number(
        f"W_{letter}, row {row + 1}, column {column + 1}",
        f"W_{letter}({row + 1}, {column + 1})",
        rf"W^{{{letter}}}_{{{row + 1},{column + 1}}}",
        Number(source.weight_matrix_entry(name, row, column)),
        note,
        origin,
    )


@kind(
    "w_q",
    "W_Q",
    ("coordinate", "d_k"),
    lambda source, row, column: source.weight_matrix_entry("w_q", row, column),
    scope="query",
)
def query_weight(source: Source, row: int, column: int) -> Derivation:
    """Tell where an entry of W_Q comes from."""
    return _matrix(source, "w_q", row, column)


@kind(
    "w_k",
    "W_K",
    ("coordinate", "d_k"),
    lambda source, row, column: source.weight_matrix_entry("w_k", row, column),
    scope="key",
)
def key_weight(source: Source, row: int, column: int) -> Derivation:
    """Tell where an entry of W_K comes from."""
    return _matrix(source, "w_k", row, column)


@kind(
    "w_v",
    "W_V",
    ("coordinate", "d_v"),
    lambda source, row, column: source.weight_matrix_entry("w_v", row, column),
    scope="key",
)
def value_weight(source: Source, row: int, column: int) -> Derivation:
    """Tell where an entry of W_V comes from."""
    return _matrix(source, "w_v", row, column)


def _bias(source: Source, name: str, column: int) -> Derivation:
    letter = name[-1].upper()
    written, (_, place) = getattr(source.state, name), source.written(f"w_{name[-1]}", column)
    return given_number(
        f"b_{letter}, column {column + 1}",
        f"b_{letter}({column + 1})",
        rf"b^{{{letter}}}_{{{column + 1}}}",
        Number(source.bias_entry(name, column)),
        _TYPED if place < len(written) else "No bias is written down for this column, so that it is 0.",
    )


@kind(
    "b_q",
    "bias b_Q",
    ("d_k",),
    lambda source, column: source.bias_entry("b_q", column),
    is_there=lambda source: source.state.b_q is not None,
)
def query_bias(source: Source, column: int) -> Derivation:
    """Tell where an entry of the queries' bias comes from."""
    return _bias(source, "b_q", column)


@kind(
    "b_k",
    "bias b_K",
    ("d_k",),
    lambda source, column: source.bias_entry("b_k", column),
    scope="key",
    is_there=lambda source: source.state.b_k is not None,
)
def key_bias(source: Source, column: int) -> Derivation:
    """Tell where an entry of the keys' bias comes from."""
    return _bias(source, "b_k", column)


@kind(
    "b_v",
    "bias b_V",
    ("d_v",),
    lambda source, column: source.bias_entry("b_v", column),
    scope="key",
    is_there=lambda source: source.state.b_v is not None,
)
def value_bias(source: Source, column: int) -> Derivation:
    """Tell where an entry of the values' bias comes from."""
    return _bias(source, "b_v", column)


@kind("temperature", "temperature", (), lambda source: source.state.temperature, scope="layer")
def temperature(source: Source) -> Derivation:
    """Tell where the temperature comes from."""
    return given_number("temperature", "T", "T", Number(source.state.temperature), "You set this number in Controls.")


@kind("custom_multiplier", "own multiplier", (), lambda source: source.state.custom_multiplier, scope="layer")
def custom_multiplier(source: Source) -> Derivation:
    """Tell where the factor of the custom scale rule comes from."""
    return given_number("custom multiplier", "c", "c", Number(source.state.custom_multiplier))


@kind("d_k", "key width", (), lambda source: source.state.d_k, scope="layer")
def key_width(source: Source) -> Derivation:
    """Tell where the key width comes from."""
    number = Number(float(source.state.d_k), is_count=True)
    each = " of each head" if source.frame.n_heads > 1 else ""
    note = f"You set this number in Controls: the columns of W_Q and W_K{each}."
    return given_number("key width", "d_k", "d_k", number, note)


@kind(
    "soft_cap",
    "soft cap",
    (),
    lambda source: source.state.soft_cap,
    scope="layer",
    is_there=lambda source: source.state.soft_cap > 0.0,
)
def soft_cap(source: Source) -> Derivation:
    """Tell where the soft cap comes from."""
    note = "You set this number: scaled scores are bent so that they stay within it on both sides of 0."
    return given_number("soft cap of the scaled scores", "cap", r"\text{cap}", Number(source.state.soft_cap), note)


@kind("sink", "sink logit", (), lambda source: source.sink, is_there=lambda source: source.sink is not None)
def sink(source: Source) -> Derivation:
    """Tell where the logit of the sink comes from."""
    note = "You set this number: a logit that takes attention and gives nothing."
    return given_number("sink logit", "s_0", "s_0", Number(source.sink or 0.0), note)


@kind(
    "dropout",
    "dropout rate",
    (),
    lambda source: source.state.dropout,
    scope="layer",
    is_there=lambda source: source.state.dropout > 0.0,
)
def dropout(source: Source) -> Derivation:
    """Tell where the rate of dropout comes from."""
    note = "You set this number: the share of weights that is dropped by chance."
    return given_number("rate of dropout", "p", "p", Number(source.state.dropout), note)
