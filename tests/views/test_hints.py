"""Tooltips show text as it is."""

from attnviz.views.hints import plain_tooltip


def test_tooltip_shows_markup_as_text() -> None:
    assert "&lt;s&gt; &amp;" in plain_tooltip("<s> &")
