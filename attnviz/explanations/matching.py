"""How scores come about and what is done to them before the softmax: multiplier, soft cap, bias and mask."""

from __future__ import annotations

import math

from attnviz.document.arrays import FloatArray
from attnviz.document.mask_reasons import reason_of
from attnviz.engine.masking import LARGE_NEGATIVE
from attnviz.explanations import code
from attnviz.explanations.expression import Expression, Number
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.operations import Product, Quotient, Sum, bracketed, root, tanh
from attnviz.explanations.source import Source

_BOUNDED = "The multiplier was lowered to a power of two, so that no score leaves the range of a float64."


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


@kind("multiplier", "multiplier", (), lambda source: source.frame.multiplier, scope="layer")
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
    """Derive what enters the softmax: the scaled score, capped and biased, or what the mask makes of it."""
    q, k, state = source.query(query), source.key(key), source.state
    logit, formula, typeset = _logit(source, query, key)
    note = "Nothing hides this key."
    if source.is_banned(query, key):
        why = reason_of(state, query, key, q.plain, k.plain)
        logit, formula, typeset, note = _hidden(state.masking, logit, formula, typeset)
        note = note.format(why)
    bias = source.frame.layer.effect.bias
    return Derivation(
        title=f"masked score of {k.plain} for query {q.plain}",
        formula=f"z′({q.plain}, {k.plain}) = {formula}",
        typeset=(rf"z'_{{{q.latex},{k.latex}}}", typeset),
        expression=logit,
        code=lambda: code.masked_cell(
            source,
            query,
            key,
            number(source, "score", query, key).number,
            None if bias is None else float(bias[source.frame.head, query, key]),
        ),
        note=note,
    )


def _logit(source: Source, query: int, key: int) -> tuple[Expression, str, str]:
    """Derive what the mask finds: the scaled score, bent under the soft cap and with its bias."""
    q, k = source.query(query), source.key(key)
    logit: Expression = number(source, "scaled", query, key)
    formula, typeset = f"z({q.plain}, {k.plain})", rf"z_{{{q.latex},{k.latex}}}"
    if source.state.soft_cap:
        cap = number(source, "soft_cap")
        logit = Product((cap, tanh(Quotient(logit, cap))))
        formula = f"cap · tanh({formula} ÷ cap)"
        typeset = rf"\text{{cap}} \cdot \tanh\left(\frac{{{typeset}}}{{\text{{cap}}}}\right)"
    if source.frame.layer.effect.bias is not None:
        logit = Sum((logit, number(source, "bias", query, key)))
        formula, typeset = f"{formula} + b({q.plain}, {k.plain})", rf"{typeset} + b_{{{q.latex},{k.latex}}}"
    return logit, formula, typeset


def _hidden(masking: str, logit: Expression, formula: str, typeset: str) -> tuple[Expression, str, str, str]:
    """Tell what a masking method makes of the logit of a banned cell; the reason goes into the note."""
    large = Number(LARGE_NEGATIVE)
    match masking:
        case "before":
            return Number(-math.inf), "−∞", r"-\infty", "The key leaves before the softmax: {}."
        case "add_large_negative":
            note = "Instead of taking the key out, the mask adds −1e9: {}."
            return Sum((logit, large)), f"{formula} − 1e9", rf"{typeset} - 10^9", note
        case "fill_large_negative":
            return large, "−1e9", "-10^9", "Instead of taking the key out, the mask writes −1e9 here: {}."
        case "multiply_zero":
            note = "The mask multiplies by 0, and since e^0 = 1 the key still competes: {}."
            product = Product((bracketed(logit), Number(0.0, is_count=True)))
            return product, f"({formula}) · 0", rf"\left({typeset}\right) \cdot 0", note
        case _:
            return logit, formula, typeset, "The mask acts after the softmax, where the key takes part: {}."
