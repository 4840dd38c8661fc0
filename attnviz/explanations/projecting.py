"""How queries, keys and values come about: inputs times matrices, plus biases, turned by their positions."""

from __future__ import annotations

from attnviz.document.arrays import FloatArray
from attnviz.explanations import code
from attnviz.explanations.expression import Expression
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.operations import Difference, Product, Sum, cosine, sine
from attnviz.explanations.positioning import angle_code, place_number
from attnviz.explanations.source import Source

_NAMES = {"q": "query", "k": "key", "v": "value"}


def _projected(source: Source, role: str, index: int, column: int, *, is_turned_later: bool = False) -> Derivation:
    """Derive an entry of q, k or v: what the token brings times a column of a matrix, plus the bias."""
    matrix, letter, place = f"w_{role}", role.upper(), column + 1
    is_context = source.state.context is not None and role != "q"
    token = source.query(index) if role == "q" else source.key(index)
    origin, x, x_latex, inputs = _inputs(source, is_context=is_context)
    terms: list[Expression] = [
        Product((number(source, origin, index, c), number(source, matrix, c, column)))
        for c in range(source.state.width)
    ]
    formula = f"Σ_c {x}({token.plain}, c) · W_{letter}(c, {place})"
    typeset = rf"\sum_{{c}} {x_latex}_{{{token.latex},c}} \, W^{{{letter}}}_{{c,{place}}}"
    has_bias = getattr(source.state, f"b_{role}") is not None
    if has_bias:
        terms.append(number(source, f"b_{role}", column))
        formula, typeset = f"{formula} + b_{letter}({place})", rf"{typeset} + b^{{{letter}}}_{{{place}}}"
    name = _NAMES[role]
    mark, latex_mark, when = ("°", r"^{\circ}", " before it is turned") if is_turned_later else ("", "", "")
    what = "embedding and position" if source.is_position_added else "embedding"
    shift = f" + {source.bias_entry(f'b_{role}', column)!r}  # the bias" if has_bias else ""
    return Derivation(
        title=f"coordinate {place} of the {name} of {token.plain}{when}",
        formula=f"{role}{mark}({token.plain}, {place}) = {formula}",
        typeset=(rf"{role}{latex_mark}_{{{token.latex},{place}}}", typeset),
        expression=Sum(tuple(terms)),
        code=lambda: (
            *code.vector("x", inputs[index].tolist(), f"the {what} of {token.code}"),
            *code.vector("column", source.weight_matrix_column(matrix, column).tolist(), f"W_{letter}, column {place}"),
            f"result = x @ column{shift}",
        ),
        note="W_K is tied to W_Q." if role == "k" and source.state.is_tied else "",
    )


def _inputs(source: Source, *, is_context: bool) -> tuple[str, str, str, FloatArray]:
    """Give the kind, the symbols and the numbers of what the projections read."""
    layer = source.frame.layer
    inputs = layer.context_inputs if is_context else layer.inputs
    if source.is_position_added:
        return "context_input" if is_context else "input", "x′", "x'", inputs
    return "context" if is_context else "x", "x", "x", inputs


def _turned(source: Source, role: str, index: int, column: int) -> Derivation:
    """Derive an entry of q or k under rotary positions: a pair of channels, turned by an angle."""
    token = source.query(index) if role == "q" else source.key(index)
    is_context = source.state.context is not None and role == "k"
    place, plain = column + 1, f"plain_{role}"
    title = f"coordinate {place} of the {_NAMES[role]} of {token.plain}"
    symbol, latex = f"{role}({token.plain}, {place})", rf"{role}_{{{token.latex},{place}}}"
    own = number(source, plain, index, column)
    found = source.pair_of(column)
    if found is None:
        return Derivation(
            title=title,
            formula=f"{symbol} = {role}°({token.plain}, {place})",
            typeset=(latex, rf"{role}^{{\circ}}_{{{token.latex},{place}}}"),
            expression=own,
            code=lambda: (f"result = {own.number!r}",),
            note=f"Positions turn the first {source.turned_channels:,} channels alone.",
        )
    pair, partner, is_first = found
    other = number(source, plain, index, partner)
    angle = number(source, "context_angle" if is_context else "angle", index, pair)
    where = place_number(source, index, is_context=is_context)
    sign, theta = "−" if is_first else "+", f"θ({token.plain}, {pair + 1})"
    theta_latex = rf"\theta_{{{token.latex},{pair + 1}}}"
    along, across = Product((cosine(angle), own)), Product((sine(angle), other))
    return Derivation(
        title=title,
        formula=f"{symbol} = cos {theta} · {role}°({token.plain}, {place}) "
        f"{sign} sin {theta} · {role}°({token.plain}, {partner + 1})",
        typeset=(
            latex,
            rf"\cos {theta_latex} \, {role}^{{\circ}}_{{{token.latex},{place}}} "
            rf"{'-' if is_first else '+'} \sin {theta_latex} \, {role}^{{\circ}}_{{{token.latex},{partner + 1}}}",
        ),
        expression=Difference(along, across) if is_first else Sum((along, across)),
        code=lambda: (
            angle_code(source, where, 2 * pair, source.turned_channels),
            f"result = ({own.number!r} * np.cos(angle) {'-' if is_first else '+'} {other.number!r} * np.sin(angle))[0]",
        ),
        note=f"Channels {min(place, partner + 1)} and {max(place, partner + 1)} turn together by the angle {theta}.",
    )


def _is_turned(source: Source) -> bool:
    return source.turned_channels > 0


@kind("q", "query", ("query", "d_k"), lambda source, query, column: source.frame.q[query, column])
def query_entry(source: Source, query: int, column: int) -> Derivation:
    """Derive a coordinate of a query."""
    return (_turned if _is_turned(source) else _projected)(source, "q", query, column)


@kind("k", "key", ("key", "d_k"), lambda source, key, column: source.frame.k[key, column], scope="key")
def key_entry(source: Source, key: int, column: int) -> Derivation:
    """Derive a coordinate of a key."""
    return (_turned if _is_turned(source) else _projected)(source, "k", key, column)


@kind(
    "plain_q",
    "query, not turned",
    ("query", "d_k"),
    lambda source, query, column: source.frame.layer.plain_qk(source.frame.head)[0][query, column],
    is_there=_is_turned,
)
def plain_query_entry(source: Source, query: int, column: int) -> Derivation:
    """Derive a coordinate of a query before its position turns it."""
    return _projected(source, "q", query, column, is_turned_later=True)


@kind(
    "plain_k",
    "key, not turned",
    ("key", "d_k"),
    lambda source, key, column: source.frame.layer.plain_qk(source.frame.head)[1][key, column],
    scope="key",
    is_there=_is_turned,
)
def plain_key_entry(source: Source, key: int, column: int) -> Derivation:
    """Derive a coordinate of a key before its position turns it."""
    return _projected(source, "k", key, column, is_turned_later=True)


@kind("v", "value", ("key", "d_v"), lambda source, key, column: source.frame.v[key, column], scope="key")
def value_entry(source: Source, key: int, column: int) -> Derivation:
    """Derive a coordinate of a value."""
    return _projected(source, "v", key, column)
