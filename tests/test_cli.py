"""The command line as a user meets it: what it prints where, what it writes, and its exit codes."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attnviz import __version__
from attnviz.arguments import FORMATS
from attnviz.cli import main
from attnviz.document.attn_file import write_file
from attnviz.document.presets import load_preset, preset_names
from attnviz.document.resources import find_resources
from attnviz.document.state import SCALARS

HIDDEN = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
NO_SCREEN = {name: value for name, value in os.environ.items() if name not in HIDDEN}


def attnviz(*arguments: object, before: str = "", **options: object) -> subprocess.CompletedProcess[str]:
    code = f"import sys; from attnviz.cli import main\n{before}\nsys.exit(main())"
    options = {"capture_output": True, "text": True, "timeout": 60, "env": NO_SCREEN, "encoding": "utf-8"} | options
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=False, **options)


def refused(status: int, *arguments: object, **options: object) -> str:
    done = attnviz(*arguments, **options)
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def in_process(monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    for name in HIDDEN[:2]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    return main


@pytest.fixture
def refused_here(in_process, capsys, monkeypatch, tmp_path):
    """The same as ``refused``, in this process: many cases in the time of one."""
    monkeypatch.chdir(tmp_path)

    def run(status: int, *arguments: str) -> str:
        try:
            code = in_process(list(arguments))
        except SystemExit as leaving:
            code = leaving.code
        told = capsys.readouterr()
        assert (code, told.out) == (status, ""), told.err
        return told.err

    return run


@pytest.fixture
def numbers(in_process, tmp_path):
    def render(*arguments: str) -> dict[str, object]:
        path = tmp_path / "numbers.json"
        assert in_process(["render", *arguments, "-o", str(path)]) == 0
        return json.loads(path.read_text("utf-8"))

    return render


# Answers at once


def test_version_is_a_result():
    done = attnviz("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"attnviz {__version__}\n", "")


def test_help_names_commands_and_exit_codes():
    done = attnviz("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("presets", "render", "screenshot", "doctor", "130 interrupted"):
        assert word in done.stdout


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_neither_numpy_nor_qt(option):
    tell = "import atexit; atexit.register(lambda: print([m for m in ('numpy', 'PySide6') if m in sys.modules]))"
    assert attnviz(option, before=tell).stdout.endswith("[]\n")


def test_help_of_render_lists_every_setting():
    told = attnviz("render", "--help").stdout
    for scalar in SCALARS.values():
        assert f"  {scalar.key}: " in told


def test_the_module_runs_as_the_command_does():
    done = subprocess.run([sys.executable, "-m", "attnviz", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"attnviz {__version__}\n"


# Presets and numbers


def test_presets_lists_names_and_titles_as_a_result():
    done = attnviz("presets")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split(maxsplit=1)[0] == "s1-cat-dog-phone"
    assert len(done.stdout.splitlines()) >= 6


def test_scene_1(numbers):
    read = numbers("s1")
    assert read["tokens"] == ["cat", "dog", "phone"]
    np.testing.assert_allclose(read["scores"], [[1.25, 1.10, 0.00], [1.10, 1.00, 0.20], [0.00, 0.20, 1.25]], atol=1e-12)
    np.testing.assert_allclose(read["scaled"], [[0.884, 0.778, 0], [0.778, 0.707, 0.141], [0, 0.141, 0.884]], atol=5e-4)
    np.testing.assert_allclose(
        read["weights"],
        [[0.432425, 0.388908, 0.178667], [0.406351, 0.378610, 0.215039], [0.218714, 0.251938, 0.529348]],
        atol=5e-7,
    )
    np.testing.assert_allclose(
        read["output"], [[0.654218, 0.628224], [0.601719, 0.645381], [0.155590, 0.789868]], atol=5e-7
    )


def test_scene_2(numbers):
    read = numbers("s2")
    tokens = read["context_tokens"] or read["tokens"]
    row = read["tokens"].index("sat")
    assert tokens == ["the", "cat", "sat", "mat"]
    np.testing.assert_allclose(read["scores"][row], [0, 3, 1, 2], atol=1e-12)
    np.testing.assert_allclose(read["weights"][row], [0.06, 0.54, 0.13, 0.27], atol=6e-3)


def test_scene_3(numbers):
    read = numbers("s3", "--set", "temperature=1")
    np.testing.assert_allclose(np.array(read["weights"][0]) * 100, [5.5, 74.3, 2.5, 13.6, 4.1], atol=0.05)
    sharp = numbers("s3", "--set", "temperature=0.05")
    assert sharp["weights"][0][1] > 0.999999
    flat = numbers("s3", "--set", "temperature=100000")
    np.testing.assert_allclose(flat["weights"][0], 0.2, atol=1e-4)


def test_scene_4(numbers):
    read = numbers("s4")
    np.testing.assert_allclose(read["scaled"][0], [5, 2, 1], atol=1e-12)
    np.testing.assert_allclose(read["weights"][0], [0.936, 0.047, 0.017], atol=5e-4)


def test_scene_5(numbers):
    read = numbers("s5")
    np.testing.assert_allclose(read["scaled"][0], [2.887, 1.155, 0.577], atol=5e-4)
    np.testing.assert_allclose(read["weights"][0], [0.7836, 0.1386, 0.0778], atol=5e-5)
    np.testing.assert_allclose(read["output"][0], [8.225, 1.775], atol=5e-4)


def test_settings_act(numbers):
    read = numbers("s1", "--set", "temperature=0.5", "--set", "causal=true")
    assert read["settings"]["temperature"] == 0.5
    assert read["weights"][0] == [1.0, 0.0, 0.0]
    assert read["multiplier"] == pytest.approx(2 / 2**0.5)


def test_every_scalar_can_be_set(numbers):
    values = {"number": "0.75", "count": "2", "switch": "true"}  # of s1, two heads fit the width of 2
    for scalar in SCALARS.values():
        value = scalar.choices[-1][0] if scalar.kind == "choice" else values[scalar.kind]
        value = "1" if scalar.key == "kv_heads" else value
        assert numbers("s1", "--set", f"{scalar.key}={value}")["settings"][scalar.key] == scalar.parse(value)


# Files


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_written(kind, tmp_path):
    path = tmp_path / f"out.{kind}"
    done = attnviz("render", "s1", "-o", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "json": b"{", "csv": b"matrix,", "npz": b"PK"}
    assert path.read_bytes().startswith(begins[kind])


def test_only_pixels_import_qt(tmp_path):
    tell = "import atexit; atexit.register(lambda: print('PySide6' in sys.modules))"
    for kind in ("svg", "json", "csv", "npz"):
        assert attnviz("render", "s1", "-o", tmp_path / f"a.{kind}", before=tell).stdout == "False\n"
    assert attnviz("render", "s1", "-o", tmp_path / "a.png", before=tell).stdout == "True\n"


def test_png_has_the_size_of_the_svg_times_the_scale(tmp_path):
    for scale in ("1", "2", "0.5"):
        attnviz("render", "s1", "-o", tmp_path / f"{scale}.png", "--scale", scale)
    sizes = [struct.unpack(">II", (tmp_path / f"{s}.png").read_bytes()[16:24]) for s in ("1", "2", "0.5")]
    assert sizes[1] == (2 * sizes[0][0], 2 * sizes[0][1])
    assert abs(sizes[2][0] - sizes[0][0] / 2) <= 1


def test_a_file_is_rendered_like_a_preset(tmp_path):
    write_file(load_preset("s1"), tmp_path / "mine.attn")
    attnviz("render", tmp_path / "mine.attn", "-o", tmp_path / "a.svg")
    attnviz("render", "s1", "-o", tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_dash_writes_to_standard_output():
    done = attnviz("render", "s1", "-o", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("<?xml")
    assert json.loads(attnviz("render", "s1", "-o", "-", "--format", "json").stdout)["tokens"][0] == "cat"


def test_theme_and_stage_change_the_figure(tmp_path):
    light = attnviz("render", "s1", "-o", "-").stdout
    assert attnviz("render", "s1", "-o", "-", "--theme", "dark").stdout != light
    assert "raw: q·k" in attnviz("render", "s1", "-o", "-", "--stage", "raw").stdout


def test_a_terminal_without_the_letters_gets_escapes():
    rename = "import attnviz.document.presets as p; p.preset_names = lambda: ('s1-cat-dog-phone', 'naïve')\n"
    rename += "real = p.load_preset; p.load_preset = lambda name: real('s1')"
    done = attnviz("presets", before=rename, env=NO_SCREEN | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, "na\\xefve" in done.stdout) == (0, True)


# Wrong use: 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["render", "s1"], "-o"),
        (["render", "-o", "a.svg"], "PRESET|FILE"),
        (["render", "s1", "-o", "a.tiff"], "must end in one of .svg, .png"),
        (["render", "s1", "-o", "noending"], "must end in one of"),
        (["render", "cat", "-o", "a.svg"], "neither a file nor a preset"),
        (["render", "s1-cat-dog-fone", "-o", "a.svg"], "did you mean s1-cat-dog-phone?"),
        (["render", "s1", "-o", "a.svg", "--set", "temperature"], "NAME=VALUE"),
        (["render", "s1", "-o", "a.svg", "--set", "temperature=0"], "between 1e-12 and 1e+12, got 0"),
        (["render", "s1", "-o", "a.svg", "--set", "temperature=nan"], "finite"),
        (["render", "s1", "-o", "a.svg", "--set", "temperature=warm"], "must be a number"),
        (["render", "s1", "-o", "a.svg", "--set", "causal=perhaps"], "true or false"),
        (["render", "s1", "-o", "a.svg", "--set", "colour=red"], "must be one of temperature, d_k"),
        (["render", "s1", "-o", "a.svg", "--set", "d_k=1025"], "between 1 and 1,024"),
        (["render", "s1", "-o", "a.svg", "--theme", "pink"], "invalid choice"),
        (["render", "s1", "-o", "a.svg", "--stage", "cooked"], "invalid choice"),
        (["render", "s1", "-o", "a.png", "--scale", "0"], "between 0.1 and 20"),
        (["render", "s1", "-o", "a.png", "--scale", "big"], "must be a number"),
        (["screenshot", "s1", "-o", "a.svg"], "ends in .png"),
        (["screenshot", "s1", "-o", "a.png", "--size", "big"], "WIDTHxHEIGHT"),
        (["screenshot", "s1", "-o", "a.png", "--size", "1x1"], "between 320 and 8192"),
        (["presets", "more"], "unrecognized"),
        (["a.attn", "b.attn"], "unrecognized"),
        (["--no-such-option"], "unrecognized"),
    ],
)
def test_wrong_use_exits_2_with_the_reason(arguments, told, refused_here, tmp_path):
    assert told in refused_here(2, *arguments)
    assert list(tmp_path.iterdir()) == []


# A bad file: 4

BAD_FILES = {
    "empty.attn": b"",
    "nothing.attn": b"{}",
    "binary.attn": bytes(range(256)),
    "truncated.attn": b'{"format": "attnviz", "version": 1, "sequence": {"tokens": ["a"',
    "latin.attn": '{"title": "caf\xe9"}'.encode("latin-1"),
    "deep.attn": b"[" * 100_000,
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_exits_4_and_is_named(name, refused_here, tmp_path):
    (tmp_path / name).write_bytes(BAD_FILES[name])
    for arguments in (["render", name, "-o", "a.svg"], [name]):
        told = refused_here(4, *arguments)
        assert name in told
        assert len(told.splitlines()) == 1


def test_a_bad_file_shows_no_trace_in_a_process_of_its_own(tmp_path):
    (tmp_path / "bad.attn").write_bytes(b"{}")
    assert len(refused(4, "bad.attn", cwd=tmp_path).splitlines()) == 1


def test_a_missing_file_exits_4(refused_here):
    assert "missing.attn" in refused_here(4, "render", "missing.attn", "-o", "a.svg")
    assert "no such file" in refused_here(4, "missing.attn")
    assert "did you mean render?" in refused_here(4, "rendr")


def test_a_folder_is_no_file(refused_here, tmp_path):
    (tmp_path / "folder.attn").mkdir()
    assert "folder" in refused_here(4, "folder.attn")


def test_a_picture_is_no_document(refused_here, tmp_path):
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert "photo.png" in refused_here(4, "photo.png")
    assert "photo.png" in refused_here(4, "render", "photo.png", "-o", "a.svg")


def test_a_name_no_system_takes_is_refused(refused_here):
    refused_here(4, "x" * 5000)
    refused_here(2, "render", "x" * 5000, "-o", "a.svg")


def test_a_document_whose_numbers_overflow_is_a_bad_file(refused_here, tmp_path):
    text = preset_file("s1").read_text("utf-8").replace("0.5", "1e300", 1)
    (tmp_path / "huge.attn").write_text(text, "utf-8")
    for command in (("render", "huge.attn", "-o", "a.svg"), ("screenshot", "huge.attn", "-o", "a.png"), ("huge.attn",)):
        assert refused_here(4, *command).startswith("attnviz: huge.attn: q k^T must stay below 1.8e308")


def preset_file(name: str) -> Path:
    full = next(full for full in preset_names() if full.startswith(name))
    return find_resources() / "presets" / f"{full}.attn"


# It failed: 1


def test_an_output_that_cannot_be_written_exits_1(refused_here, tmp_path):
    assert "cannot be saved" in refused_here(1, "render", "s1", "-o", "missing/a.svg")
    (tmp_path / "folder.svg").mkdir()
    assert "cannot be saved" in refused_here(1, "render", "s1", "-o", "folder.svg")


def test_a_failed_command_leaves_the_old_file_alone(refused_here, tmp_path):
    old = tmp_path / "a.svg"
    old.write_text("old")
    refused_here(2, "render", "s1", "-o", "a.svg", "--set", "temperature=-1")
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_too_large_a_picture_exits_1_without_a_file(tmp_path):
    told = refused(1, "render", "s1", "-o", tmp_path / "a.png", "--scale", "20", before=_SMALL_LIMIT)
    assert "1 to 100 pixels a side" in told
    assert list(tmp_path.iterdir()) == []


_SMALL_LIMIT = "import attnviz.app.raster as raster; raster.MAX_SIDE = 100"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_standard_output_exits_1():
    with open("/dev/full", "w") as full:
        done = attnviz("render", "s1", "-o", "-", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == "attnviz: standard output cannot be used: No space left on device\n"


def test_a_reader_that_has_left_is_no_reason_to_complain():
    reading, writing = os.pipe()
    os.close(reading)
    for arguments in (["render", "s1", "-o", "-"], ["presets"]):
        done = attnviz(*arguments, capture_output=False, stdout=writing, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (1, "")
    os.close(writing)


def test_a_bug_is_told_in_one_sentence_and_where_to_report():
    told = refused(1, "presets", before="import attnviz.document.presets as p; p.preset_names = lambda: 1 / 0")
    assert told.startswith("attnviz: this is a bug in attnviz (ZeroDivisionError: division by zero); please report it")
    assert len(told.splitlines()) == 1


def test_a_bug_shows_its_trace_when_asked():
    done = attnviz(
        "presets",
        before="import attnviz.document.presets as p; p.preset_names = lambda: 1 / 0",
        env=NO_SCREEN | {"ATTNVIZ_DEBUG": "1"},
    )
    assert (done.returncode, "Traceback" in done.stderr) == (1, True)


def test_an_interrupt_exits_130_quietly():
    raise_it = "import attnviz.document.presets as p\ndef stop(): raise KeyboardInterrupt\np.preset_names = stop"
    done = attnviz("presets", before=raise_it)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# The environment: 3

_WITHOUT = "import attnviz.environment as e; e._can_load = lambda name: name not in {names!r}"


def test_a_window_without_a_display_exits_3():
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in refused(3)
    assert "neither DISPLAY" in refused(3, preset_file("s1"))


def test_missing_libraries_exit_3_with_one_apt_line(tmp_path):
    without = _WITHOUT.format(names=("libEGL.so.1", "libfontconfig.so.1"))
    told = refused(3, "render", "s1", "-o", tmp_path / "a.png", before=without)
    assert "libEGL.so.1, libfontconfig.so.1" in told
    assert "sudo apt-get install libegl1 libfontconfig1" in told
    assert attnviz("render", "s1", "-o", tmp_path / "a.svg", before=without).returncode == 0


def test_missing_libraries_of_a_display_exit_3():
    without = _WITHOUT.format(names=("libxcb-cursor.so.0",))
    told = refused(3, before=without, env=NO_SCREEN | {"DISPLAY": ":0"})
    assert "sudo apt-get install libxcb-cursor0" in told
    assert "neither" not in told


def test_an_unsound_pair_of_versions_exits_3(tmp_path):
    pretend = "import attnviz.environment as e; e._version_of = {'PySide6-Essentials': '6.12.0'}.get"
    pretend += "; sys.version_info = (3, 11, 7, 'final', 0)"
    told = refused(3, "screenshot", "s1", "-o", tmp_path / "a.png", before=pretend)
    assert "6.12.0 must not run on Python 3.11" in told


def test_doctor_tells_versions_and_a_verdict_as_a_result():
    done = attnviz("doctor")
    assert done.stderr == ""
    for name in ("attnviz", "Python", "numpy", "pyqtgraph", "PySide6", "display", "fonts"):
        assert any(line.startswith(name) for line in done.stdout.splitlines())
    assert "figures as PNG and PDF: fine" in done.stdout
    assert done.returncode == 3
    assert "the window: a window needs a display" in done.stdout


def test_doctor_is_content_where_a_window_can_open():
    done = attnviz("doctor", env=NO_SCREEN | {"QT_QPA_PLATFORM": "offscreen"})
    assert (done.returncode, done.stdout.count(": fine")) == (0, 3)


def test_doctor_names_every_missing_library_and_survives_without_qt():
    done = attnviz("doctor", before=_WITHOUT.format(names=("libEGL.so.1", "libxcb-shape.so.0")))
    assert done.returncode == 3
    assert "libEGL.so.1" in done.stdout
    assert "libxcb-shape.so.0" in done.stdout


# The window


def test_screenshot_has_the_size_that_was_asked_for(tmp_path):
    done = attnviz("screenshot", "s1", "-o", tmp_path / "w.png", "--size", "1300x820", "--theme", "dark")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert struct.unpack(">II", (tmp_path / "w.png").read_bytes()[16:24]) == (1300, 820)


def test_a_window_that_cannot_be_as_small_as_asked_is_told(tmp_path):
    larger = "import attnviz.app.main as m; real = m.screenshot\n"
    larger += "m.screenshot = lambda state, size, theme: real(state, (1300, 820), theme)"
    done = attnviz("screenshot", "s1", "-o", tmp_path / "w.png", "--size", "320x320", before=larger)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "attnviz: the window is 1300 x 820 pixels, since it cannot be drawn any smaller\n"


def test_a_file_called_like_a_command_is_opened_with_its_folder(tmp_path):
    (tmp_path / "presets").write_text("cat 1.0 0.5\ndog 0.8 0.6\n")
    assert attnviz("presets", cwd=tmp_path).stdout.startswith("s1-")
    assert "neither DISPLAY" in refused(3, "./presets", cwd=tmp_path)
