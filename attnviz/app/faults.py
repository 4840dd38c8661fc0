"""The last net: an error nobody foresaw becomes one line in the window, and the program goes on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

_QUIET_S = 2.0


class Teller(Protocol):
    """Whatever can show one sentence to the user."""

    def tell(self, message: str) -> None:
        """Show a sentence."""


def install_fault_handler(window: Teller, keep: Callable[[], None]) -> None:
    """Send uncaught exceptions to the window's status bar, at most one in two seconds.

    Parameters
    ----------
    window : Teller
        Shows the sentence; the document is untouched, since edits make new states.
    keep : callable
        Puts a copy of unsaved work in safety.
    """
    last_s = float("-inf")

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        nonlocal last_s
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        if time.monotonic() - last_s > _QUIET_S:
            last_s = time.monotonic()
            print(f"attnviz: {kind.__name__}: {error}", file=sys.stderr)  # noqa: T201  messages go to stderr
            keep()
            window.tell(f"That did not work ({kind.__name__}); your document is unchanged. Please report it.")

    sys.excepthook = hook
