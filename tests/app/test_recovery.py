"""Unsaved work outlives a crash, and only a crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from attnviz.app.recovery import Recovery, left_behind
from attnviz.app.window import MainWindow
from attnviz.document import edits
from attnviz.document.attn_file import read_file

_CRASH = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QSettings
from attnviz.app.main import make_application
from attnviz.app.recovery import Recovery
from attnviz.app.window import MainWindow
from attnviz.document import edits
from attnviz.document.presets import load_preset
from tests.app.conftest import Answers
application = make_application()
window = MainWindow(load_preset("s1"), QSettings(sys.argv[2], QSettings.Format.IniFormat), Answers)
recovery = Recovery(window.session, window.documents, Path(sys.argv[1]), window)
window.session.apply(edits.rename_token, "sequence", 0, "tiger", label="Rename")
recovery.keep()
os._exit(9)
"""


def change(window: MainWindow) -> None:
    window.session.apply(edits.rename_token, "sequence", 0, "lion", label="Rename")


def test_copy_holds_the_unsaved_document_and_goes_when_it_is_saved(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "autosave"
    recovery = Recovery(window.session, window.documents, folder, window)
    recovery.keep()
    assert list(folder.glob("*.attn")) == []
    change(window)
    recovery.keep()
    (copy,) = folder.glob("*.attn")
    assert read_file(copy).is_same(window.session.state)
    assert left_behind(folder) == []  # its program, this one, still runs
    window.session.mark_saved(tmp_path / "saved.attn")
    recovery.keep()
    assert list(folder.glob("*.attn")) == []


def test_work_left_by_a_crash_is_offered_and_restored_as_unsaved(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "autosave"
    done = subprocess.run([sys.executable, "-c", _CRASH, str(folder), str(tmp_path / "other.ini")], check=False)
    assert done.returncode == 9
    recovery = Recovery(window.session, window.documents, folder, window)
    recovery.offer(window.documents.prompts)
    assert "restore Cat, dog, phone" in window.documents.prompts.asked
    assert window.session.state.sequence.tokens[0] == "tiger"
    assert window.session.is_modified
    assert left_behind(folder) == []


def test_discarded_copy_is_gone_and_the_document_stays(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "autosave"
    subprocess.run([sys.executable, "-c", _CRASH, str(folder), str(tmp_path / "other.ini")], check=False)
    before = window.session.state
    window.documents.prompts.restore = False
    Recovery(window.session, window.documents, folder, window).offer(window.documents.prompts)
    assert window.session.state is before
    assert left_behind(folder) == []


def test_damaged_copy_is_dropped_without_a_question(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "1-1.attn").write_bytes(b"{")
    Recovery(window.session, window.documents, tmp_path, window).offer(window.documents.prompts)
    assert window.documents.prompts.asked == []
    assert left_behind(tmp_path) == []
