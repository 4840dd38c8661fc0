"""What positions do: vectors that are added to embeddings, angles that turn, biases of distances."""

from __future__ import annotations

from attnviz.document.positions import key_positions, query_positions
from attnviz.document.projection import bucket_table
from attnviz.engine import alibi_slopes, relative_buckets
from attnviz.explanations.expression import Expression, Number
from attnviz.explanations.given import given_number
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.operations import Difference, Power, Product, Sum, cosine, magnitude, sine
from attnviz.explanations.source import Name, Source


def counted(value: float) -> bool:
    """Tell whether a number is written as a whole one."""
    return value.is_integer()


def _place_of(source: Source, token: int, *, is_context: bool) -> float:
    places = key_positions(source.state) if is_context else query_positions(source.state)
    return float(places[token])


def place_number(source: Source, token: int, *, is_context: bool) -> Number:
    """Give where a token stands, as an operand."""
    found = number(source, "context_place" if is_context else "place", token)
    return Number(found.number, found.ref, is_count=counted(found.number))


def _place(source: Source, name: Name, token: int, *, is_context: bool) -> Derivation:
    state = source.state
    ids = state.context_position_ids if is_context else state.position_ids
    note = "Tokens are counted from 0." if ids is None else "You typed this position."
    if state.shift:
        note = f"{note[:-1]}, and all positions are shifted by {state.shift:,}."
    value = Number(_place_of(source, token, is_context=is_context))
    return given_number(f"position of {name.plain}", f"pos({name.plain})", rf"t_{{{name.latex}}}", value, note)


@kind(
    "place",
    "position",
    ("query",),
    lambda source, token: _place_of(source, token, is_context=False),
    scope="layer",
    is_there=lambda source: source.state.positions != "none",
)
def place(source: Source, token: int) -> Derivation:
    """Tell where a token stands."""
    return _place(source, source.query(token), token, is_context=False)


@kind(
    "context_place",
    "position",
    ("context",),
    lambda source, token: _place_of(source, token, is_context=True),
    scope="layer",
    is_there=lambda source: source.state.positions != "none",
)
def context_place(source: Source, token: int) -> Derivation:
    """Tell where a token of the context stands."""
    return _place(source, source.key(token), token, is_context=True)


@kind(
    "base",
    "base",
    (),
    lambda source: source.state.base,
    scope="layer",
    is_there=lambda source: source.state.positions in ("sinusoidal", "rotary"),
)
def base(source: Source) -> Derivation:
    """Tell where the base of the angles comes from."""
    note = "You set this number: the larger it is, the slower the later channels turn."
    return given_number("base of the angles", "base", r"\text{base}", Number(source.state.base), note)


def _angle_expression(source: Source, where: Number, above: int, below: int) -> Expression:
    found = number(source, "base")
    return Product((where, Power(Number(found.number, found.ref, is_count=counted(found.number)), above, below)))


def angle_code(source: Source, where: Number, above: int, below: int) -> str:
    """Compute an angle as the engine does, in an array of one."""
    return f"angle = {where.number!r} * {source.state.base!r} ** -np.array([{float(above)!r} / {below}])"


