"""Where the files that ship with the program lie: beside the package in a checkout, inside it once installed."""

from __future__ import annotations

from pathlib import Path

from attnviz.document.errors import FileError

_PACKAGE = Path(__file__).resolve().parent.parent


def find_resources(package: Path = _PACKAGE) -> Path:
    """Find the folder with presets, icons and the style sheet.

    Parameters
    ----------
    package : Path
        The folder of the package ``attnviz``.

    Returns
    -------
    Path

    Raises
    ------
    FileError
        If the installation is incomplete.
    """
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / "presets").is_dir():
            return folder
    raise FileError(f"{package / 'resources'} must hold the presets of the program, got no such folder")
