"""The script of a film: how many steps a forward pass has and what each does, by arithmetic alone.

A head goes through six stages. Two more follow where its output is not that of the layer: all heads side by side, and
what W_O makes of them.

A film of a thousand tokens would have millions of steps if each made one cell. So a step covers as much as keeps
every stage watchable: a term of a dot product where there are few, else a cell, a row, or a block of rows. No list
of steps is kept: any step is found from its number at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from attnviz.document.frame import Frame
from attnviz.film.steps import LAYER_PARTS, NOTHING, PARTS, Part, Reach, Stage, Step, Unit

_MOST_PROJECTIONS = 8
_MOST_TERMS = 8
_MOST_TERM_STEPS = 160
_MOST_CELLS = 64
_MOST_GRID_CELLS = 400
_MOST_ARROWS = 64
_MOST_SCORE_ROWS = 200
_MOST_ROWS = 64
_SLOWEST_MS, _FASTEST_MS, _STAGE_MS = 900, 120, 24_000


@dataclass(frozen=True, slots=True)
class Chapter:
    """One of the stages as a stretch of the film.

    Parameters
    ----------
    stage : Stage
        Its identifier.
    title : str
        What it is called on screen.
    symbols : str
        What it computes.
    start, stop : int
        Its first step, and the one after its last.
    short_title : str
        What it is called where there is little room, if that is shorter.
    """

    stage: Stage
    title: str
    symbols: str
    start: int = 0
    stop: int = 0
    short_title: str = ""

    @property
    def brief(self) -> str:
        """What it is called where there is little room."""
        return self.short_title or self.title


CHAPTERS = (
    Chapter("project", "Project", "q = x·W_Q, k = x·W_K, v = x·W_V"),
    Chapter("score", "Match", "score = q·k"),
    Chapter("scale", "Scale", "scaled = score × multiplier"),
    Chapter("mask", "Mask", "banned keys leave"),
    Chapter("softmax", "Softmax", "weight = e^(s − max) ÷ sum"),
    Chapter("output", "Blend", "y = Σ weight · v"),
    Chapter("concatenate", "Concatenate", "the outputs of all heads side by side", short_title="Concat"),
    Chapter("combine", "W_O", "output = Σ y · W_O, each head by its own rows"),
)


@dataclass(frozen=True, slots=True)
class _Run:
    """One part within a group of rows: its keys, group by group, each in one step or term by term."""

    part: Part
    n_columns: int
    per_step: int
    n_terms: int = 1

    @property
    def n_steps(self) -> int:
        return _groups(self.n_columns, self.per_step) * self.n_terms


@dataclass(frozen=True, slots=True)
class _Section:
    """Parts that are gone through for one group of rows after the other."""

    stage: Stage
    start: int
    n_rows: int
    per_step: int
    runs: tuple[_Run, ...]

    @property
    def steps_a_group(self) -> int:
        return sum(run.n_steps for run in self.runs)

    @property
    def n_steps(self) -> int:
        return _groups(self.n_rows, self.per_step) * self.steps_a_group


class Script:
    """The film of one forward pass.

    Parameters
    ----------
    n_query, n_key : int
        The size of the score matrix, at least 1.
    d_k : int
        The width of queries and keys, at least 1.
    query : int or None
        The query that the film follows; None for all of them.
    n_heads : int
        The number of heads of the layer, at least 1; where there are several, their outputs are put side by side.
    has_w_o : bool
        Whether W_O makes the output of the layer.

    Raises
    ------
    ValueError
        If a size is below 1 or there is no such query.

    Examples
    --------
    >>> script = Script(3, 3, 2, 0)
    >>> len(script), script.step(8).part, script.step(8).columns, script.step(8).term
    (27, 'dot', range(0, 1), 1)
    """

    def __init__(
        self, n_query: int, n_key: int, d_k: int, query: int | None, n_heads: int = 1, *, has_w_o: bool = False
    ) -> None:
        if min(n_query, n_key, d_k) < 1:
            raise ValueError(f"sizes of a film must be at least 1, got {n_query}, {n_key} and {d_k}")
        if query is not None and not 0 <= query < n_query:
            raise ValueError(f"the query must lie between 0 and {n_query - 1}, got {query}")
        self.n_query, self.n_key, self.d_k, self.query = n_query, n_key, d_k, query
        self.n_heads, self.has_w_o = n_heads, has_w_o
        self._rows = range(n_query) if query is None else range(query, query + 1)

    @property
    def size(self) -> tuple[int, int, int, int | None, int, bool]:
        """What the script depends on: two scripts of equal size have the same steps."""
        return self.n_query, self.n_key, self.d_k, self.query, self.n_heads, self.has_w_o

    def __len__(self) -> int:
        last = self._sections[-1]
        return last.start + last.n_steps

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """The stages with their places: six, and up to two more of the layer."""
        found = []
        for chapter in CHAPTERS:
            own = [section for section in self._sections if section.stage == chapter.stage]
            if not own:
                continue
            stop = own[-1].start + own[-1].n_steps
            found.append(replace(chapter, start=own[0].start, stop=stop))
        return tuple(found)

    def chapter_at(self, index: int) -> int:
        """Give the number of the stage, counted from 0, that a step belongs to."""
        return next(i for i, chapter in enumerate(self.chapters) if index < chapter.stop)

    def pace_ms(self, index: int) -> int:
        """Give how long a step stays at speed 1: long stages go faster, so that none takes minutes."""
        chapter = self.chapters[self.chapter_at(index)]
        return max(_FASTEST_MS, min(_SLOWEST_MS, _STAGE_MS // (chapter.stop - chapter.start)))

    def step(self, index: int) -> Step:
        """Give a step by its number, at a cost that does not grow with the film.

        Parameters
        ----------
        index : int
            From 0 to the length less 1.

        Raises
        ------
        IndexError
            If there is no such step.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"a step must lie between 0 and {len(self) - 1}, got {index}")
        section = next(s for s in self._sections if index < s.start + s.n_steps)
        group, left = divmod(index - section.start, section.steps_a_group)
        place = 0
        while left >= section.runs[place].n_steps:
            left -= section.runs[place].n_steps
            place += 1
        run = section.runs[place]
        first_row = group * section.per_step
        rows = range(first_row, min(section.n_rows, first_row + section.per_step))
        column_group, term = divmod(left, run.n_terms)
        first = column_group * run.per_step
        columns = range(first, min(run.n_columns, first + run.per_step))
        known = columns.stop if term == run.n_terms - 1 else columns.start
        has_keys = run.part not in ("query", *LAYER_PARTS)
        return Step(
            index=index,
            stage=section.stage,
            part=run.part,
            rows=self._rows[rows.start : rows.stop],
            columns=columns if has_keys else range(0),
            term=term if run.n_terms > 1 else None,
            n_terms=self.d_k,
            unit=self._unit(rows, columns, run),
            all_rows=self._rows,
            n_key=self.n_key,
            reaches=self._reaches(section, place, rows, known),
            number=self.chapter_at(index) + 1,
            heads=self._heads(run.part, columns),
        )

    def same_place(self, step: Step) -> int:
        """Give the number of the step that stands where ``step`` stood, perhaps in a film of another size.

        Parameters
        ----------
        step : Step
            A step of this film or of another one.

        Returns
        -------
        int
            The step of the same part at the same query, key, head and term, or at the nearest there are; the output
            of the query where the part is not in this film.
        """
        part = step.part if any(run.part == step.part for s in self._sections for run in s.runs) else "arrive"
        section = next(s for s in self._sections if any(run.part == part for run in s.runs))
        wanted = step.row if self.query is None else 0
        group = min(wanted, section.n_rows - 1) // section.per_step
        index = section.start + group * section.steps_a_group
        for run in section.runs:
            if run.part == part:
                first = (step.heads or step.columns or range(1)).start
                index += min(first, run.n_columns - 1) // run.per_step * run.n_terms
                return index + min(run.n_terms - 1 if step.term is None else step.term, run.n_terms - 1)
            index += run.n_steps
        raise AssertionError("every part has a run")

    @cached_property
    def _sections(self) -> tuple[_Section, ...]:
        n_rows, n_key = len(self._rows), self.n_key
        is_single = self.query is not None
        fine = is_single or n_rows * n_key <= _MOST_GRID_CELLS
        score_rows = 1 if fine else _per_step(n_rows, _MOST_SCORE_ROWS)
        rows = 1 if fine else _per_step(n_rows, _MOST_ROWS)
        cell = _per_step(n_key, _MOST_CELLS)
        single = cell if is_single else n_key
        arrow = cell if is_single or n_rows * n_key <= _MOST_ARROWS else n_key
        few = self.d_k <= _MOST_TERMS and cell == 1 and fine and n_rows * n_key * self.d_k <= _MOST_TERM_STEPS
        dot = _Run("dot", n_key, cell if fine else n_key, self.d_k if few else 1)
        softmax = (
            _Run("subtract", n_key, n_key),
            _Run("exponentiate", n_key, single),
            _Run("sum", n_key, n_key),
            _Run("divide", n_key, single),
        )
        plan: tuple[tuple[Stage, int, int, tuple[_Run, ...]], ...] = (
            ("project", n_rows, _per_step(n_rows, _MOST_PROJECTIONS), (_Run("query", 1, 1),)),
            ("project", n_rows, n_rows, (_Run("key", n_key, _per_step(n_key, _MOST_PROJECTIONS)),)),
            ("project", n_rows, n_rows, (_Run("value", n_key, _per_step(n_key, _MOST_PROJECTIONS)),)),
            ("score", n_rows, score_rows, (dot,)),
            ("scale", n_rows, rows, (_Run("scale", n_key, n_key),)),
            ("mask", n_rows, rows, (_Run("mask", n_key, n_key),)),
            ("softmax", n_rows, rows, softmax),
            ("output", n_rows, rows, (_Run("mix", n_key, arrow), _Run("arrive", n_key, n_key))),
        )
        every_head = _Run("join", self.n_heads, 1), _Run("contribute", self.n_heads, 1), _Run("complete", 1, 1)
        if self.n_heads > 1:
            plan = (*plan, ("concatenate", n_rows, n_rows, every_head[:1]))
        if self.has_w_o:
            plan = (*plan, ("combine", n_rows, n_rows, every_head[1:]))
        sections: list[_Section] = []
        start = 0
        for stage, count, per_step, runs in plan:
            sections.append(_Section(stage, start, count, per_step, runs))
            start += sections[-1].n_steps
        return tuple(sections)

    def _unit(self, rows: range, columns: range, run: _Run) -> Unit:
        if run.part in ("query", *LAYER_PARTS) and len(rows) == 1:
            return "row"
        if run.n_terms > 1:
            return "term"
        if run.part in ("key", "value"):
            return "row" if len(columns) == 1 else "block"
        if len(rows) > 1:
            return "block"
        if len(columns) == run.n_columns:
            return "row"
        return "cell" if len(columns) == 1 else "block"

    def _reaches(self, now: _Section, place: int, rows: range, known: int) -> tuple[Reach, ...]:
        n_rows = len(self._rows)
        reaches: dict[Part, Reach] = {}
        for section in self._sections:
            for i, run in enumerate(section.runs):
                if section.start < now.start:
                    reaches[run.part] = Reach(n_rows, n_rows, run.n_columns)
                elif section.start > now.start:
                    reaches[run.part] = NOTHING
                elif i == place:
                    reaches[run.part] = Reach(rows.start, rows.stop, known)
                else:
                    reaches[run.part] = Reach(rows.start, rows.stop, run.n_columns if i < place else 0)
        parts = PARTS if len(reaches) == len(PARTS) else (*PARTS, *LAYER_PARTS)
        return tuple([reaches.get(part, NOTHING) for part in parts])

    def _heads(self, part: Part, columns: range) -> range:
        """Give the heads that a step is about, where its columns are heads."""
        if part not in LAYER_PARTS:
            return range(0)
        return range(self.n_heads) if part == "complete" else columns


def script_of(frame: Frame, query: int | None) -> Script:
    """Give the script of a frame: of one query, or of all."""
    state = frame.state
    d_k = int(frame.q.shape[1])
    return Script(frame.n_query, frame.n_key, d_k, query, frame.n_heads, has_w_o=state.w_o is not None)


def _per_step(count: int, most_steps: int) -> int:
    """Give how many things a step must cover, so that there are at most ``most_steps`` of them."""
    return -(-count // most_steps)


def _groups(count: int, per_step: int) -> int:
    return -(-count // per_step)
