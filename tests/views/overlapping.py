"""Which painted texts lie over each other: all pairs are compared, of hundreds of texts too."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF


def overlapping(texts: list[tuple[str, QRectF]], leeway: float) -> list[tuple[str, str]]:
    """List the pairs of texts whose boxes share more than ``leeway`` pixels at each side."""
    edges = np.array([(box.left(), box.top(), box.right(), box.bottom()) for _, box in texts]).reshape(-1, 4)
    begins, ends = edges[:, :2] + leeway, edges[:, 2:] - leeway
    begins, ends = np.minimum(begins, ends), np.maximum(begins, ends)  # a box may be narrower than that
    shared = np.maximum(begins[:, np.newaxis], begins) < np.minimum(ends[:, np.newaxis], ends)
    pairs = np.argwhere(np.triu(shared.all(axis=2), k=1)).tolist()
    return [(texts[one][0], texts[other][0]) for one, other in pairs]
