"""The README tells the truth: its commands run, its tables agree with the program, its examples are doctests."""

import doctest
import io
import re
import shlex
import struct
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QKeySequence

import attnviz
from attnviz import cli
from attnviz.app.actions import ACTIONS
from attnviz.arguments import COMMANDS, FORMATS
from attnviz.cli import main
from attnviz.document import attn_file, attn_reader, state, tokens
from attnviz.document.frame import compute
from attnviz.document.presets import preset_names
from attnviz.document.state import SCALARS
from attnviz.environment import Surroundings, missing_libraries
from attnviz.figures.numbers import frame_as_npz
from attnviz.sources import collector
from tests.document.states import cross_state

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def block(mark: str) -> str:
    """Give the code block after a mark."""
    found = re.search(rf"<!-- {mark} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found, mark
    return found[1]


def table(mark: str) -> list[list[str]]:
    """Give the cells of the table after a mark, without its two head lines."""
    lines = README.partition(f"<!-- {mark} -->\n")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def coded(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# Installing


@pytest.mark.parametrize("mark", ["window command", "test command"])
def test_installing_is_one_line_that_makes_its_own_environment(mark):
    command = block(mark)
    assert command.count("\n") == 1
    parts = [shlex.split(part) for part in command.split("&&")]
    assert parts[0] == ["python3", "-m", "venv", ".venv"]
    assert parts[1][:4] == [".venv/bin/python", "-m", "pip", "install"]
    assert all(part[0].startswith(".venv/bin/") for part in parts[1:])


def test_the_commands_are_near_the_top():
    assert README.index("<!-- test command -->") < 2_000


def test_ci_runs_the_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert 'readme_command "test command"' in script
    assert '".[test]"' in block("test command")


def test_ci_installs_pytorch_as_the_readme_says_and_refuses_skipped_tests():
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    extras = '-e ".[test,torch]"'
    assert f"pip install {extras}" in README
    assert f"pip install -q {extras}" in script
    assert 'pytest -q -p no:cacheprovider tests/engine/test_torch_live.py\nif [ "$(counted skipped)" -ne 0 ]' in script


def test_apt_line_names_every_library_that_doctor_looks_for():
    bare = Surroundings("Linux", (3, 12, 0), {}, lambda _: False, lambda _: None)
    needed = set(missing_libraries(bare, ("offscreen", "xcb", "wayland")).values())
    listed = set(shlex.split(block("apt command"))[3:])
    assert needed <= listed
    assert listed - needed == {"python3-venv", "fonts-dejavu-core"}
    assert listed - {"python3-venv"} <= set(re.findall(r"[\w.-]+", (ROOT / ".ci" / "run").read_text("utf-8")))


# The command line


def test_every_command_of_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in block("commands").splitlines():
        program, *arguments = shlex.split(line)
        assert program == "attnviz"
        assert main(arguments) == 0, line
        assert (tmp_path / arguments[arguments.index("-o") + 1]).stat().st_size > 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_listed(command, capsys):
    shown = " ".join(coded(README.partition("## Command line")[2].partition("<!-- settings -->")[0]))
    with pytest.raises(SystemExit):
        main([command, "--help"])
    options = re.findall(r"(?<![\w-])--?[a-z]+", capsys.readouterr().out.partition("settings:")[0])
    assert f"attnviz {command}" in shown
    assert set(options) - {"-h", "--help"} <= set(re.findall(r"--?[a-z]+", shown))


def test_formats_presets_and_exit_codes_are_those_of_the_program():
    section = README.partition("## Command line")[2].partition("## Documents")[0]
    assert set(re.findall(r"`\.(\w+)`", section)) == set(FORMATS)
    assert "s1-cat-dog-phone" in preset_names()
    codes = [int(code) for code in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)]
    assert codes == [cli.SUCCESS, cli.FAILURE, cli.USAGE, cli.ENVIRONMENT, cli.BAD_FILE, cli.INTERRUPTED]


def test_settings_are_the_scalars_of_a_document():
    rows = {coded(name)[0]: values for name, _, values, _ in table("settings")}
    assert list(rows) == [scalar.key for scalar in SCALARS.values()]
    for scalar in SCALARS.values():
        if scalar.kind == "choice":
            assert coded(rows[scalar.key]) == [name for name, _, _ in scalar.choices]
        elif scalar.kind != "switch":
            low, high = map(float, rows[scalar.key].split(" to "))
            assert (low, high) == (scalar.minimum, scalar.maximum)


def test_numbers_are_those_that_are_written(tmp_path):
    told = set(coded(README.partition("The numbers are ")[2].partition("every float exact")[0]))
    path = tmp_path / "numbers.npz"
    assert main(["render", "s4", "-o", str(path)]) == 0
    with np.load(path) as written:
        names = set(written)
    assert names - {scalar.key for scalar in SCALARS.values()} == told


def test_numbers_of_richer_layers_are_told_too():
    told = set(coded(README.partition("The numbers are ")[2].partition("## Documents")[0]))
    ones = {"b_q": np.ones(4), "b_k": np.ones(4), "b_v": np.ones(4), "w_o": np.eye(4), "b_o": np.ones(4)}
    fields = {"mask": "causal", "dropout": 0.1, "has_sink": True, "n_heads": 2, "d_k": 2, **ones}
    for positions in ("sinusoidal", "alibi"):
        frame = compute(cross_state(3, 5, 4, positions=positions, **fields))
        with np.load(io.BytesIO(frame_as_npz(frame))) as written:
            assert set(written) - {scalar.key for scalar in SCALARS.values()} <= told


# Documents


def test_the_document_of_the_readme_is_read_and_written_to_the_same_bytes():
    data = block("document").encode()
    assert attn_file.encode(attn_file.decode(data, "README.md")) == data


def test_every_field_of_a_document_is_described():
    section = README.partition("<!-- document -->")[2].partition("Nothing is guessed")[0]
    fields = {name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in coded(row)}
    parts = {"sequence.tokens", "sequence.embeddings", "plane.centre", "plane.axes", "plane.explained"}
    parts |= {f"interventions.{part}" for part in ("number", "row", "column", "value", "head")}
    parts |= {"snapshots.name", "snapshots.state"}
    assert fields == set(attn_reader._FIELDS) | parts


@pytest.mark.parametrize(
    "claim",
    [
        f"{attn_file.MAX_BYTES // 2**20} MiB",
        f"1 to {tokens.MAX_TOKENS:,} names",
        f"1 to {tokens.MAX_TOKEN_LENGTH:,} characters",
        f"width d, 1 to {tokens.MAX_WIDTH:,}",
        f"1 to {state.MAX_KEY_WIDTH}",
        f"at most {collector.ROW_LIMIT:,}",
        f"at most {collector.DIMENSION_LIMIT:,} numbers",
        f"most\n{collector.SIZE_LIMIT // 2**30} GiB",
    ],
)
def test_limits_are_those_of_the_program(claim):
    assert claim in README


# Python, shortcuts, picture


def test_python_example():
    example = doctest.DocTestParser().get_doctest(block("doctest"), {}, "README", "README.md", 0)
    assert len(example.examples) > 5
    assert doctest.DocTestRunner().run(example).failed == 0


def test_python_names_are_public():
    section = README.partition("## Python")[2].partition("## Shortcuts")[0]
    assert set(re.findall(r"attnviz\.(\w+)", section)) <= set(attnviz.__all__)


def test_shortcuts_are_those_of_the_actions(qapp):
    listed = {(menu, entry): coded(keys) for menu, entry, keys in table("shortcuts")}
    expected = {}
    for spec in ACTIONS:
        keys = [QKeySequence.keyBindings(k) if not isinstance(k, str) else [QKeySequence(k)] for k in spec.keys]
        names = {sequence.toString(QKeySequence.SequenceFormat.PortableText) for found in keys for sequence in found}
        if spec.keys:
            expected[spec.menu.partition("/")[0], spec.text.replace("&", "").rstrip("…")] = names
    assert listed.keys() == expected.keys()
    for entry, keys in listed.items():
        assert keys, entry
        assert set(keys) <= expected[entry], entry


def test_enter_chooses_a_number_and_pins_none():
    assert "Enter chooses the cell" in README
    assert not re.search(r"(Enter|click)\w* pins", README)


def test_the_picture_is_there_and_small():
    (path,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    data = (ROOT / path).read_bytes()
    assert len(data) < 200_000
    assert struct.unpack(">II", data[16:24]) == (1280, 800)


def test_links_lead_to_files():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).is_file(), target
