"""The mathematics of attention: arrays in, frozen records with every intermediate out; NumPy only."""

from attnviz.engine.attention import attend
from attnviz.engine.masking import MASKING_METHODS
from attnviz.engine.masks import ALIGNMENTS, causal_mask, causal_offset
from attnviz.engine.measures import effective_keys, entropy
from attnviz.engine.normalise import SOFTMAX_VARIANTS, softmax
from attnviz.engine.registry import Choice, Registry, UnknownChoiceError
from attnviz.engine.scales import SCALE_RULES, full_multiplier, scale_factor
from attnviz.engine.streaming import StreamedAttention, stream
from attnviz.engine.trace import AttentionOptions, AttentionTrace

__all__ = [
    "ALIGNMENTS",
    "MASKING_METHODS",
    "SCALE_RULES",
    "SOFTMAX_VARIANTS",
    "AttentionOptions",
    "AttentionTrace",
    "Choice",
    "Registry",
    "StreamedAttention",
    "UnknownChoiceError",
    "attend",
    "causal_mask",
    "causal_offset",
    "effective_keys",
    "entropy",
    "full_multiplier",
    "scale_factor",
    "softmax",
    "stream",
]
