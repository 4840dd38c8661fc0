"""How queries, keys, values and scores come about: two products, the multiplier and the mask."""

from __future__ import annotations

import math

from attnviz.document.arrays import FloatArray
from attnviz.explanations import code
from attnviz.explanations.expression import Expression, Number
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.operations import Product, Quotient, Sum, root
from attnviz.explanations.source import Name, Source

_BOUNDED = "The multiplier was lowered to a power of two, so that no score leaves the range of a float64."


def _projected(source: Source, role: str, token: Name, index: int, column: int, *, is_query: bool) -> Derivation:
    """Derive an entry of q, k or v: an embedding times a column of a matrix."""
    matrix, letter, place = f"w_{role}", role.upper(), column + 1
    is_context = source.state.context is not None and not is_query
    sequence = source.state.sequence if is_query else source.state.key_sequence
    origin = "context" if is_context else "x"
    terms = [
        Product((number(source, origin, index, c), number(source, matrix, c, column)))
        for c in range(source.state.width)
    ]
    name = {"q": "query", "k": "key", "v": "value"}[role]
    return Derivation(
        title=f"coordinate {place} of the {name} of {token.plain}",
        formula=f"{role}({token.plain}, {place}) = Σ_c x({token.plain}, c) · W_{letter}(c, {place})",
        typeset=(
            rf"{role}_{{{token.latex},{place}}}",
            rf"\sum_{{c}} x_{{{token.latex},c}} \, W^{{{letter}}}_{{c,{place}}}",
        ),
        expression=Sum(tuple(terms)),
        code=lambda: (
            *code.vector("x", sequence.embeddings[index].tolist(), f"the embedding of {token.code}"),
            *code.vector("column", source.weight_matrix_column(matrix, column).tolist(), f"W_{letter}, column {place}"),
            "result = x @ column",
        ),
    )


@kind("q", "query", ("query", "d_k"), lambda source, query, column: source.frame.q[query, column])
def query_entry(source: Source, query: int, column: int) -> Derivation:
    """Derive a coordinate of a query."""
    return _projected(source, "q", source.query(query), query, column, is_query=True)


@kind("k", "key", ("key", "d_k"), lambda source, key, column: source.frame.k[key, column])
def key_entry(source: Source, key: int, column: int) -> Derivation:
    """Derive a coordinate of a key."""
    return _projected(source, "k", source.key(key), key, column, is_query=False)


@kind("v", "value", ("key", "d_v"), lambda source, key, column: source.frame.v[key, column])
def value_entry(source: Source, key: int, column: int) -> Derivation:
    """Derive a coordinate of a value."""
    return _projected(source, "v", source.key(key), key, column, is_query=False)


@kind("score", "score", ("query", "key"), lambda source, query, key: source.row(query).scores[key])
def score(source: Source, query: int, key: int) -> Derivation:
    """Derive a raw score: the dot product of a query with a key."""
    q, k = source.query(query), source.key(key)
    terms = [Product((number(source, "q", query, c), number(source, "k", key, c))) for c in range(source.sizes["d_k"])]
    frame_q: FloatArray = source.frame.q[query]
    frame_k: FloatArray = source.frame.k[key]
    return Derivation(
        title=f"score of {k.plain} for query {q.plain}",
        formula=f"s({q.plain}, {k.plain}) = Σ_c q({q.plain}, c) · k({k.plain}, c)",
        typeset=(rf"s_{{{q.latex},{k.latex}}}", rf"\sum_{{c}} q_{{{q.latex},c}} \, k_{{{k.latex},c}}"),
        expression=Sum(tuple(terms)),
        code=lambda: (
            *code.vector("q", frame_q.tolist(), f"the query of {q.code}"),
            *code.vector("k", frame_k.tolist(), f"the key of {k.code}"),
            "result = q @ k",
        ),
    )


@kind("multiplier", "multiplier", (), lambda source: source.frame.multiplier)
def multiplier(source: Source) -> Derivation:
    """Derive the multiplier: the factor of the scale rule over the temperature."""
    formula, typeset, expression = _multiplier_of_rule(source)
    if source.is_bounded:
        expression = Number(source.frame.multiplier)
    return Derivation(
        title="multiplier of the scores",
        formula=f"m = {formula}",
        typeset=("m", typeset),
        expression=expression,
        code=lambda: (code.multiplier(source), "result = multiplier"),
        note=_BOUNDED if source.is_bounded else "",
    )


def _multiplier_of_rule(source: Source) -> tuple[str, str, Expression]:
    """Write the multiplier under the scale rule in force: in symbols, typeset and with its numbers."""
    one = Number(1.0, is_count=True)
    temperature = number(source, "temperature")
    width = Number(float(source.state.d_k), number(source, "d_k").ref, is_count=True)
    match source.state.scale:
        case "none":
            return "1 ÷ T", r"\frac{1}{T}", Quotient(one, temperature)
        case "sqrt_d_k":
            below = Product((temperature, root(width)))
            return "1 ÷ (T · √d_k)", r"\frac{1}{T \cdot \sqrt{d_k}}", Quotient(one, below)
        case "d_k":
            return "1 ÷ (T · d_k)", r"\frac{1}{T \cdot d_k}", Quotient(one, Product((temperature, width)))
        case "custom":
            return "c ÷ T", r"\frac{c}{T}", Quotient(number(source, "custom_multiplier"), temperature)
        case _:
            return "rule(d_k) ÷ T", r"\frac{f(d_k)}{T}", Quotient(Number(source.rule_factor), temperature)


@kind("scaled", "scaled score", ("query", "key"), lambda source, query, key: source.row(query).scaled[key])
def scaled(source: Source, query: int, key: int) -> Derivation:
    """Derive a scaled score: the raw score times the multiplier."""
    q, k = source.query(query), source.key(key)
    raw = number(source, "score", query, key)
    return Derivation(
        title=f"scaled score of {k.plain} for query {q.plain}",
        formula=f"z({q.plain}, {k.plain}) = s({q.plain}, {k.plain}) · m",
        typeset=(rf"z_{{{q.latex},{k.latex}}}", rf"s_{{{q.latex},{k.latex}}} \cdot m"),
        expression=Product((raw, number(source, "multiplier"))),
        code=lambda: (f"score = {raw.number!r}", code.multiplier(source), "result = score * multiplier"),
    )


@kind("masked", "masked score", ("query", "key"), lambda source, query, key: source.row(query).masked[key])
def masked(source: Source, query: int, key: int) -> Derivation:
    """Derive what enters the softmax: the scaled score, or −∞ where the mask bans the key."""
    q, k = source.query(query), source.key(key)
    is_banned = float(source.row(query).masked[key]) == -math.inf
    scaled_score = number(source, "scaled", query, key)
    left = rf"z'_{{{q.latex},{k.latex}}}"
    reason = f"the causal mask hides {k.plain} from {q.plain}"
    return Derivation(
        title=f"masked score of {k.plain} for query {q.plain}",
        formula=f"z′({q.plain}, {k.plain}) = {'−∞' if is_banned else f'z({q.plain}, {k.plain})'}",
        typeset=(left, r"-\infty" if is_banned else rf"z_{{{q.latex},{k.latex}}}"),
        expression=Number(-math.inf) if is_banned else scaled_score,
        code=lambda: (
            f"score = {number(source, 'score', query, key).number!r}",
            code.multiplier(source),
            code.visible(source, query),
            f"result = score * multiplier if visible[{key}] else -np.inf",
        ),
        note=f"The key leaves before the softmax: {reason}." if is_banned else "Nothing hides this key.",
    )
