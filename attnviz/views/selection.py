"""What is chosen and what is pointed at: view state that every panel shares, never part of the document.

One small record with one signal. Panels get the ``Selection`` by their constructor; they set it from
mouse and keyboard, and they repaint when it changes. Nothing is computed and no undo entry is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

from attnviz.document.number_ref import NumberRef
from attnviz.document.state import Side

# Whether pinning a number opens the inspector: where a number is edited it never does; after it was closed it must be
# asked for more strongly than by a click.
Opening: TypeAlias = Literal["never", "may", "must"]
# A row, a column and a number that are pointed at.
Pointed: TypeAlias = tuple[int | None, int | None, NumberRef | None]
NOTHING: Pointed = (None, None, None)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One state of the selection.

    Parameters
    ----------
    query, key
        The chosen cell: the row whose lines and derivation are shown, and the column in it. A new document
        begins at the first query and its second key, since a token's look at itself explains least.
    side, token
        The token that arrow keys nudge and Delete removes, by its list and its place in it.
    pointed_query, pointed_key
        What the mouse or the keyboard cursor is over now; ``None`` where it is over nothing.
    number
        The number that was clicked, for the inspector; ``None`` for the weight of the chosen cell.
    pointed_number
        The number that the mouse or the keyboard cursor is over now, lit wherever it is drawn.
    is_pinned
        Whether the chosen cell is marked; Esc releases it, a click marks it again.
    """

    query: int = 0
    key: int = 1
    side: Side = "sequence"
    token: int = 0
    pointed_query: int | None = None
    pointed_key: int | None = None
    number: NumberRef | None = None
    pointed_number: NumberRef | None = None
    is_pinned: bool = True

    @property
    def pointed(self) -> Pointed:
        """What is pointed at: the row, the column and the number."""
        return self.pointed_query, self.pointed_key, self.pointed_number

    @property
    def shown_query(self) -> int:
        """The row to explain: the pointed one if there is one, else the chosen one."""
        return self.query if self.pointed_query is None else self.pointed_query

    @property
    def shown_key(self) -> int:
        """The column to explain: the pointed one if there is one, else the chosen one."""
        return self.key if self.pointed_key is None else self.pointed_key


class Selection(QObject):
    """The shared selection.

    Signals
    -------
    changed : object
        Carries the new :class:`Chosen`; sent only when it differs from the one before.
    number_asked : object
        Carries the :class:`NumberRef` that was clicked, also when it was chosen already.
    inspector_wanted : bool
        A number was chosen that the inspector is to explain; True if it was asked for strongly: by a double click,
        by Enter on a number that was chosen already, or by the command.
    """

    changed = Signal(object)
    number_asked = Signal(object)
    inspector_wanted = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chosen = Chosen()

    @property
    def chosen(self) -> Chosen:
        """The selection as it is now."""
        return self._chosen

    def choose(self, chosen: Chosen) -> None:
        """Make ``chosen`` the selection and tell every panel, if it is a change."""
        if chosen != self._chosen:
            self._chosen = chosen
            self.changed.emit(chosen)

    def pin_cell(self, query: int, key: int) -> None:
        """Pin the cell (``query``, ``key``); its query becomes the chosen token too."""
        self.choose(Chosen(query=query, key=key, token=query))

    def pin_number(
        self, ref: NumberRef, query: int | None = None, key: int | None = None, *, opening: Opening = "may"
    ) -> None:
        """Choose a number, and with it the row and the column it belongs to; ``None`` leaves the chosen one.

        Parameters
        ----------
        ref : NumberRef
            The number.
        query, key : int or None
            Its row, whose token becomes the chosen one too, and its column.
        opening : {"never", "may", "must"}
            Whether the inspector opens for it, if it is closed.
        """
        old = self._chosen
        self.choose(
            replace(
                old,
                number=ref,
                query=old.query if query is None else query,
                key=old.key if key is None else key,
                side=old.side if query is None else "sequence",
                token=old.token if query is None else query,
                is_pinned=True,
            )
        )
        self.number_asked.emit(ref)
        if opening != "never":
            self.inspector_wanted.emit(opening == "must")

    def point_at(self, query: int | None, key: int | None, number: NumberRef | None = None) -> None:
        """Point at a row, a column, a cell or any number; ``None`` for what is not pointed at."""
        self.choose(replace(self._chosen, pointed_query=query, pointed_key=key, pointed_number=number))

    def release(self) -> None:
        """Let go of what is chosen and pointed at; row and column stay the ones to explain."""
        self.choose(
            replace(
                self._chosen, is_pinned=False, number=None, pointed_query=None, pointed_key=None, pointed_number=None
            )
        )

    def choose_token(self, side: Side, index: int, *, is_query: bool) -> None:
        """Choose a token; with ``is_query`` its row becomes the chosen row too. A chosen number is let go."""
        old = self._chosen
        self.choose(Chosen(query=index if is_query else old.query, key=old.key, side=side, token=index))

    def begin(self) -> None:
        """Choose what a new document begins with."""
        self.choose(Chosen())

    def fit_to(self, n_query: int, n_key: int, n_context: int) -> None:
        """Keep every index inside a document of this size (after tokens were removed)."""
        old = self._chosen
        n_side = n_context if old.side == "context" and n_context else n_query
        self.choose(
            Chosen(
                query=min(old.query, n_query - 1),
                key=min(old.key, n_key - 1),
                side=old.side if n_context else "sequence",
                token=min(old.token, n_side - 1),
                pointed_query=None if old.pointed_query is None or old.pointed_query >= n_query else old.pointed_query,
                pointed_key=None if old.pointed_key is None or old.pointed_key >= n_key else old.pointed_key,
                number=old.number,
                pointed_number=old.pointed_number,
                is_pinned=old.is_pinned,
            )
        )
