"""How the heads become the output of the layer: side by side, through W_O, with b_O added."""

from __future__ import annotations

from attnviz.explanations import code
from attnviz.explanations.expression import Expression, Number
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.measuring import output
from attnviz.explanations.operations import Product, Sum
from attnviz.explanations.source import Source

_TYPED = "You typed this number, or it was drawn when W_O was chosen."


@kind(
    "concatenated",
    "heads side by side",
    ("query", "channel"),
    lambda source, query, channel: source.frame.layer.concatenated[query, channel],
)
def concatenated(source: Source, query: int, channel: int) -> Derivation:
    """Derive a channel of the heads side by side: a coordinate of the output of its head."""
    head, column = divmod(channel, source.state.d_v)
    q = source.query(query)
    is_shown = head == source.frame.head
    of_head = source if is_shown else Source(source.frame.at_head(head))
    entry = number(of_head, "output", query, column)
    return Derivation(
        title=f"channel {channel + 1} of {q.plain}, all heads side by side",
        formula=f"h({q.plain}, {channel + 1}) = y of head {head + 1} ({q.plain}, {column + 1})",
        typeset=(rf"h_{{{q.latex},{channel + 1}}}", rf"y^{{({head + 1})}}_{{{q.latex},{column + 1}}}"),
        expression=entry if is_shown else Number(entry.number),
        code=lambda: output(of_head, query, column).code(),
        note="" if is_shown else f"Head {head + 1} computes it; show that head to follow it further.",
    )


@kind(
    "w_o",
    "W_O",
    ("channel", "column of W_O"),
    lambda source, row, column: 0.0 if source.state.w_o is None else source.state.w_o[row, column],
)
def output_weight(source: Source, row: int, column: int) -> Derivation:
    """Tell where an entry of W_O comes from."""
    entry = Number(0.0 if source.state.w_o is None else float(source.state.w_o[row, column]))
    return Derivation(
        title=f"W_O, row {row + 1}, column {column + 1}",
        formula=f"W_O({row + 1}, {column + 1})",
        typeset=(rf"W^{{O}}_{{{row + 1},{column + 1}}}", ""),
        expression=entry,
        code=lambda: (f"result = {entry.number!r}  # given",),
        note=_TYPED,
        origin="typed",
    )


@kind(
    "b_o",
    "b_O",
    ("entry of b_O",),
    lambda source, column: 0.0 if source.state.b_o is None else source.state.b_o[column],
)
def output_bias(source: Source, column: int) -> Derivation:
    """Tell where an entry of b_O comes from."""
    entry = Number(0.0 if source.state.b_o is None else float(source.state.b_o[column]))
    return Derivation(
        title=f"b_O, entry {column + 1}",
        formula=f"b_O({column + 1})",
        typeset=(rf"b^{{O}}_{{{column + 1}}}", ""),
        expression=entry,
        code=lambda: (f"result = {entry.number!r}  # given",),
        note="You typed this number.",
        origin="typed",
    )


@kind(
    "layer_output",
    "layer output",
    ("query", "d_out"),
    lambda source, query, column: source.frame.layer_output[query, column],
)
def layer_output(source: Source, query: int, column: int) -> Derivation:
    """Derive a coordinate of the output of the layer: the channels of all heads times a column of W_O, plus b_O."""
    state, q, place = source.state, source.query(query), column + 1
    name, typeset_name = f"o({q.plain}, {place})", rf"o_{{{q.latex},{place}}}"
    title = f"coordinate {place} of the layer's output for {q.plain}"
    if state.w_o is None:
        return Derivation(
            title=title,
            formula=f"{name} = h({q.plain}, {place})",
            typeset=(typeset_name, rf"h_{{{q.latex},{place}}}"),
            expression=number(source, "concatenated", query, column),
            code=lambda: concatenated(source, query, column).code(),
            note="There is no W_O: the heads side by side are the output of the layer.",
        )
    terms: list[Expression] = [
        Product((number(source, "concatenated", query, channel), number(source, "w_o", channel, column)))
        for channel in range(source.sizes["channel"])
    ]
    has_bias = state.b_o is not None
    if has_bias:
        terms.append(number(source, "b_o", column))
    return Derivation(
        title=title,
        formula=f"{name} = Σ_c h({q.plain}, c) · W_O(c, {place}){f' + b_O({place})' if has_bias else ''}",
        typeset=(
            typeset_name,
            rf"\sum_{{c}} h_{{{q.latex},c}} \, W^{{O}}_{{c,{place}}}{rf' + b^{{O}}_{{{place}}}' if has_bias else ''}",
        ),
        expression=Sum(tuple(terms)),
        code=lambda: _mixed(source, query, column),
    )


def _mixed(source: Source, query: int, column: int) -> tuple[str, ...]:
    """Write the product with a column of W_O, and the sum with b_O, in Python."""
    state = source.state
    assert state.w_o is not None, "asked for only where there is a W_O"
    channels = source.frame.layer.concatenated[query].tolist()
    bias = "" if state.b_o is None else f" + {float(state.b_o[column])!r}"
    return (
        *code.vector("heads", channels, f"the outputs of all heads for {source.query(query).code}, side by side"),
        *code.vector("column", state.w_o[:, column].tolist(), f"W_O, column {column + 1}"),
        f"result = heads @ column{bias}",
    )
