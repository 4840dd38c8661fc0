"""The command line: opens the window, draws figures, writes numbers, and says what the machine lacks.

Results go to standard output, messages to standard error. Everything that takes time to import is imported
inside the command that needs it, so that ``--help`` and ``--version`` answer at once, and Qt only where
pixels are drawn.
"""

from __future__ import annotations

import argparse
import difflib
import os
import struct
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from attnviz import __version__
from attnviz.arguments import COMMANDS, FORMATS, parse

if TYPE_CHECKING:
    from attnviz.document.frame import Frame
    from attnviz.document.state import State
    from attnviz.environment import Surroundings

SUCCESS, FAILURE, USAGE, ENVIRONMENT, BAD_FILE, INTERRUPTED = 0, 1, 2, 3, 4, 130


class CommandError(Exception):
    """A command that cannot be done; the message is one sentence for the user.

    Parameters
    ----------
    status : int
        The exit code.
    message : str
        The sentence.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the program's name; by default that of this process.

    Returns
    -------
    int
        The exit code.
    """
    sys.excepthook = _tell_of_a_bug
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = _run(given)
        if sys.stdout is not None:
            sys.stdout.flush()
    except CommandError as error:
        return _complain(str(error), error.status)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return FAILURE
    except MemoryError:
        return _complain("there is not enough memory for this", FAILURE)
    except OSError as error:
        _forget_output()
        return _complain(f"{error.filename or 'standard output'} cannot be used: {error.strerror or error}", FAILURE)
    return status


def _run(given: list[str]) -> int:
    options = parse(given)

    from attnviz.environment import cap_blas_threads

    cap_blas_threads()
    from attnviz.document.errors import DocumentError, FileError

    try:
        return _COMMANDS[options.command](options)
    except FileError as error:
        raise CommandError(BAD_FILE, str(error)) from error
    except DocumentError as error:
        raise CommandError(FAILURE, str(error)) from error


def _open_window(options: argparse.Namespace) -> int:
    from attnviz.document.attn_file import SUFFIX, read_file
    from attnviz.environment import check_window

    path: Path | None = options.file
    if path is not None:
        if not os.path.exists(path):
            hint = _suggestion(str(path), COMMANDS)
            raise CommandError(BAD_FILE, f"{path} cannot be opened: no such file{hint}")
        if path.suffix.lower() == SUFFIX:
            _computed(read_file(path), path.name)
        else:
            from attnviz.sources import describe

            describe(path)  # word vectors: the window reads them, here only their kind is checked
    _fit(check_window)
    from attnviz.app.main import run

    return run(path)


def _list_presets(_: argparse.Namespace) -> int:
    from attnviz.document.presets import load_preset, preset_names

    names = preset_names()
    width = max(map(len, names))
    _print("".join(f"{name:{width}}  {load_preset(name).title}".rstrip() + "\n" for name in names))
    return SUCCESS


def _render(options: argparse.Namespace) -> int:
    kind = options.format or _format_of(options.output)
    if kind in ("png", "pdf"):
        _fit_for_drawing()
    _write(options.output, _rendered(kind, _computed(_state_of(options), options.source), options))
    return SUCCESS


def _rendered(kind: str, frame: Frame, options: argparse.Namespace) -> bytes:
    from attnviz.figures import numbers

    if kind == "json":
        return numbers.frame_as_json(frame).encode()
    if kind == "csv":
        return numbers.frame_as_csv(frame).encode()
    if kind == "npz":
        return numbers.frame_as_npz(frame)
    from attnviz.appearance import THEMES
    from attnviz.figures.attention_figure import figure_svg

    svg = figure_svg(frame, stage=options.stage, theme=THEMES[options.theme])
    if kind == "svg":
        return svg.encode()
    from attnviz.app.raster import RasterError, svg_to_pdf, svg_to_png

    try:
        return svg_to_png(svg, options.scale) if kind == "png" else svg_to_pdf(svg, frame.state.title)
    except RasterError as error:
        raise CommandError(FAILURE, str(error)) from error


def _screenshot(options: argparse.Namespace) -> int:
    if _format_of(options.output) != "png":
        raise CommandError(USAGE, f"a screenshot must be written to a name that ends in .png, got {options.output}")
    state = _computed(_state_of(options), options.source).state
    _fit_for_drawing()
    from attnviz.app.main import screenshot
    from attnviz.app.raster import leave_out_platform_noise

    leave_out_platform_noise()
    picture = screenshot(state, options.size, options.theme)
    _write(options.output, picture)
    drawn = struct.unpack(">II", picture[16:24])  # where a PNG keeps its width and height
    if drawn != options.size:
        _complain("the window is {} x {} pixels, since it cannot be drawn any smaller".format(*drawn), SUCCESS)
    return SUCCESS


