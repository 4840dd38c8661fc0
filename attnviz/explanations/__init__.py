"""Why every number is what it is: frame and place in, formula, operands, LaTeX and Python out; no Qt.

A number is named by a :class:`~attnviz.document.number_ref.NumberRef`; its operands carry references of their
own, down to what was typed.
"""

from attnviz.explanations import given, layer, matching, measuring, positioning, projecting, weighing
from attnviz.explanations.explanation import MOST_TERMS, Explanation, exists, explain
from attnviz.explanations.expression import Part, Style, Writer
from attnviz.explanations.kinds import KINDS, Kind
from attnviz.explanations.places import Place, lit_among, place_of

__all__ = [
    "KINDS",
    "MOST_TERMS",
    "Explanation",
    "Kind",
    "Part",
    "Place",
    "Style",
    "Writer",
    "exists",
    "explain",
    "given",
    "layer",
    "lit_among",
    "matching",
    "measuring",
    "place_of",
    "positioning",
    "projecting",
    "weighing",
]
