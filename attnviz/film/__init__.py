"""One forward pass as a film: steps found by arithmetic, each with its caption and what there is to draw; no Qt."""

from attnviz.film.captions import caption
from attnviz.film.links import lit_areas, number_in
from attnviz.film.picture import picture
from attnviz.film.records import Area, Arrows, Axis, Bars, Block, FilmPicture, Levels, Origin
from attnviz.film.script import CHAPTERS, Chapter, Script, script_of
from attnviz.film.steps import LAYER_PARTS, PARTS, Part, Reach, Stage, Step, Unit

__all__ = [
    "CHAPTERS",
    "LAYER_PARTS",
    "PARTS",
    "Area",
    "Arrows",
    "Axis",
    "Bars",
    "Block",
    "Chapter",
    "FilmPicture",
    "Levels",
    "Origin",
    "Part",
    "Reach",
    "Script",
    "Stage",
    "Step",
    "Unit",
    "caption",
    "lit_areas",
    "number_in",
    "picture",
    "script_of",
]