def _doctor(_: argparse.Namespace) -> int:
    from attnviz.environment import EnvironmentProblem, check_drawing, check_window, describe, this_machine

    machine = this_machine()
    lines = [("attnviz", __version__), *describe(machine)]
    _print("".join(f"{name:10} {value}\n" for name, value in lines))
    verdicts = {
        "figures as SVG and numbers": None,
        "figures as PNG and PDF": _problem(check_drawing, machine),
        "the window": _problem(check_window, machine),
    }
    if verdicts["figures as PNG and PDF"] is None:
        _draw_without_screen()
        from attnviz.app.raster import font_families

        fonts = font_families()
        _print(f"{'fonts':10} {len(fonts) or 'none: sudo apt-get install fonts-dejavu-core'}\n")
    _print("\n" + "".join(f"{name}: {problem or 'fine'}\n" for name, problem in verdicts.items()))
    if isinstance(verdicts["the window"], EnvironmentProblem):
        return ENVIRONMENT
    return SUCCESS


def _state_of(options: argparse.Namespace) -> State:
    """Load the preset or file that is named, and apply the settings."""
    from attnviz.document.edits import parse_scalar, set_scalar
    from attnviz.document.errors import DocumentError

    state = _load(options.source)
    for setting in options.settings:
        key, equals, value = setting.partition("=")
        try:
            if not equals:
                raise DocumentError(f"a setting must be written NAME=VALUE, got {setting!r}")
            state = set_scalar(state, key, parse_scalar(key, value))
        except DocumentError as error:
            raise CommandError(USAGE, f"--set {setting}: {error}") from error
    return state


def _computed(state: State, name: str) -> Frame:
    """Compute the frame of the document ``name``; one whose numbers overflow is a bad file."""
    from attnviz.document.errors import DocumentError
    from attnviz.document.frame import compute

    try:
        return compute(state)
    except DocumentError as error:
        raise CommandError(BAD_FILE, f"{name}: {error}") from error


def _load(source: str) -> State:
    from attnviz.document.attn_file import read_file
    from attnviz.document.errors import DocumentError, FileError
    from attnviz.document.presets import load_preset, preset_names

    path = Path(source)
    if path.name != source or path.suffix:
        return read_file(path)
    try:
        return load_preset(source)
    except FileError:
        raise
    except DocumentError as error:
        if os.path.exists(path):
            return read_file(path)
        names = preset_names()
        hint = _suggestion(source, [*names, *(part for name in names for part in name.split("-", 1))])
        raise CommandError(USAGE, f"{source!r} is neither a file nor a preset ({', '.join(names)}){hint}") from error


def _write(output: str, data: bytes) -> None:
    from attnviz.document.atomic import write_atomically
    from attnviz.document.errors import FileError

    if output == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        write_atomically(Path(output), data)
    except FileError as error:
        raise CommandError(FAILURE, str(error)) from error


def _format_of(output: str) -> str:
    kind = "svg" if output == "-" else Path(output).suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise CommandError(USAGE, f"the output's name must end in one of {endings}, got {output!r}")
    return kind


def _fit_for_drawing() -> None:
    from attnviz.environment import check_drawing

    _fit(check_drawing)
    _draw_without_screen()


def _draw_without_screen() -> None:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS"):  # sizes are meant in pixels of the picture
        os.environ.pop(name, None)


def _fit(check: Callable[[Surroundings], None]) -> None:
    from attnviz.environment import this_machine

    problem = _problem(check, this_machine())
    if problem is not None:
        raise CommandError(ENVIRONMENT, str(problem))


def _problem(check: Callable[[Surroundings], None], machine: Surroundings) -> Exception | None:
    from attnviz.environment import EnvironmentProblem

    try:
        check(machine)
    except EnvironmentProblem as problem:
        return problem
    return None


def _suggestion(given: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(given, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _print(shown: str) -> None:
    """Write to standard output; what its encoding lacks is written as an escape."""
    if sys.stdout is None:
        return
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(shown.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def _complain(message: str, status: int) -> int:
    if sys.stderr is not None:
        sys.stderr.write(f"attnviz: {message}\n")
    return status


def _forget_output() -> None:
    """Point standard output nowhere, so that the interpreter does not fail once more when it flushes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _tell_of_a_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say in one sentence that the program has a bug; with ATTNVIZ_DEBUG set, also where."""
    if os.environ.get("ATTNVIZ_DEBUG"):
        sys.__excepthook__(kind, error, trace)
    _complain(
        f"this is a bug in attnviz ({kind.__name__}: {' '.join(str(error).split())}); please report it with the output "
        "of `attnviz doctor`, or of the same command with ATTNVIZ_DEBUG=1",
        FAILURE,
    )


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "open": _open_window,
    "presets": _list_presets,
    "render": _render,
    "screenshot": _screenshot,
    "doctor": _doctor,
}
