"""The list of all panels: docks, menus and the tests of every panel iterate it."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.views.compare.compare_view import CompareView
from attnviz.views.controls.view import ControlsView
from attnviz.views.derivation.view import DerivationView
from attnviz.views.film.film_view import FilmView
from attnviz.views.heads.heads_view import HeadsView
from attnviz.views.heatmaps import ScoresView, WeightsView
from attnviz.views.inspector.inspector_view import InspectorView
from attnviz.views.mask.mask_view import MaskView
from attnviz.views.matrices.matrices_view import MatricesView
from attnviz.views.panel import Panel
from attnviz.views.permutation.permutation_view import PermutationView
from attnviz.views.plane.view import PlaneView
from attnviz.views.positions.positions_view import PositionsView
from attnviz.views.stages.stages_view import StagesView
from attnviz.views.table.table_view import TableView
from attnviz.views.tokens.view import TokensView


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """One panel of the window.

    Parameters
    ----------
    name : str
        Its identifier: object name of the dock, key in the saved layout.
    title : str
        What the title bar and the menu say.
    kind : type of Panel
        The class; it is built with the shared selection.
    help : str
        One sentence for the menu's status tip and for What's This.
    is_shown_first : bool
        Whether it is part of the first layout; otherwise the menu brings it.
    beside : tuple of str
        The panels that a presentation can show to the right of it.
    """

    name: str
    title: str
    kind: type[Panel]
    help: str
    is_shown_first: bool = True
    beside: tuple[str, ...] = ()


PANELS = (
    PanelSpec(
        "tokens",
        "Tokens",
        TokensView,
        "The tokens and their embeddings, as a sentence and as a table.",
        beside=("weights",),
    ),
    PanelSpec(
        "controls",
        "Controls",
        ControlsView,
        "Temperature, key width, scale rule and mask.",
        beside=("weights", "plane"),
    ),
    PanelSpec(
        "plane",
        "Plane",
        PlaneView,
        "Embeddings as dots to drag, outputs as outlines, weights as lines.",
        beside=("weights", "scores"),
    ),
    PanelSpec("scores", "Scores", ScoresView, "How well each query matches each key.", beside=("weights",)),
    PanelSpec("weights", "Weights", WeightsView, "How each query shares its attention among the keys."),
    PanelSpec("derivation", "Why?", DerivationView, "The chosen weight step by step, with the real numbers."),
    PanelSpec(
        "film",
        "Film",
        FilmView,
        "One forward pass step by step, to play and scrub.",
        is_shown_first=False,
        beside=("weights", "plane"),
    ),
    PanelSpec(
        "stages",
        "Stages",
        StagesView,
        "Every matrix of the pass, small and linked.",
        is_shown_first=False,
        beside=("weights",),
    ),
    PanelSpec(
        "inspector",
        "Inspector",
        InspectorView,
        "Any number, and where it comes from.",
        is_shown_first=False,
        beside=("weights",),
    ),
    PanelSpec(
        "table",
        "Table",
        TableView,
        "Any matrix as a table, to sort and to copy.",
        is_shown_first=False,
        beside=("weights",),
    ),
    PanelSpec(
        "mask",
        "Mask",
        MaskView,
        "Which keys a query may see, where the mask acts, and how logits become weights.",
        is_shown_first=False,
        beside=("weights",),
    ),
    PanelSpec(
        "heads",
        "Heads",
        HeadsView,
        "Every head, small; one of them is shown by the other panels.",
        is_shown_first=False,
        beside=("weights",),
    ),
    PanelSpec(
        "positions",
        "Positions",
        PositionsView,
        "How the model learns the order of tokens.",
        is_shown_first=False,
        beside=("weights", "scores"),
    ),
    PanelSpec(
        "compare",
        "Compare",
        CompareView,
        "A state that was held as A beside the present one, and their difference.",
        is_shown_first=False,
    ),
    PanelSpec(
        "matrices",
        "Matrices",
        MatricesView,
        "W_Q, W_K and W_V as numbers to type, to scrub and to shape.",
        is_shown_first=False,
        beside=("plane", "weights"),
    ),
    PanelSpec(
        "permutation",
        "Permutation",
        PermutationView,
        "What another order of the tokens does to the outputs.",
        is_shown_first=False,
        beside=("weights",),
    ),
)
