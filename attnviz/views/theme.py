"""The colours of the window, light and dark: one record a theme, read by every panel.

A theme is plain text colours, so that a test can compute every contrast, and a widget can make of it
what it needs (pen, brush, look-up table).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours one appearance of the window is drawn in, as ``#rrggbb``.

    Text colours (``text``, ``muted``, ``accent_text``, ``warning`` and all token and role colours) stand
    on ``panel`` and ``inset`` with a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
    """

    name: str
    is_dark: bool
    ground: str
    panel: str
    inset: str
    border: str
    grid: str
    text: str
    muted: str
    accent: str
    accent_text: str
    accent_soft: str
    on_accent: str
    warning: str
    hatch: str
    tokens: tuple[str, ...]
    query: str
    key: str
    value: str
    # Ends and middle of the colour maps: weights run low -> high, scores negative -> middle -> positive.
    weight_map: tuple[str, ...]
    score_map: tuple[str, ...]

    def token(self, index: int) -> str:
        """Give the colour of the token at ``index``, the same in every panel."""
        return self.tokens[index % len(self.tokens)]


DARK = Theme(
    name="dark",
    is_dark=True,
    ground="#16181c",
    panel="#1e2126",
    inset="#16181c",
    border="#353a42",
    grid="#282c33",
    text="#e8eaed",
    muted="#a3abb5",
    accent="#fbbf24",
    accent_text="#fbbf24",
    accent_soft="#453a20",
    on_accent="#15181c",
    warning="#ff8f8f",
    hatch="#4a515b",
    tokens=("#f08aa5", "#e0b94a", "#7fb0f5", "#5fcfa8", "#c3a0f5", "#f2986b", "#8fd6f0", "#c7cc70"),
    query="#6cc3ff",
    key="#ffa95c",
    value="#7ddf9a",
    weight_map=("#1e2126", "#1b3a63", "#2168a5", "#4d9bd8", "#9bcdf0", "#e3f2fc"),
    score_map=("#f79a48", "#8a5b33", "#1e2126", "#46698f", "#7fb4f5"),
)

LIGHT = Theme(
    name="light",
    is_dark=False,
    ground="#f4f4f1",
    panel="#ffffff",
    inset="#f4f4f1",
    border="#dddcd6",
    grid="#ecebe6",
    text="#1c2024",
    muted="#5f666d",
    accent="#d97706",
    accent_text="#a34f00",
    accent_soft="#f9e8d2",
    on_accent="#ffffff",
    warning="#b3261e",
    hatch="#b9b8b1",
    tokens=("#b03a5b", "#8a6a00", "#2a5fb0", "#0b7461", "#7446b8", "#b0491a", "#1a6f8c", "#5f6a0a"),
    query="#0b66b0",
    key="#a34a00",
    value="#12703a",
    weight_map=("#ffffff", "#cfe3f3", "#8dbfe0", "#4a93c8", "#1c5fa0", "#0a2f66"),
    score_map=("#b4540a", "#e0b48c", "#ffffff", "#9db9de", "#2158ac"),
)

THEMES = {"light": LIGHT, "dark": DARK}
