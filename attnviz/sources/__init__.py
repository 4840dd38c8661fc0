"""Real data in: word vectors, masks, pasted rows and matrices, from files that may be huge, damaged or hostile."""

from attnviz.sources.masks import MaskFile, read_mask
from attnviz.sources.matrix_text import numpy_text, parse_matrix
from attnviz.sources.openers import describe, lacks_all, read_word_vectors
from attnviz.sources.records import Cancelled, FileSummary, WordVectors
from attnviz.sources.tables import parse_rows

__all__ = [
    "Cancelled",
    "FileSummary",
    "MaskFile",
    "WordVectors",
    "describe",
    "lacks_all",
    "numpy_text",
    "parse_matrix",
    "parse_rows",
    "read_mask",
    "read_word_vectors",
]
