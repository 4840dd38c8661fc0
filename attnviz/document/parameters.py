"""The scalar parameters of a document: for each its name in files, its label, meaning, range and group.

Controls, the file format, the command line and the built-in help iterate them by way of the state's fields.
"""

from __future__ import annotations

from typing import TypeVar

from attnviz.document.scalars import Scalar
from attnviz.engine import (
    ALIGNMENTS,
    MASKING_METHODS,
    MASKS,
    PAIRINGS,
    POSITIONAL_ENCODINGS,
    SCALE_RULES,
    SOFTMAX_VARIANTS,
    Registry,
)

F = TypeVar("F")
CAUSAL = "causal"

MAX_KEY_WIDTH = 1_024
MAX_HEADS = 16
_LARGEST_SEED = 2**31 - 1
_WITH_ANGLES = ("sinusoidal", "rotary")


def _choices(registry: Registry[F], *, but: tuple[str, ...] = ()) -> tuple[tuple[str, str, str], ...]:
    return tuple((choice.name, choice.label, choice.help) for choice in registry.values() if choice.name not in but)


TEMPERATURE = Scalar(
    key="temperature",
    label="Temperature T",
    help="Divides the scores before the softmax: low T sharpens to the winner, high T flattens to uniform.",
    kind="number",
    minimum=1e-12,
    maximum=1e12,
    slider=(0.01, 100.0),
    is_logarithmic=True,
    step=0.05,
    undo_name="Set Temperature",
)
D_K = Scalar(
    key="d_k",
    label="Key width d_k",
    help="The number of columns of W_Q and W_K that act in each head; "
    "beyond the written ones, columns are drawn from a normal distribution with variance 1/d.",
    kind="count",
    minimum=1,
    maximum=MAX_KEY_WIDTH,
    slider=(1, MAX_KEY_WIDTH),
    is_logarithmic=True,
    step=1,
    undo_name="Set d_k",
)
SCALE = Scalar(
    key="scale",
    label="Divide scores by",
    help="What the scores are divided by before the softmax; the paper divides by the root of d_k.",
    kind="choice",
    choices=(
        *_choices(SCALE_RULES),
        ("custom", "custom", "Multiply the scores by a number of your own."),
    ),
    undo_name="Set Scale Rule",
)
CUSTOM_MULTIPLIER = Scalar(
    key="custom_multiplier",
    label="Custom multiplier",
    help="What the scores are multiplied by under the custom scale rule.",
    kind="number",
    minimum=-1e12,
    maximum=1e12,
    step=0.1,
    undo_name="Set Multiplier",
    shown_when=("scale", ("custom",)),
)
SEED = Scalar(
    key="seed",
    label="Seed",
    help="Chooses the columns that are drawn where d_k exceeds the written ones, and learned tables nobody wrote.",
    kind="count",
    minimum=0,
    maximum=_LARGEST_SEED,
    undo_name="New Draw",
)
MASK = Scalar(
    key="mask",
    label="Mask",
    help="Which keys a query may see; banned keys leave before the softmax. Padding tokens are banned besides.",
    kind="choice",
    choices=(
        *_choices(MASKS, but=("padding",)),
        ("custom", "Custom", "Each cell is allowed or banned by hand: paint on the heatmap."),
    ),
    undo_name="Set Mask",
)
ALIGN = Scalar(
    key="align",
    label="Diagonal",
    help="Which key the queries stand at when there are not as many queries as keys.",
    kind="choice",
    choices=_choices(ALIGNMENTS),
    undo_name="Align Mask",
    shown_when=("mask", ("causal", "causal_window", "window", "prefix", "block")),
    group="mask",
)
WINDOW = Scalar(
    key="window",
    label="Window",
    help="A query sees the keys fewer places away than this: 1 is its own place alone.",
    kind="count",
    minimum=1,
    maximum=5_000,
    slider=(1, 64),
    is_logarithmic=True,
    undo_name="Set Window",
    shown_when=("mask", ("window", "causal_window")),
    group="mask",
)
PREFIX = Scalar(
    key="prefix",
    label="Prefix",
    help="The number of leading keys that every query sees.",
    kind="count",
    minimum=1,
    maximum=5_000,
    slider=(1, 64),
    is_logarithmic=True,
    undo_name="Set Prefix",
    shown_when=("mask", ("prefix",)),
    group="mask",
)
BLOCK = Scalar(
    key="block",
    label="Block size",
    help="The number of tokens in a block; a query sees the keys of its own block.",
    kind="count",
    minimum=1,
    maximum=5_000,
    slider=(1, 64),
    is_logarithmic=True,
    undo_name="Set Block Size",
    shown_when=("mask", ("block",)),
    group="mask",
)
MASKING = Scalar(
    key="masking",
    label="Masking acts",
    help="Where the mask acts. Before the softmax is right; the others show what goes wrong.",
    kind="choice",
    choices=_choices(MASKING_METHODS),
    undo_name="Set Masking Method",
    group="mask",
)
SOFTMAX = Scalar(
    key="softmax",
    label="Softmax",
    help="How logits become weights: each row is one budget, or one of the variants.",
    kind="choice",
    choices=_choices(SOFTMAX_VARIANTS),
    undo_name="Set Softmax",
    group="softmax",
)
SINK = Scalar(
    key="sink",
    label="Sink logit",
    help="One more logit per head that takes weight and gives nothing, so that a row may attend to nothing.",
    kind="switch",
    undo_name="Set Sink",
    group="softmax",
)
SOFT_CAP = Scalar(
    key="soft_cap",
    label="Soft cap",
    help="Scaled scores s become cap · tanh(s / cap), which stays within ±cap; 0 switches it off.",
    kind="number",
    minimum=0.0,
    maximum=1e12,
    step=1.0,
    undo_name="Set Soft Cap",
    group="softmax",
)
DROPOUT = Scalar(
    key="dropout",
    label="Dropout",
    help="The share of weights that is dropped by chance; the others are divided by 1 − rate, "
    "so that only the mean keeps the row sum.",
    kind="number",
    minimum=0.0,
    maximum=0.99,
    slider=(0.0, 0.99),
    step=0.05,
    undo_name="Set Dropout",
    group="softmax",
)
DROPOUT_SEED = Scalar(
    key="dropout_seed",
    label="Dropout seed",
    help="Chooses which weights are dropped.",
    kind="count",
    minimum=0,
    maximum=_LARGEST_SEED,
    undo_name="Roll Dropout",
    group="softmax",
)
HEADS = Scalar(
    key="heads",
    label="Heads",
    help="The number of heads; each takes its own channels of Q, K and V, so that it must divide their widths.",
    kind="count",
    minimum=1,
    maximum=MAX_HEADS,
    slider=(1, MAX_HEADS),
    undo_name="Set Heads",
    group="heads",
)
KV_HEADS = Scalar(
    key="kv_heads",
    label="Key/value heads",
    help="The number of heads that keys and values have; several query heads share one. It must divide the heads.",
    kind="count",
    minimum=1,
    maximum=MAX_HEADS,
    slider=(1, MAX_HEADS),
    undo_name="Set Key/Value Heads",
    group="heads",
)
TIE = Scalar(
    key="tie",
    label="Tie W_K to W_Q",
    help="Keys are made by W_Q too, so that no two tokens can each prefer the other to themselves.",
    kind="switch",
    undo_name="Tie W_Q and W_K",
    group="heads",
)
POSITIONS = Scalar(
    key="positions",
    label="Positions",
    help="How the model learns the order of tokens.",
    kind="choice",
    choices=_choices(POSITIONAL_ENCODINGS),
    undo_name="Set Positions",
    group="positions",
)
SHIFT = Scalar(
    key="shift",
    label="Shift all by",
    help="Added to every position: scores under rotary positions and ALiBi must not move.",
    kind="count",
    minimum=-10_000,
    maximum=10_000,
    slider=(-100, 100),
    undo_name="Shift Positions",
    group="positions",
)
BASE = Scalar(
    key="base",
    label="Base",
    help="Channel pair i turns by position · base^(−2i/d).",
    kind="number",
    minimum=1e-3,
    maximum=1e12,
    slider=(10.0, 1e6),
    is_logarithmic=True,
    step=0.1,
    undo_name="Set Base",
    shown_when=("positions", _WITH_ANGLES),
    group="positions",
)
PAIRING = Scalar(
    key="pairing",
    label="Pairing",
    help="Which two channels turn together; both are in use, and weights belong to one of them.",
    kind="choice",
    choices=_choices(PAIRINGS),
    undo_name="Set Pairing",
    shown_when=("positions", ("rotary",)),
    group="positions",
)
ROTARY_WIDTH = Scalar(
    key="rotary_width",
    label="Turned channels",
    help="The number of leading channels of a head that are turned, an even number; 0 turns all.",
    kind="count",
    minimum=0,
    maximum=MAX_KEY_WIDTH,
    undo_name="Set Turned Channels",
    shown_when=("positions", ("rotary",)),
    group="positions",
)
BUCKETS = Scalar(
    key="buckets",
    label="Buckets",
    help="The number of buckets that distances are sorted into, an even number; each has a learned bias per head.",
    kind="count",
    minimum=2,
    maximum=256,
    undo_name="Set Buckets",
    shown_when=("positions", ("relative",)),
    group="positions",
)
MAX_DISTANCE = Scalar(
    key="max_distance",
    label="Farthest distance",
    help="From here on all distances share the last bucket.",
    kind="count",
    minimum=2,
    maximum=100_000,
    undo_name="Set Distance",
    shown_when=("positions", ("relative",)),
    group="positions",
)
BIDIRECTIONAL = Scalar(
    key="bidirectional",
    label="Buckets ahead",
    help="Keys after the query have buckets of their own; otherwise they all share the first one.",
    kind="switch",
    undo_name="Set Buckets Ahead",
    shown_when=("positions", ("relative",)),
    group="positions",
)
CAUSAL_SWITCH = Scalar(
    key=CAUSAL,
    label="Causal mask",
    help="Each query sees the keys up to its own place only; the same as the mask of this name.",
    kind="switch",
    undo_name="Set Causal Mask",
    group="mask",
)
