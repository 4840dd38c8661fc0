"""Writing SVG: elements with escaped text and attributes, and nothing a plain reader of SVG would miss.

Only what SVG Tiny 1.2 knows is used (no style sheet, pattern or baseline alignment), so that browsers, editors
and Qt draw the same picture.
"""

from __future__ import annotations

from html import escape

SANS = "sans-serif"
MONOSPACED = "monospace"

_BASELINE = 0.36  # half the height of a capital, as a share of the font size


def number(value: float) -> str:
    """Write a coordinate with at most two decimals.

    Examples
    --------
    >>> number(12.0), number(0.126), number(-0.001)
    ('12', '0.13', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, /, *content: str, **attributes: str | float) -> str:
    """Write one element.

    Parameters
    ----------
    name : str
        Its name.
    content : str
        What stands inside: SVG already written.
    attributes : str or float
        Its attributes; ``_`` in a name stands for ``-``, a trailing one is dropped. Values are escaped.

    Returns
    -------
    str
        The element.

    Examples
    --------
    >>> element("rect", x=1.5, stroke_width=2)
    '<rect x="1.5" stroke-width="2"/>'
    """
    written = "".join(f' {_attribute(key)}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(content)}</{name}>" if content else f"<{name}{written}/>"


def text(
    x: float,
    y: float,
    shown: str,
    *,
    size: float,
    fill: str,
    anchor: str = "start",
    turned: bool = False,
    whole: str | None = None,
    **attributes: str | float,
) -> str:
    """Write one line of text whose middle is at height ``y``.

    Parameters
    ----------
    x, y : float
        Where it starts, or with ``anchor`` where its middle or end is.
    shown : str
        The characters; they are escaped.
    size : float
        The font size in pixels.
    fill : str
        The colour.
    anchor : {"start", "middle", "end"}
        Which part of the text is at ``x``.
    turned : bool
        Whether it runs upwards.
    whole : str, optional
        The text before it was shortened, told by a viewer that shows titles.
    attributes : str or float
        Further attributes, as for :func:`element`.

    Returns
    -------
    str
        The element.
    """
    shift = baseline(size)
    place: dict[str, str | float] = {"x": x + shift if turned else x, "y": y if turned else y + shift}
    if turned:
        place["transform"] = f"rotate(-90 {number(x + shift)} {number(y)})"
    if anchor != "start":
        place["text_anchor"] = anchor
    title = [] if whole is None or whole == shown else [element("title", characters(whole))]
    return element("text", *title, characters(shown), **place, font_size=size, fill=fill, **attributes)


def baseline(size: float) -> float:
    """Give how far the baseline of a line of text lies below its middle."""
    return _BASELINE * size


def characters(shown: str) -> str:
    """Escape characters for the content of an element; runs of blanks are kept as no-break spaces."""
    return escape(shown, quote=False).replace("  ", "\u00a0 ")


def document(width: float, height: float, title: str, description: str, content: list[str]) -> str:
    """Write a whole file.

    Parameters
    ----------
    width, height : float
        The size in pixels.
    title, description : str
        What the picture is, for screen readers and indexers.
    content : list of str
        Its elements, back to front.

    Returns
    -------
    str
        The text of the file, to be written in UTF-8.
    """
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    opening = f'<svg {namespaces} {size} role="img" font-family="{SANS}">'
    about = [element("title", characters(title)), element("desc", characters(description))]
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', opening, *about, *content, "</svg>", ""])


def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)
