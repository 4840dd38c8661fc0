"""What the machine lacks is told before Qt is imported, all at once, and one kind apart from the other."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from attnviz.environment import (
    BLAS_VARIABLES,
    EnvironmentProblem,
    Surroundings,
    cap_blas_threads,
    check_drawing,
    check_window,
    describe,
    missing_libraries,
    this_machine,
)

_PAINTED = """
import os
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from attnviz.app.main import make_application
application = make_application()
image = QImage(900, 900, QImage.Format.Format_RGB32)
print(len(os.listdir("/proc/self/task")))
with QPainter(image) as painter:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(200, 100, 50, 30))
    painter.drawPolygon([QPointF(450, 5), QPointF(895, 450), QPointF(450, 895), QPointF(5, 450)])
print(len(os.listdir("/proc/self/task")))
"""
SOUND = {"PySide6-Essentials": "6.11.3", "numpy": "2.4.6", "pyqtgraph": "0.14.0"}


def machine(
    variables: dict[str, str] | None = None,
    missing: tuple[str, ...] = (),
    system: str = "Linux",
    python: tuple[int, ...] = (3, 11, 7),
    versions: Callable[[str], str | None] = SOUND.get,
) -> Surroundings:
    return Surroundings(system, python, variables or {}, lambda name: name not in missing, versions)


def problem(check: Callable[[Surroundings], None], surroundings: Surroundings) -> str:
    with pytest.raises(EnvironmentProblem) as caught:
        check(surroundings)
    return str(caught.value)


def test_a_sound_machine_with_a_display_is_fine():
    check_drawing(machine())
    check_window(machine({"DISPLAY": ":0"}))
    check_window(machine({"WAYLAND_DISPLAY": "wayland-0"}))


def test_every_missing_library_is_named_with_one_apt_line():
    told = problem(check_window, machine({"DISPLAY": ":0"}, ("libEGL.so.1", "libxcb-cursor.so.0", "libdbus-1.so.3")))
    for library in ("libEGL.so.1", "libxcb-cursor.so.0", "libdbus-1.so.3"):
        assert library in told
    assert "sudo apt-get install libdbus-1-3 libegl1 libxcb-cursor0" in told
    assert "DISPLAY" not in told


def test_no_display_is_told_apart_from_missing_libraries():
    told = problem(check_window, machine())
    assert "neither DISPLAY nor WAYLAND_DISPLAY is set" in told
    assert "apt-get" not in told


def test_no_display_and_missing_libraries_are_told_together():
    told = problem(check_window, machine(missing=("libxcb-cursor.so.0",)))
    assert "neither DISPLAY" in told
    assert "sudo apt-get install libxcb-cursor0" in told


def test_drawing_needs_no_display_and_no_x11_libraries():
    check_drawing(machine(missing=("libxcb-cursor.so.0", "libwayland-cursor.so.0")))
    assert "libfontconfig1" in problem(check_drawing, machine(missing=("libfontconfig.so.1",)))


def test_a_missing_x11_library_does_not_matter_under_wayland():
    check_window(machine({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, ("libxcb-cursor.so.0",)))


def test_a_package_that_holds_two_libraries_is_named_once():
    told = problem(check_drawing, machine(missing=("libglib-2.0.so.0", "libgthread-2.0.so.0")))
    assert told.count("libglib2.0-0") == 1


def test_the_platform_that_the_user_chose_is_checked():
    check_window(machine({"QT_QPA_PLATFORM": "offscreen"}, ("libxcb-cursor.so.0",)))
    check_window(machine({"QT_QPA_PLATFORM": "wayland-egl;xcb"}, ("libxcb-cursor.so.0",)))
    assert "libxcb-cursor0" in problem(check_window, machine({"QT_QPA_PLATFORM": "xcb"}, ("libxcb-cursor.so.0",)))


@pytest.mark.parametrize("system", ["Darwin", "Windows"])
def test_other_systems_need_neither_display_nor_libraries(system):
    check_window(machine(system=system, missing=("libEGL.so.1",)))
    assert missing_libraries(machine(system=system, missing=("libEGL.so.1",)), ("xcb",)) == {}


def test_pyside_6_12_0_on_python_3_11_is_refused_with_the_reason():
    told = problem(check_drawing, machine(versions={"PySide6-Essentials": "6.12.0"}.get))
    assert "PySide6 6.12.0 must not run on Python 3.11" in told
    assert "reference to None" in told


SOUND_PAIRS = [((3, 12, 0), "6.12.0"), ((3, 13, 1), "6.12.0"), ((3, 11, 7), "6.11.3")]


@pytest.mark.parametrize(("python", "version"), SOUND_PAIRS)
def test_sound_pairs_of_versions_are_let_through(python, version):
    check_drawing(machine(python=python, versions={"PySide6-Essentials": version}.get))


def test_the_version_is_found_under_the_full_package_too():
    assert "6.12.0" in problem(check_drawing, machine(versions={"PySide6": "6.12.0"}.get))


def test_missing_qt_is_told_with_the_command_that_installs_it():
    assert "pip install PySide6-Essentials" in problem(check_drawing, machine(versions=lambda _: None))


def test_blas_is_capped_unless_the_user_chose():
    variables: dict[str, str] = {}
    cap_blas_threads(variables)
    assert variables == dict.fromkeys(BLAS_VARIABLES, "1")
    chosen = {"OMP_NUM_THREADS": "4"}
    cap_blas_threads(chosen)
    assert chosen == {"OMP_NUM_THREADS": "4"}


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the threads of a process are listed elsewhere")
def test_painting_starts_no_thread():
    painted = subprocess.run(
        [sys.executable, "-c", _PAINTED],
        env={name: value for name, value in os.environ.items() if name != "QT_NO_GUI_THREADPOOL"},
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = painted.stdout.split()
    assert after == before


def test_description_names_what_is_and_is_not_installed():
    told = dict(describe(machine({"DISPLAY": ":0"}, versions={"numpy": "2.4.6"}.get)))
    assert (told["numpy"], told["pyqtgraph"], told["PySide6"]) == ("2.4.6", "not installed", "not installed")
    assert told["display"] == "xcb"


def test_this_machine_can_load_the_c_library_and_no_other():
    here = this_machine()
    assert here.has_library("libc.so.6") or here.system != "Linux"
    assert not here.has_library("libthere-is-no-such-library.so.9")
    assert here.version_of("there-is-no-such-distribution") is None


def test_checking_imports_neither_qt_nor_numpy():
    code = (
        "import sys; from attnviz.environment import *\n"
        "try: check_window(this_machine())\n"
        "except EnvironmentProblem: pass\n"
        "print([name for name in ('PySide6', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
