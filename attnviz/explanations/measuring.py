"""What the weights give: the outputs, and what is measured of rows and columns."""

from __future__ import annotations

import numpy as np

from attnviz.document.number_ref import NumberRef
from attnviz.engine import effective_keys, entropy
from attnviz.explanations import code
from attnviz.explanations.expression import Number
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.operations import LARGEST_EXPONENT, Product, exponential, largest, logarithm, negative
from attnviz.explanations.source import Source
from attnviz.explanations.weighing import ZERO, hidden_note, sum_or_zero

_ENTROPY_CODE = ("seen = weights[weights > 0]", "entropy = 0.0 - np.sum(seen * np.log(seen))")


@kind("output", "output", ("query", "d_v"), lambda source, query, column: source.row(query).output[column])
def output(source: Source, query: int, column: int) -> Derivation:
    """Derive a coordinate of an output: the values' coordinates, weighted and added up."""
    q, row, place = source.query(query), source.row(query), column + 1
    terms = [Product((number(source, "weight", query, key), number(source, "v", key, column))) for key in row.weighing]
    return Derivation(
        title=f"coordinate {place} of the output of {q.plain}",
        formula=f"y({q.plain}, {place}) = Σ_j a({q.plain}, j) · v(j, {place})",
        typeset=(rf"y_{{{q.latex},{place}}}", rf"\sum_{{j}} a_{{{q.latex},j}} \, v_{{j,{place}}}"),
        expression=sum_or_zero(tuple(terms)),
        code=lambda: (
            *code.row(source, query, "weights"),
            *code.vector("values", source.frame.v[:, column].tolist(), f"coordinate {place} of every value"),
            "result = weights @ values",
        ),
        note=hidden_note(source, query),
    )


@kind(
    "row_sum",
    "sum of weights",
    ("query",),
    lambda source, query: source.row(query).weights[np.newaxis].sum(axis=1)[0],
)
def row_sum(source: Source, query: int) -> Derivation:
    """Derive the sum of the weights of a query."""
    q, row = source.query(query), source.row(query)
    terms = tuple([number(source, "weight", query, key) for key in row.weighing])
    return Derivation(
        title=f"sum of the weights of query {q.plain}",
        formula=f"R({q.plain}) = Σ_j a({q.plain}, j)",
        typeset=(rf"R_{{{q.latex}}}", rf"\sum_{{j}} a_{{{q.latex},j}}"),
        expression=sum_or_zero(terms),
        code=lambda: (*code.row(source, query, "weights"), "result = weights.sum()"),
        note=hidden_note(source, query),
    )


@kind("column_sum", "attention received", ("key",), lambda source, key: source.weights_of_key(key).sum())
def column_sum(source: Source, key: int) -> Derivation:
    """Derive the attention that a key receives: the sum of its weights over all queries."""
    k = source.key(key)
    weighed_by, weights = source.weighed_by(key), source.weights_of_key(key)
    terms = tuple([Number(float(weights[query]), NumberRef("weight", (query, key))) for query in weighed_by])
    n_hidden = source.frame.n_query - len(weighed_by)
    verb = "hides it from" if source.state.masking == "before" else "bans it for"
    return Derivation(
        title=f"attention received by {k.plain}",
        formula=f"C({k.plain}) = Σ_i a(i, {k.plain})",
        typeset=(rf"C_{{{k.latex}}}", rf"\sum_{{i}} a_{{i,{k.latex}}}"),
        expression=sum_or_zero(terms),
        code=lambda: (
            *code.vector("weights", weights.tolist(), f"what each query gives to {k.code}"),
            "result = weights.sum()",
        ),
        note=f"The mask {verb} {n_hidden:,} quer{'ies' if n_hidden != 1 else 'y'}." if n_hidden else "",
    )


@kind("entropy", "entropy", ("query",), lambda source, query: float(entropy(source.row(query).weights)))
def entropy_of_row(source: Source, query: int) -> Derivation:
    """Derive the entropy of a row of weights, in nats."""
    q, row = source.query(query), source.row(query)
    weights = [number(source, "weight", query, key) for key in row.weighing]
    terms = tuple([Product((w, logarithm(w))) for w in weights if w.number > 0.0])
    has_zero = len(terms) < len(weights)
    return Derivation(
        title=f"entropy of the weights of query {q.plain}, in nats",
        formula=f"H({q.plain}) = −Σ_j a({q.plain}, j) · ln a({q.plain}, j)",
        typeset=(rf"H_{{{q.latex}}}", rf"-\sum_{{j}} a_{{{q.latex},j}} \ln a_{{{q.latex},j}}"),
        expression=negative(sum_or_zero(terms)) if terms else ZERO,
        code=lambda: (*code.row(source, query, "weights"), *_ENTROPY_CODE, "result = entropy"),
        note="0 · ln 0 counts as 0." if has_zero else hidden_note(source, query),
    )


@kind(
    "effective_keys",
    "effective keys",
    ("query",),
    lambda source, query: float(effective_keys(source.row(query).weights)),
)
def effective_keys_of_row(source: Source, query: int) -> Derivation:
    """Derive the number of keys that a row of weights amounts to."""
    q, has_weight = source.query(query), bool(source.row(query).weights.any())
    is_capped = number(source, "entropy", query).number > LARGEST_EXPONENT  # where rows are no distributions
    power = f"np.exp({LARGEST_EXPONENT})  # as far as floats reach" if is_capped else "np.exp(entropy)"
    code_of_result = f"result = {power}" if has_weight else "result = 0.0  # nothing has weight"
    return Derivation(
        title=f"effective keys of query {q.plain}",
        formula=f"N({q.plain}) = e^H({q.plain})",
        typeset=(rf"N_{{{q.latex}}}", rf"e^{{H_{{{q.latex}}}}}"),
        expression=exponential(number(source, "entropy", query)) if has_weight else ZERO,
        code=lambda: (*code.row(source, query, "weights"), *_ENTROPY_CODE, code_of_result),
        note=hidden_note(source, query),
    )


@kind(
    "largest_weight",
    "largest weight",
    ("query",),
    lambda source, query: source.row(query).weights.max(),
)
def largest_weight_of_row(source: Source, query: int) -> Derivation:
    """Derive the largest weight of a query."""
    q, row = source.query(query), source.row(query)
    weights = [number(source, "weight", query, key) for key in row.weighing]
    return Derivation(
        title=f"largest weight of query {q.plain}",
        formula=f"L({q.plain}) = max_j a({q.plain}, j)",
        typeset=(rf"L_{{{q.latex}}}", rf"\max_{{j}} a_{{{q.latex},j}}"),
        expression=largest(weights) if weights else ZERO,
        code=lambda: (*code.row(source, query, "weights"), "result = weights.max()"),
        note=hidden_note(source, query),
    )
