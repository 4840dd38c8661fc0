"""What an installation holds: the wheel's content, the public names, the built-in help, the desktop's files."""

import configparser
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from packaging.requirements import Requirement

import attnviz
import attnviz.engine
from attnviz.app.actions import ACTIONS
from attnviz.app.help_pages import details
from attnviz.app.menus import MENUS
from attnviz.document.errors import FileError
from attnviz.document.resources import find_resources
from attnviz.document.state import SCALARS
from attnviz.views.panels import PANELS

ROOT = Path(__file__).parent.parent
RESOURCES = ROOT / "resources"
APP_ID = "org.attnviz.attnviz"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORDS = ("query", "key", "value", "score", "weight", "logit", "embedding", "softmax", "entropy")
NOT_IN_THE_PACKAGE = ("desktop/", "screenshot")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=120,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run_python(*arguments: str, path: Path | None = None, cwd: Path | None = None) -> str:
    environment = os.environ | ({} if path is None else {"PYTHONPATH": str(path)})
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment, check=True, capture_output=True, encoding="utf-8", timeout=60
    ).stdout


# The wheel


def test_wheel_holds_every_resource_and_module(unpacked):
    resources = {path.relative_to(RESOURCES).as_posix() for path in RESOURCES.rglob("*") if path.is_file()}
    expected = {f"attnviz/resources/{name}" for name in resources if not name.startswith(NOT_IN_THE_PACKAGE)}
    expected |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "attnviz").rglob("*.py")} | {"attnviz/py.typed"}
    held = {path.relative_to(unpacked).as_posix() for path in (unpacked / "attnviz").rglob("*") if path.is_file()}
    assert held == expected


def test_wheel_brings_the_desktop_files(unpacked):
    share = next(unpacked.glob("attnviz-*.data/data/share"))
    assert {path.relative_to(share).as_posix() for path in share.rglob("*") if path.is_file()} == {
        f"applications/{APP_ID}.desktop",
        f"icons/hicolor/scalable/apps/{APP_ID}.svg",
        f"metainfo/{APP_ID}.metainfo.xml",
        f"mime/packages/{APP_ID}.xml",
    }


def test_wheel_is_small(wheel):
    assert wheel.stat().st_size < 1_000_000


def test_installed_package_finds_its_own_resources(unpacked, tmp_path):
    code = "from attnviz.document.resources import find_resources; print(find_resources())"
    found = run_python("-c", code, path=unpacked, cwd=tmp_path).strip()
    assert Path(found) == (unpacked / "attnviz" / "resources").resolve()


def test_installed_package_renders_a_preset(unpacked, tmp_path):
    run_python("-m", "attnviz", "render", "s1", "-o", "figure.svg", path=unpacked, cwd=tmp_path)
    assert (tmp_path / "figure.svg").read_text("utf-8").startswith("<?xml")


def test_wheel_has_the_command_and_the_licence(unpacked):
    (folder,) = unpacked.glob("attnviz-*.dist-info")
    assert "attnviz = attnviz.cli:main" in (folder / "entry_points.txt").read_text("utf-8")
    assert (folder / "licenses" / "LICENSE").read_text("utf-8").startswith("MIT License")


# Where resources lie


def test_a_checkout_keeps_resources_beside_the_package():
    assert find_resources() == RESOURCES


def test_resources_inside_the_package_come_first(tmp_path):
    for folder in ("package/resources/presets", "resources/presets"):
        (tmp_path / folder).mkdir(parents=True)
    assert find_resources(tmp_path / "package") == tmp_path / "package" / "resources"


def test_missing_resources_are_named(tmp_path):
    with pytest.raises(FileError, match=r"must hold the presets of the program, got no such folder"):
        find_resources(tmp_path)


# Dependencies and version


def test_version_is_said_once_and_the_same():
    assert PROJECT["project"]["version"] == attnviz.__version__
    metainfo = ElementTree.parse(RESOURCES / "desktop" / f"{APP_ID}.metainfo.xml")
    assert metainfo.find("releases/release").get("version") == attnviz.__version__
    assert details().startswith(f"attnviz {attnviz.__version__}\n")


@pytest.mark.parametrize(
    ("python", "qt", "is_allowed"),
    [
        ("3.11", "6.11.3", True),
        ("3.11", "6.12.0", False),
        ("3.12", "6.12.0", True),
        ("3.13", "6.12.0", True),
        ("3.12", "6.9.0", False),
        ("3.11", "6.8.0.2", False),
    ],
)
def test_qt_versions_that_harm_are_excluded(python, qt, is_allowed):
    requirements = map(Requirement, PROJECT["project"]["dependencies"])
    environment = {"python_version": python, "python_full_version": python + ".0"}
    (needed,) = [
        r for r in requirements if r.name == "PySide6-Essentials" and (not r.marker or r.marker.evaluate(environment))
    ]
    assert needed.specifier.contains(qt) is is_allowed


