"""SVG is written escaped and short."""

import xml.etree.ElementTree as ET

import pytest

from attnviz.figures.svg import document, element, number, text


@pytest.mark.parametrize("shown", ["<s>", "R&D", "</text>", "a]]>b", '"x"', "'y'", "▁the", "שלום", "a  b"])
def test_text_comes_back_as_it_was(shown):
    read = ET.fromstring(text(1, 2, shown, size=10, fill="#000000"))
    assert read.text.replace("\u00a0", " ") == shown


def test_shortened_text_tells_the_whole_in_a_title():
    read = ET.fromstring(text(0, 0, "abc…", whole="abcdef", size=10, fill="#000000"))
    assert read.find("title").text == "abcdef"
    assert "".join(read.itertext()).endswith("abc…")


def test_attribute_values_are_escaped():
    assert ET.fromstring(element("a", name='"<&>')).get("name") == '"<&>'


def test_coordinates_have_at_most_two_decimals():
    assert [number(x) for x in (1.0, 1.239, -0.004, 100.5)] == ["1", "1.24", "0", "100.5"]


def test_turned_text_runs_upwards():
    read = ET.fromstring(text(5, 6, "x", size=10, fill="#000000", turned=True))
    assert read.get("transform").startswith("rotate(-90 ")


def test_document_names_its_size_and_title():
    root = ET.fromstring(document(20, 10, "A & B", "what it is", ["<g/>"]).encode())
    assert (root.get("width"), root.get("viewBox")) == ("20", "0 0 20 10")
    assert root[0].text == "A & B"
