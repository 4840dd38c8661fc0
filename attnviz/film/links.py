"""Which number stands in a cell of a block, and which cells of a block a number, a query or a key lights."""

from __future__ import annotations

from attnviz.document.frame import Frame
from attnviz.document.matrices import MATRICES_BY_NAME, AxisName
from attnviz.document.number_ref import NumberRef
from attnviz.film.records import Area, Block, Origin


def number_in(block: Block, row: int, column: int) -> NumberRef | None:
    """Name the number in a cell of a block.

    Returns
    -------
    NumberRef or None
        ``None`` for a cell that is not known yet, and for what has no derivation of its own.
    """
    origin = block.origin
    is_known = block.reach is None or block.reach.covers(row, column)
    if origin is None or not is_known or row == origin.running:
        return None
    first, second = (column, row) if origin.is_turned else (row, column)
    return NumberRef(origin.kind, (first + origin.first_row, second + origin.first_column))


def origin_in(kind: str, first_row: int = 0) -> Origin | None:
    """Give the place of a block in a matrix; ``None`` where the document has no matrix of that name."""
    return Origin(kind, first_row) if kind in MATRICES_BY_NAME else None


def lit_areas(
    frame: Frame, block: Block, query: int | None, key: int | None, number: NumberRef | None
) -> tuple[Area, ...]:
    """Find the cells of a block that are lit while something is pointed at.

    Parameters
    ----------
    frame : Frame
        Where the block is from.
    block : Block
        The block.
    query, key : int or None
        The row and the column that are pointed at.
    number : NumberRef or None
        The number that is pointed at.

    Returns
    -------
    tuple of Area
        The cell of the number, if it stands here; else the rows and columns of its query and key. Cells that are not
        known yet are not left out.
    """
    origin = block.origin
    if origin is None:
        return ()
    if number is not None and number.kind == origin.kind:
        at = cells_within(block, origin, *number.indices) if len(number.indices) == 2 else None
        return () if at is None else (at,)
    matrix = MATRICES_BY_NAME[origin.kind]
    is_self = frame.state.context is None
    sides: dict[AxisName, tuple[int | None, ...]] = {"query": (query,), "key": (key,)}
    if is_self and origin.kind in ("x", "input"):
        sides["query"] = tuple(dict.fromkeys((query, key)))
    if matrix.rows in sides and matrix.columns in sides:
        if query is None and key is None:
            return ()
        pairs: list[tuple[int | None, int | None]] = [(query, key)]
    else:
        pairs = [(place, None) for place in sides.get(matrix.rows, ()) if place is not None]
    found = (cells_within(block, origin, *pair) for pair in pairs)
    return tuple(area for area in found if area is not None)


def cells_within(block: Block, origin: Origin, row: int | None, column: int | None) -> Area | None:
    """Give the cells of a row and a column of the whole matrix in a block; ``None`` for all of them that way."""
    n_rows, n_columns = block.shape[::-1] if origin.is_turned else block.shape
    rows, columns = _span(row, origin.first_row, n_rows), _span(column, origin.first_column, n_columns)
    if not rows or not columns:
        return None
    return Area(columns, rows) if origin.is_turned else Area(rows, columns)


def _span(place: int | None, first: int, count: int) -> range:
    if place is None:
        return range(count)
    return range(place - first, place - first + 1) if 0 <= place - first < count else range(0)