def test_running_dependencies_are_those_declared():
    for text in PROJECT["project"]["dependencies"]:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate():
            assert requirement.specifier.contains(importlib.metadata.version(requirement.name)), text


# The public Python API


def test_every_public_name_is_there_and_listed_for_types():
    listed = set(attnviz.__all__)
    for name in listed:
        assert getattr(attnviz, name) is not None
    source = (ROOT / "attnviz" / "__init__.py").read_text("utf-8")
    for_types = source.partition("if TYPE_CHECKING:\n")[2].partition("\n\n")[0]
    typed = set(re.findall(r"\b\w+\b", re.sub(r"from \S+ import", "", for_types)))
    assert typed == listed - {"__version__"}
    assert attnviz.attend is attnviz.engine.attend
    assert dir(attnviz) == sorted(attnviz.__all__)


def test_another_name_is_refused():
    with pytest.raises(AttributeError, match="module 'attnviz' has no attribute 'attention'"):
        attnviz.attention  # noqa: B018


def test_importing_the_package_imports_neither_numpy_nor_qt():
    code = "import attnviz, sys; print([m for m in ('numpy', 'PySide6', 'pyqtgraph') if m in sys.modules])"
    assert run_python("-c", code) == "[]\n"


def test_no_public_name_imports_qt():
    code = "import sys\nfrom attnviz import *\nprint([m for m in ('PySide6', 'pyqtgraph') if m in sys.modules])"
    assert run_python("-c", code) == "[]\n"


# The built-in help


@pytest.fixture(scope="module")
def help_page():
    return ElementTree.parse(RESOURCES / "help.html").getroot()


HTML = "{http://www.w3.org/1999/xhtml}"


def bold_texts(page):
    return [" ".join("".join(node.itertext()).split()) for node in page.iter(f"{HTML}b")]


def test_help_is_xhtml_and_its_links_lead_somewhere(help_page):
    names = {node.get("name") for node in help_page.iter(f"{HTML}a")} - {None}
    links = {node.get("href") for node in help_page.iter(f"{HTML}a")} - {None}
    assert links == {f"#{name}" for name in names}


def test_help_names_every_menu_and_panel(help_page):
    parts = {part for shown in bold_texts(help_page) for part in shown.split(" > ")}
    first_column = ["".join(row[0].itertext()) for row in next(help_page.iter(f"{HTML}table"))]
    assert first_column == [title.replace("&", "") for path, title, _ in MENUS if "/" not in path]
    assert {title.replace("&", "") for _, title, _ in MENUS} <= parts
    assert {spec.title for spec in PANELS} <= parts


def test_help_names_menu_entries_that_exist(help_page):
    entries = {spec.text.replace("&", "").rstrip("…") for spec in ACTIONS} | {t.replace("&", "") for _, t, _ in MENUS}
    paths = [name.split(" > ") for name in bold_texts(help_page) if " > " in name]
    assert paths
    for path in paths:
        assert set(path) <= entries, path


def test_help_has_one_place_for_each_group_of_settings():
    text = (RESOURCES / "help.html").read_text("utf-8")
    for group in {scalar.group for scalar in SCALARS.values()}:
        assert text.count(f"<!-- settings {group} -->".replace("  ", " ")) == 1
    assert all(scalar.help for scalar in SCALARS.values())


@pytest.mark.parametrize("word", WORDS)
def test_help_explains_the_word(help_page, word):
    glossary = {"".join(row[0].itertext()): "".join(row[1].itertext()) for row in help_page.iter(f"{HTML}tr")}
    assert glossary[word].strip().endswith(".")


# The desktop's files


def test_desktop_entry_opens_documents():
    entry = configparser.RawConfigParser()
    entry.optionxform = str
    entry.read(RESOURCES / "desktop" / f"{APP_ID}.desktop", encoding="utf-8")
    fields = entry["Desktop Entry"]
    mime = ElementTree.parse(RESOURCES / "desktop" / f"{APP_ID}.xml").find("*")
    assert fields["Exec"] == "attnviz %f"
    assert fields["Icon"] == APP_ID
    assert fields["MimeType"] == mime.get("type") + ";"
    assert [node.get("pattern") for node in mime if node.tag.endswith("glob")] == ["*.attn"]


def test_metainfo_names_the_desktop_entry_and_the_type():
    root = ElementTree.parse(RESOURCES / "desktop" / f"{APP_ID}.metainfo.xml").getroot()
    assert root.findtext("id") == APP_ID
    assert root.findtext("launchable") == f"{APP_ID}.desktop"
    assert root.findtext("provides/mediatype") == "application/x-attnviz"
    assert root.findtext("project_license") == PROJECT["project"]["license"]


def test_icons_are_drawn_by_shapes_alone():
    for path in (RESOURCES / "icons").glob("*.svg"):
        root = ElementTree.parse(path).getroot()
        assert root.get("viewBox"), path.name
        tags = {node.tag.rpartition("}")[2] for node in root.iter()}
        assert not tags & {"image", "script", "text"}, path.name
