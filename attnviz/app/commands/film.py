"""The commands of the menu View > Film: what its transport bar does, from anywhere in the window."""

from __future__ import annotations

from attnviz.app.commands.group import CommandGroup
from attnviz.views.film.film_view import FilmView


class FilmCommands(CommandGroup):
    """What the actions of the film do; each brings the film to sight first."""

    def film_forward(self) -> None:
        """Go one step on."""
        self._shown.body.step_by(1)

    def film_back(self) -> None:
        """Go one step back."""
        self._shown.body.step_by(-1)

    def film_next_stage(self) -> None:
        """Go to the next stage."""
        self._shown.body.go_to_stage(1)

    def film_previous_stage(self) -> None:
        """Go to the stage before."""
        self._shown.body.go_to_stage(-1)

    def film_first(self) -> None:
        """Go to the first step."""
        self._shown.body.transport.first.click()

    def film_last(self) -> None:
        """Go to the last step."""
        self._shown.body.transport.last.click()

    def film_next_query(self) -> None:
        """Follow the next query."""
        self._shown.body.step_query(1)

    def film_previous_query(self) -> None:
        """Follow the query before."""
        self._shown.body.step_query(-1)

    def film_faster(self) -> None:
        """Play faster."""
        self._shown.body.step_speed(1)

    def film_slower(self) -> None:
        """Play slower."""
        self._shown.body.step_speed(-1)

    def film_loop(self) -> None:
        """Begin again at the end, or stop there."""
        self._shown.body.transport.loop.click()

    def film_rows(self) -> None:
        """Fill the matrices of all queries, or follow one."""
        body = self._shown.body
        body.choose_extent("all" if body.transport.extent.choice == "one" else "one")

    @property
    def _shown(self) -> FilmView:
        self._window.presentation.bring_forward("film")
        return self._window.film
