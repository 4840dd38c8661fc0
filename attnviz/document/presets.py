"""The scenes that come with the program: one `.attn` file each, found by name."""

from __future__ import annotations

from attnviz.document.attn_file import SUFFIX, read_file
from attnviz.document.errors import DocumentError
from attnviz.document.resources import find_resources
from attnviz.document.state import State


def preset_names() -> tuple[str, ...]:
    """Give the names of the presets, such as "s1-cat-dog-phone", in the order of the lessons."""
    names = [path.stem for path in (find_resources() / "presets").glob(f"*{SUFFIX}")]
    return tuple(sorted(names, key=_place))


def load_preset(name: str) -> State:
    """Load a preset.

    Parameters
    ----------
    name : str
        Its whole name, its number ("s1") or its title part ("cat-dog-phone"), in any case. A number that
        several presets share means the first of them.

    Returns
    -------
    State

    Raises
    ------
    DocumentError
        If there is no such preset; the message lists those there are.
    """
    names = preset_names()
    wanted = name.strip().lower()
    for full in names:
        if wanted in (full, *full.split("-", 1)):
            return read_file(find_resources() / "presets" / (full + SUFFIX))
    raise DocumentError(f"a preset must be one of {', '.join(names)}, got {name!r}")


def _place(name: str) -> tuple[int, str]:
    number = name.partition("-")[0].removeprefix("s")
    return (int(number) if number.isascii() and number.isdigit() else 2**31, name)
