"""The errors whose one sentence is meant for the user's eyes.

Everything above the document (sources, figures, command line, window) shows ``str(error)`` as it is,
so the message says what was expected and what came, and never needs a traceback beside it.
"""

from __future__ import annotations


class DocumentError(ValueError):
    """A value that the document refuses; the message is one sentence for the user."""


class FileError(DocumentError):
    """A file that cannot be read or written; the message names the file and the place in it."""
