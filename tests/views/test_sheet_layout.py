"""Where words of a sheet stand, with a font in which every character is 10 wide and every line 20 high."""

from __future__ import annotations

from attnviz.views.inspector.sheet_layout import Block, Font, Run, Word, lay_out, links_of

HEIGHTS: dict[Font, int] = {"title": 20, "text": 20, "mono": 20, "result": 20}


def measure(_font: Font, text: str) -> int:
    return 10 * len(text)


def placed(width: int, *blocks: Block) -> list[tuple[str, int, int]]:
    runs, _ = lay_out(blocks, width, measure, HEIGHTS)
    return [(run.text, run.x, run.y) for run in runs]


def runs_of(width: int, *blocks: Block) -> tuple[Run, ...]:
    return lay_out(blocks, width, measure, HEIGHTS)[0]


def test_lines_break_at_blanks() -> None:
    assert placed(70, Block((Word("one two three"),))) == [("one", 0, 0), ("two", 40, 0), ("three", 0, 20)]


def test_number_stays_with_its_brackets() -> None:
    block = Block((Word("= e^("), Word("12", link=1), Word(")")))
    assert placed(60, block) == [("=", 0, 0), ("e^(", 0, 20), ("12", 30, 20), (")", 50, 20)]


def test_link_with_blanks_in_it_stays_in_one_piece() -> None:
    assert placed(80, Block((Word("a "), Word("3 more", link=1)))) == [("a", 0, 0), ("3 more", 20, 0)]


def test_word_wider_than_the_line_is_broken_and_keeps_its_link() -> None:
    runs = runs_of(40, Block((Word("a "), Word("1234567", link="x"))))
    assert [(run.text, run.y, run.link) for run in runs] == [("a", 0, None), ("1234", 20, 0), ("567", 40, 0)]


def test_character_wider_than_the_line_is_written_all_the_same() -> None:
    assert [text for text, _, _ in placed(5, Block((Word("ab"),)))] == ["a", "b"]


def test_gap_stands_above_every_paragraph_but_the_first() -> None:
    one, two = Block((Word("a"),), gap=8), Block((Word("b"),), gap=8)
    assert placed(100, one, two) == [("a", 0, 0), ("b", 0, 28)]
    assert lay_out((one, two), 100, measure, HEIGHTS)[1] == 48


def test_links_are_counted_through_all_paragraphs() -> None:
    blocks = (Block((Word("a", link="A"), Word(" "), Word("b", link="B"))), Block((Word("c", link="C"),)))
    assert links_of(blocks) == ("A", "B", "C")
    assert [run.link for run in runs_of(100, *blocks)] == [0, 1, 2]
