"""What the program needs from the machine, checked before Qt is imported: Qt itself can only abort.

Without a display Qt ends the process from C++, and where a system library is missing its import fails with the
first name only. So displays, libraries and versions are looked at here, each on its own, and told all at once.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from importlib import metadata

BLAS_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
PAINTING_VARIABLE = "QT_NO_GUI_THREADPOOL"

# What Qt's own files link to and do not bring along: the name that is loaded, and the package of Debian that has it.
_DRAWING = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
}
_PLATFORMS = {
    "xcb": {
        "libxcb-cursor.so.0": "libxcb-cursor0",
        "libxcb-icccm.so.4": "libxcb-icccm4",
        "libxcb-keysyms.so.1": "libxcb-keysyms1",
        "libxcb-shape.so.0": "libxcb-shape0",
        "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    },
    "wayland": {"libwayland-cursor.so.0": "libwayland-cursor0"},
}


class EnvironmentProblem(Exception):  # noqa: N818  # it is about the machine, no error of a program
    """The machine lacks something; the message says all that is lacking, for the user's eyes."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The machine as far as it matters here.

    Parameters
    ----------
    system : str
        "Linux", "Darwin" or "Windows".
    python : tuple of int
        The version of the interpreter.
    variables : mapping of str to str
        The environment variables.
    has_library : callable
        Tells whether the library of a name can be loaded.
    version_of : callable
        Gives the version of an installed distribution, or None.
    """

    system: str
    python: tuple[int, ...]
    variables: Mapping[str, str]
    has_library: Callable[[str], bool]
    version_of: Callable[[str], str | None]


def this_machine() -> Surroundings:
    """Give the surroundings of this process."""
    return Surroundings(platform.system(), tuple(sys.version_info[:3]), os.environ, _can_load, _version_of)


def paint_in_one_thread(variables: MutableMapping[str, str] = os.environ) -> None:
    """Let Qt paint without helping threads; must run before Qt paints for the first time.

    Qt hands every large translucent area and every thick line to a pool of threads in strips. For areas of a
    window's size waking them takes longer than painting, and where another process holds a core, waiting for them
    takes milliseconds.
    """
    variables[PAINTING_VARIABLE] = "1"


def cap_blas_threads(variables: MutableMapping[str, str] = os.environ) -> None:
    """Let NumPy's matrix products use one thread; must run before NumPy is imported.

    Two threads stall for tens of milliseconds whenever another process holds a core. A setting of the user's
    own, for whichever library, is left alone.
    """
    if not any(name in variables for name in BLAS_VARIABLES):
        variables.update(dict.fromkeys(BLAS_VARIABLES, "1"))


def check_drawing(machine: Surroundings) -> None:
    """Check that pictures can be drawn without a screen.

    Raises
    ------
    EnvironmentProblem
        If Qt is missing or unsound here, or system libraries are missing: all of them are named.
    """
    _check_versions(machine)
    _raise_missing(missing_libraries(machine, ("offscreen",)))


def check_window(machine: Surroundings) -> None:
    """Check that a window can be opened.

    Raises
    ------
    EnvironmentProblem
        If Qt is missing or unsound here, there is no display, or system libraries are missing.
    """
    _check_versions(machine)
    platforms = _window_platforms(machine)
    lacks = [missing_libraries(machine, (name,)) for name in platforms or ("xcb",)]
    least = min(lacks, key=len)
    if not platforms:
        also = f"\n{_missing_sentence(least)}" if least else ""
        raise EnvironmentProblem(
            "a window needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set; "
            f"`attnviz render` and `attnviz screenshot` work without one.{also}"
        )
    _raise_missing(least)


def missing_libraries(machine: Surroundings, platforms: tuple[str, ...]) -> dict[str, str]:
    """Find the system libraries that Qt would not find.

    Parameters
    ----------
    machine : Surroundings
        The machine.
    platforms : tuple of str
        Qt's names of what it draws on: "xcb", "wayland", "offscreen".

    Returns
    -------
    dict of str to str
        The Debian package of each missing library; empty on other systems than Linux.
    """
    if machine.system != "Linux":
        return {}
    needed = dict(_DRAWING)
    for name in platforms:
        needed |= _PLATFORMS.get(name, {})
    return {library: package for library, package in needed.items() if not machine.has_library(library)}


def describe(machine: Surroundings) -> list[tuple[str, str]]:
    """Give name and version of everything the program stands on, as far as it can be told without Qt."""
    return [
        ("Python", f"{'.'.join(map(str, machine.python))} ({platform.python_implementation()}, {sys.executable})"),
        ("system", f"{platform.system()} {platform.release()}, {platform.machine()}{_distribution()}"),
        *((name, machine.version_of(name) or "not installed") for name in ("numpy", "pyqtgraph")),
        ("PySide6", _qt_version(machine) or "not installed"),
        ("display", ", ".join(_window_platforms(machine)) or "none"),
    ]


def _check_versions(machine: Surroundings) -> None:
    version = _qt_version(machine)
    if version is None:
        raise EnvironmentProblem("PySide6 must be installed to draw: python -m pip install PySide6-Essentials")
    if version.split(".")[:3] == ["6", "12", "0"] and machine.python < (3, 12):
        raise EnvironmentProblem(
            f"PySide6 {version} must not run on Python {machine.python[0]}.{machine.python[1]}: there every call into "
            "Qt drops a reference to None, until the program is aborted; take Python 3.12 or newer, or "
            'python -m pip install "PySide6-Essentials<6.12"'
        )


def _qt_version(machine: Surroundings) -> str | None:
    return machine.version_of("PySide6-Essentials") or machine.version_of("PySide6")


def _window_platforms(machine: Surroundings) -> tuple[str, ...]:
    if machine.system != "Linux":
        return (machine.system.lower(),)
    wanted = machine.variables.get("QT_QPA_PLATFORM", "")
    if wanted:
        return tuple(name.partition(":")[0].removesuffix("-egl") for name in wanted.split(";"))
    variables = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    return tuple(name for name, variable in variables.items() if machine.variables.get(variable))


def _raise_missing(missing: dict[str, str]) -> None:
    if missing:
        raise EnvironmentProblem(_missing_sentence(missing))


def _missing_sentence(missing: dict[str, str]) -> str:
    packages = " ".join(sorted(set(missing.values())))
    return (
        f"Qt needs system libraries that are missing: {', '.join(missing)}.\n"
        f"On Debian and Ubuntu: sudo apt-get install {packages}"
    )


def _can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _version_of(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _distribution() -> str:
    try:
        return f" ({platform.freedesktop_os_release().get('PRETTY_NAME', 'unnamed')})"
    except OSError:
        return ""
