"""One forward pass as a film: steps found by arithmetic, each with its caption and what there is to draw; no Qt."""

from attnviz.film.captions import caption
from attnviz.film.picture import picture
from attnviz.film.records import Area, Arrows, Axis, Bars, Block, FilmPicture, Levels
from attnviz.film.script import CHAPTERS, Chapter, Script
from attnviz.film.steps import PARTS, Part, Reach, Stage, Step, Unit

__all__ = [
    "CHAPTERS",
    "PARTS",
    "Area",
    "Arrows",
    "Axis",
    "Bars",
    "Block",
    "Chapter",
    "FilmPicture",
    "Levels",
    "Part",
    "Reach",
    "Script",
    "Stage",
    "Step",
    "Unit",
    "caption",
    "picture",
]
