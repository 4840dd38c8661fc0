"""attnviz: take the attention mechanism apart with your own hands. This is the public Python API, nothing else.

The names are loaded when they are first used. So ``import attnviz`` costs nothing, the command line answers at
once, and the number of BLAS threads can still be chosen before NumPy is there. Qt is never among them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnviz.document.attn_file import read_file, write_file
    from attnviz.document.errors import DocumentError, FileError
    from attnviz.document.frame import Frame, compute
    from attnviz.document.presets import load_preset, preset_names
    from attnviz.document.state import State
    from attnviz.document.tokens import TokenSequence
    from attnviz.engine import (
        AttentionGradients,
        AttentionTrace,
        HeadsTrace,
        alibi,
        attend,
        attend_heads,
        backward,
        causal_mask,
        effective_keys,
        entropy,
        merge_heads,
        padding_mask,
        rotary,
        sinusoidal,
        softmax,
        softmax_jacobian,
        split_heads,
        window_mask,
    )
    from attnviz.figures.attention_figure import figure_svg
    from attnviz.sources import WordVectors, read_word_vectors

__version__ = "0.1.0"

__all__ = [
    "AttentionGradients",
    "AttentionTrace",
    "DocumentError",
    "FileError",
    "Frame",
    "HeadsTrace",
    "State",
    "TokenSequence",
    "WordVectors",
    "__version__",
    "alibi",
    "attend",
    "attend_heads",
    "backward",
    "causal_mask",
    "compute",
    "effective_keys",
    "entropy",
    "figure_svg",
    "load_preset",
    "merge_heads",
    "padding_mask",
    "preset_names",
    "read_file",
    "read_word_vectors",
    "rotary",
    "sinusoidal",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "window_mask",
    "write_file",
]

_HOMES = {
    "attnviz.document.attn_file": ("read_file", "write_file"),
    "attnviz.document.errors": ("DocumentError", "FileError"),
    "attnviz.document.frame": ("Frame", "compute"),
    "attnviz.document.presets": ("load_preset", "preset_names"),
    "attnviz.document.state": ("State",),
    "attnviz.document.tokens": ("TokenSequence",),
    "attnviz.figures.attention_figure": ("figure_svg",),
    "attnviz.sources": ("WordVectors", "read_word_vectors"),
}

if not TYPE_CHECKING:  # a type checker would take every name for a public one

    def __getattr__(name: str) -> object:
        """Load a public name when it is first asked for (PEP 562)."""
        if name not in __all__:
            raise AttributeError(f"module 'attnviz' has no attribute {name!r}")
        home = next((home for home, names in _HOMES.items() if name in names), "attnviz.engine")
        value = globals()[name] = getattr(import_module(home), name)
        return value

    def __dir__() -> list[str]:
        return __all__
