"""The mathematics of attention: arrays in, frozen records with every intermediate out; NumPy only."""

from attnviz.engine.attention import attend
from attnviz.engine.distances import alibi, alibi_slopes, relative_buckets
from attnviz.engine.encodings import POSITIONAL_ENCODINGS, PositionEffect, PositionRequest, score_parts
from attnviz.engine.gradients import AttentionGradients, backward
from attnviz.engine.heads import HeadsTrace, Rotary, attend_heads, merge_heads, split_heads
from attnviz.engine.mask_choices import MASKS, MaskRequest
from attnviz.engine.masking import MASKING_METHODS
from attnviz.engine.masks import (
    ALIGNMENTS,
    block_mask,
    causal_mask,
    causal_offset,
    padding_mask,
    prefix_mask,
    window_mask,
)
from attnviz.engine.measures import effective_keys, entropy
from attnviz.engine.normalise import SOFTMAX_VARIANTS, softmax, softmax_jacobian
from attnviz.engine.positions import (
    PAIRINGS,
    rotary,
    sinusoidal,
    sinusoidal_at,
)
from attnviz.engine.registry import Choice, Registry, UnknownChoiceError
from attnviz.engine.scales import SCALE_RULES, full_multiplier, scale_factor
from attnviz.engine.streaming import StreamedAttention, stream
from attnviz.engine.trace import AttentionOptions, AttentionTrace

__all__ = [
    "ALIGNMENTS",
    "MASKING_METHODS",
    "MASKS",
    "PAIRINGS",
    "POSITIONAL_ENCODINGS",
    "SCALE_RULES",
    "SOFTMAX_VARIANTS",
    "AttentionGradients",
    "AttentionOptions",
    "AttentionTrace",
    "Choice",
    "HeadsTrace",
    "MaskRequest",
    "PositionEffect",
    "PositionRequest",
    "Registry",
    "Rotary",
    "StreamedAttention",
    "UnknownChoiceError",
    "alibi",
    "alibi_slopes",
    "attend",
    "attend_heads",
    "backward",
    "block_mask",
    "causal_mask",
    "causal_offset",
    "effective_keys",
    "entropy",
    "full_multiplier",
    "merge_heads",
    "padding_mask",
    "prefix_mask",
    "relative_buckets",
    "rotary",
    "scale_factor",
    "score_parts",
    "sinusoidal",
    "sinusoidal_at",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "stream",
    "window_mask",
]
