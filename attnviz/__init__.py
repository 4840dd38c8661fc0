"""attnviz: take the attention mechanism apart with your own hands."""

__version__ = "0.1.0"
