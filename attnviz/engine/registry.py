"""Named choices: one decorated function makes a choice that menus, files and the command line offer."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

F = TypeVar("F")


class UnknownChoiceError(ValueError, KeyError):
    """A name that a registry does not hold; the message lists the names it does hold."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Choice(Generic[F]):
    """One entry of a registry.

    Parameters
    ----------
    name : str
        The identifier used in files, on the command line and in calls.
    label : str
        What a menu shows.
    help : str
        One sentence that says what the choice does.
    function : F
        The function behind the choice.
    """

    name: str
    label: str
    help: str
    function: F


class Registry(Mapping[str, Choice[F]]):
    """A mapping from name to `Choice`, in the order of registration.

    Parameters
    ----------
    subject : str
        What is chosen here, as error messages shall say it ("scale rule").

    Examples
    --------
    >>> greetings: Registry[Callable[[], str]] = Registry("greeting")
    >>> @greetings.register("plain", "Plain", "One word.")
    ... def plain() -> str:
    ...     return "hello"
    >>> greetings["plain"].function(), list(greetings)
    ('hello', ['plain'])
    """

    def __init__(self, subject: str) -> None:
        self.subject = subject
        self._choices: dict[str, Choice[F]] = {}

    def register(self, name: str, label: str, explanation: str) -> Callable[[F], F]:
        """Make a decorator that enters the decorated function under a name.

        Parameters
        ----------
        name : str
            The identifier; it must be new here.
        label : str
            What a menu shows.
        explanation : str
            One sentence that says what the choice does; it becomes `Choice.help`.

        Returns
        -------
        Callable[[F], F]
            A decorator that gives the function back unchanged.

        Raises
        ------
        ValueError
            If the name is taken.
        """
        if name in self._choices:
            raise ValueError(f"{self.subject} {name!r} is already registered")

        def enter(function: F) -> F:
            self._choices[name] = Choice(name, label, explanation, function)
            return function

        return enter

    def __getitem__(self, name: str) -> Choice[F]:
        try:
            return self._choices[name]
        except (KeyError, TypeError):
            names = ", ".join(repr(known) for known in self._choices)
            raise UnknownChoiceError(f"{self.subject} must be one of {names}, got {name!r}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)
