"""The arguments of the command line: what can be written after ``attnviz``, and the help on it."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

from attnviz import __version__

FORMATS = ("svg", "png", "pdf", "json", "csv", "npz")
COMMANDS = ("presets", "render", "screenshot", "doctor")

_EXIT_CODES = "exit codes: 0 done, 1 failed, 2 wrong use, 3 the machine lacks something, 4 bad file, 130 interrupted"
_SMALLEST_WINDOW, _LARGEST_WINDOW = 320, 8_192


def parse(given: Sequence[str]) -> argparse.Namespace:
    """Read the arguments; wrong ones, ``--help`` and ``--version`` end the process.

    Parameters
    ----------
    given : sequence of str
        What follows the program's name. If it begins with none of COMMANDS it is a file to open, or nothing.

    Returns
    -------
    Namespace
        ``command`` is one of COMMANDS, or "open" with ``file`` a path or None; the rest are its arguments.
    """
    parser = _parser()
    is_command = bool(given) and given[0] in (*COMMANDS, "-h", "--help", "--version")
    return (parser if is_command else _window_parser(parser)).parse_args(given)


class _Parser(argparse.ArgumentParser):
    """A parser whose help lists the settings of a document, where the command has them."""

    def format_help(self) -> str:
        if any(action.dest == "settings" for action in self._actions):
            self.epilog = _settings_help()
        return super().format_help()


def _settings_help() -> str:
    from attnviz.document.parameters import CAUSAL_SWITCH  # noqa: PLC0415  # NumPy is only for this help
    from attnviz.document.state import SCALARS  # noqa: PLC0415  # as above

    lines = []
    for scalar in (*SCALARS.values(), CAUSAL_SWITCH):
        names = ", ".join(name for name, _, _ in scalar.choices)
        span = f"{scalar.minimum:.10g} to {scalar.maximum:.10g}"
        kind = {"switch": "true or false", "choice": f"one of {names}"}.get(scalar.kind, span)
        lines.append(f"  {scalar.key}: {kind}")
        lines += textwrap.wrap(scalar.help, 76, initial_indent="      ", subsequent_indent="      ")
    return "settings:\n" + "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="attnviz",
        usage="attnviz [FILE]\n       attnviz COMMAND ...",
        description="Take the attention mechanism apart with your own hands. Without a command the window opens.",
        epilog=f"A file that is called like a command is opened as ./NAME.\n{_EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"attnviz {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, prog="attnviz")
    for name in COMMANDS:
        line, add_arguments = _ABOUT[name]
        command = commands.add_parser(
            name, help=line, description=line, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        add_arguments(command)
        command.set_defaults(command=name)
    return parser


def _window_parser(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    window = argparse.ArgumentParser(prog="attnviz", usage=parser.usage, add_help=False)
    window.add_argument("file", nargs="?", type=Path, metavar="FILE")
    window.set_defaults(command="open")
    return window


def _no_arguments(_: argparse.ArgumentParser) -> None:
    """Leave a command without arguments of its own."""


def _source_arguments(command: argparse.ArgumentParser, example: str) -> None:
    command.add_argument("source", metavar="PRESET|FILE", help="a preset's name or number, or a .attn file")
    command.add_argument("-o", "--output", required=True, metavar="FILE", help=f"what to write, such as {example}")
    command.add_argument(
        "--set", dest="settings", action="append", default=[], metavar="NAME=VALUE", help="change a setting; see below"
    )
    command.add_argument("--theme", choices=("light", "dark"), default="light", help="the colours (light)")


def _render_arguments(command: argparse.ArgumentParser) -> None:
    _source_arguments(command, "map.svg, or - for standard output")
    command.add_argument("--format", choices=FORMATS, help="by default the ending of the output's name; svg for -")
    command.add_argument(
        "--stage", choices=("raw", "scaled", "masked"), help="which scores to draw (masked under a mask, else scaled)"
    )
    command.add_argument("--scale", type=_scale, default=2.0, metavar="X", help="PNG pixels per SVG pixel (2)")


def _screenshot_arguments(command: argparse.ArgumentParser) -> None:
    _source_arguments(command, "window.png")
    command.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH", help="of the window (1280x800)")


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"it must be a number, got {text!r}") from error
    if not 0.1 <= scale <= 20:
        raise argparse.ArgumentTypeError(f"it must be between 0.1 and 20, got {text}")
    return scale


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"it must be written WIDTHxHEIGHT, got {text!r}")
    size = (int(width), int(height))
    if not all(_SMALLEST_WINDOW <= side <= _LARGEST_WINDOW for side in size):
        raise argparse.ArgumentTypeError(
            f"each side must be between {_SMALLEST_WINDOW} and {_LARGEST_WINDOW} pixels, got {text}"
        )
    return size


_ABOUT: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "presets": ("list the scenes that come with the program", _no_arguments),
    "render": ("write the heatmaps or the numbers of a scene", _render_arguments),
    "screenshot": ("write a picture of the window with a scene", _screenshot_arguments),
    "doctor": ("tell versions, and what the machine lacks", _no_arguments),
}
