"""Real data in: word vectors, pasted rows and matrices, from files that may be huge, damaged or hostile."""

from attnviz.sources.matrix_text import numpy_text, parse_matrix
from attnviz.sources.openers import describe, read_word_vectors
from attnviz.sources.records import Cancelled, FileSummary, WordVectors
from attnviz.sources.tables import parse_rows

__all__ = [
    "Cancelled",
    "FileSummary",
    "WordVectors",
    "describe",
    "numpy_text",
    "parse_matrix",
    "parse_rows",
    "read_word_vectors",
]