def _position(source: Source, name: Name, token: int, coordinate: int, *, is_context: bool) -> Derivation:
    """Tell where a coordinate of what is added to an embedding comes from."""
    state, at = source.state, coordinate + 1
    where = place_number(source, token, is_context=is_context)
    title, symbol = f"coordinate {at} of the position of {name.plain}", f"p({name.plain}, {at})"
    latex = rf"p_{{{name.latex},{at}}}"
    if state.positions == "learned":
        effect = source.frame.layer.effect
        added = effect.context_added if is_context else effect.added
        assert added is not None, "learned positions are added"
        row = int(where.number)
        is_written = state.position_table is not None and row < len(state.position_table)
        how = "you typed it." if is_written else f"drawn with seed {state.seed}."
        note = f"Row {row + 1:,} of the learned positions, for a token at {row:,}: {how}"
        value = Number(float(added[token, coordinate]))
        return given_number(title, symbol, latex, value, note, "typed" if is_written else "drawn")
    above, d, wave = 2 * (coordinate // 2), state.width, "cos" if coordinate % 2 else "sin"
    angle = _angle_expression(source, where, above, d)
    return Derivation(
        title=title,
        formula=f"{symbol} = {wave}(pos({name.plain}) · base^(−{above}/{d}))",
        typeset=(latex, rf"\{wave}\left(t_{{{name.latex}}} \cdot \text{{base}}^{{-{above}/{d}}}\right)"),
        expression=cosine(angle) if coordinate % 2 else sine(angle),
        code=lambda: (angle_code(source, where, above, d), f"result = np.{wave}(angle)[0]"),
    )


@kind(
    "position",
    "position",
    ("query", "coordinate"),
    lambda source, token, coordinate: source.frame.layer.effect.added[token, coordinate],
    scope="layer",
    is_there=lambda source: source.is_position_added,
)
def position(source: Source, token: int, coordinate: int) -> Derivation:
    """Tell where a coordinate of a token's position comes from."""
    return _position(source, source.query(token), token, coordinate, is_context=False)


@kind(
    "context_position",
    "position",
    ("context", "coordinate"),
    lambda source, token, coordinate: source.frame.layer.effect.context_added[token, coordinate],
    scope="layer",
    is_there=lambda source: source.is_position_added,
)
def context_position(source: Source, token: int, coordinate: int) -> Derivation:
    """Tell where a coordinate of the position of a token of the context comes from."""
    return _position(source, source.key(token), token, coordinate, is_context=True)


def _input(source: Source, name: Name, token: int, coordinate: int, *, is_context: bool) -> Derivation:
    """Derive what the projections read: an embedding plus its position."""
    kinds = ("context", "context_position") if is_context else ("x", "position")
    x, p = (number(source, each, token, coordinate) for each in kinds)
    at = coordinate + 1
    return Derivation(
        title=f"coordinate {at} of the embedding and position of {name.plain}",
        formula=f"x′({name.plain}, {at}) = x({name.plain}, {at}) + p({name.plain}, {at})",
        typeset=(rf"x'_{{{name.latex},{at}}}", rf"x_{{{name.latex},{at}}} + p_{{{name.latex},{at}}}"),
        expression=Sum((x, p)),
        code=lambda: (f"result = {x.number!r} + {p.number!r}",),
    )


@kind(
    "input",
    "embedding + position",
    ("query", "coordinate"),
    lambda source, token, coordinate: source.frame.layer.inputs[token, coordinate],
    scope="layer",
    is_there=lambda source: source.is_position_added,
)
def input_entry(source: Source, token: int, coordinate: int) -> Derivation:
    """Derive a coordinate of what a token brings to the projections."""
    return _input(source, source.query(token), token, coordinate, is_context=False)


@kind(
    "context_input",
    "embedding + position",
    ("context", "coordinate"),
    lambda source, token, coordinate: source.frame.layer.context_inputs[token, coordinate],
    scope="layer",
    is_there=lambda source: source.is_position_added,
)
def context_input_entry(source: Source, token: int, coordinate: int) -> Derivation:
    """Derive a coordinate of what a token of the context brings to the projections."""
    return _input(source, source.key(token), token, coordinate, is_context=True)


def _angle_of(source: Source, token: int, pair: int, *, is_context: bool) -> float:
    where = _place_of(source, token, is_context=is_context)
    return float(where * source.state.base ** -(2.0 * pair / source.turned_channels))


def _angle(source: Source, name: Name, token: int, pair: int, *, is_context: bool) -> Derivation:
    width, above, at = source.turned_channels, 2 * pair, pair + 1
    where = place_number(source, token, is_context=is_context)
    return Derivation(
        title=f"angle of pair {at} of channels at {name.plain}",
        formula=f"θ({name.plain}, {at}) = pos({name.plain}) · base^(−{above}/{width})",
        typeset=(
            rf"\theta_{{{name.latex},{at}}}",
            rf"t_{{{name.latex}}} \cdot \text{{base}}^{{-{above}/{width}}}",
        ),
        expression=_angle_expression(source, where, above, width),
        code=lambda: (angle_code(source, where, above, width), "result = angle[0]"),
        note="In radians. Queries and keys turn by it, so that their product depends on the distance alone.",
    )


@kind(
    "angle",
    "angle",
    ("query", "pair"),
    lambda source, token, pair: _angle_of(source, token, pair, is_context=False),
    scope="layer",
)
def angle(source: Source, token: int, pair: int) -> Derivation:
    """Derive the angle by which a pair of channels turns at a token."""
    return _angle(source, source.query(token), token, pair, is_context=False)


@kind(
    "context_angle",
    "angle",
    ("context", "pair"),
    lambda source, token, pair: _angle_of(source, token, pair, is_context=True),
    scope="layer",
)
def context_angle(source: Source, token: int, pair: int) -> Derivation:
    """Derive the angle by which a pair of channels turns at a token of the context."""
    return _angle(source, source.key(token), token, pair, is_context=True)


@kind(
    "bucket",
    "learned bias",
    ("bucket",),
    lambda source, bucket: bucket_table(source.state)[source.frame.head, bucket],
)
def learned_bias(source: Source, bucket: int) -> Derivation:
    """Tell where the bias of a bucket of distances comes from."""
    state, at = source.state, bucket + 1
    is_written = state.bucket_table is not None and source.frame.head < len(state.bucket_table)
    return given_number(
        f"bias of distances in bucket {at}",
        f"B({at})",
        rf"B_{{{at}}}",
        Number(float(bucket_table(state)[source.frame.head, bucket])),
        "You typed this number." if is_written else f"Drawn from a normal distribution, with seed {state.seed}.",
        "typed" if is_written else "drawn",
    )


@kind(
    "bias",
    "bias of a distance",
    ("query", "key"),
    lambda source, query, key: source.frame.layer.effect.bias[source.frame.head, query, key],
    is_there=lambda source: source.frame.layer.effect.bias is not None,
)
def bias(source: Source, query: int, key: int) -> Derivation:
    """Derive what is added to a scaled score for the distance of its tokens."""
    q, k, state = source.query(query), source.key(key), source.state
    first = place_number(source, query, is_context=False)
    second = place_number(source, key, is_context=state.context is not None)
    title, symbol = f"bias of {k.plain} for query {q.plain}", f"b({q.plain}, {k.plain})"
    latex, head = rf"b_{{{q.latex},{k.latex}}}", source.frame.head
    if state.positions == "relative":
        bucket = _bucket(source, first.number, second.number)
        learned = number(source, "bucket", bucket)
        return Derivation(
            title=title,
            formula=f"{symbol} = B({bucket + 1})",
            typeset=(latex, rf"B_{{{bucket + 1}}}"),
            expression=learned,
            code=lambda: (
                f"biases = np.array({bucket_table(state)[head].tolist()!r})  # of each bucket of distances",
                f"result = biases[{bucket}]",
            ),
            note=f"{_distance(q, k, first.number - second.number)}; such distances are in bucket {bucket + 1:,} of "
            f"{state.n_buckets:,}.",
        )
    slope = float(alibi_slopes(state.n_heads)[head])
    return Derivation(
        title=title,
        formula=f"{symbol} = −slope · |pos({q.plain}) − pos({k.plain})|",
        typeset=(latex, rf"-m_{{{head + 1}}} \left|t_{{{q.latex}}} - t_{{{k.latex}}}\right|"),
        expression=Product((Number(-slope), magnitude(Difference(first, second)))),
        code=lambda: (f"result = 0.0 - {slope!r} * abs({first.number!r} - {second.number!r})",),
        note=f"The slope of head {head + 1} of {state.n_heads} is {slope:g}.",
    )


def _bucket(source: Source, first: float, second: float) -> int:
    state = source.state
    found = relative_buckets(
        *(1, 1, state.n_buckets, state.max_distance),
        is_bidirectional=state.is_bidirectional,
        query_positions=[first],
        key_positions=[second],
    )
    return int(found[0, 0])


def _distance(query: Name, key: Name, behind: float) -> str:
    """Say how far a key stands from a query."""
    if not behind:
        return f"{key.plain} stands where {query.plain} does"
    return f"{key.plain} stands {abs(behind):g} {'before' if behind > 0 else 'after'} {query.plain}"
