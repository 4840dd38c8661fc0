"""Files are written entirely or not at all, and read only up to a limit."""

import errno
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from attnviz.document.atomic import read_bounded, reason_of, write_atomically
from attnviz.document.errors import FileError

NEW = b"new content\n" * 1000
SOMEBODY = 65_534  # whom nothing belongs to

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, pipes and permissions of POSIX")


@pytest.fixture
def path(tmp_path):
    """An old file in a folder of its own."""
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "scene.attn"
    path.write_bytes(b"old")
    return path


def assert_untouched(path):
    assert path.read_bytes() == b"old"
    assert os.listdir(path.parent) == [path.name]


def fail_with(number):
    def fail(*_args, **_kwargs):
        raise OSError(number, os.strerror(number))

    return fail


def test_content_is_replaced_and_nothing_else_is_left(path):
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW
    assert os.listdir(path.parent) == [path.name]


def test_new_file_is_made_with_the_usual_permissions(tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    write_atomically(tmp_path / "scene.attn", b"")
    assert (tmp_path / "scene.attn").stat().st_mode == usual.stat().st_mode


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_permissions_are_kept(path, mode):
    path.chmod(mode)
    write_atomically(path, NEW)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_file_system_without_permissions_is_written_all_the_same(path, monkeypatch):
    monkeypatch.setattr(os, "chmod", fail_with(errno.EPERM))
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("is_relative", [True, False])
def test_symbolic_link_stays_and_its_target_is_replaced(path, tmp_path, is_relative):
    link = tmp_path / "link.attn"
    link.symlink_to(os.path.relpath(path, tmp_path) if is_relative else path)
    write_atomically(link, NEW)
    assert link.is_symlink()
    assert path.read_bytes() == NEW
    assert os.listdir(path.parent) == [path.name]


def test_dangling_link_gets_its_target(tmp_path):
    link = tmp_path / "link.attn"
    link.symlink_to(tmp_path / "target.attn")
    write_atomically(link, NEW)
    assert (tmp_path / "target.attn").read_bytes() == NEW


def test_links_that_run_in_circles_are_refused(tmp_path):
    link = tmp_path / "link.attn"
    link.symlink_to(link)
    with pytest.raises(FileError, match="cannot be saved: it is not an ordinary file"):
        write_atomically(link, NEW)
    assert link.is_symlink()


def test_short_writes_are_continued(path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:777]))
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "chmod", "open"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_failure_at_any_step_leaves_the_old_file_alone(path, monkeypatch, call, number):
    monkeypatch.setattr(os, call, fail_with(number))
    with pytest.raises(FileError) as caught:
        write_atomically(path, NEW)
    monkeypatch.undo()
    reason = os.strerror(number)
    assert str(caught.value) == f"{path} cannot be saved: {reason[0].lower()}{reason[1:]}"
    assert_untouched(path)


def test_disk_that_fills_up_in_the_middle_leaves_the_old_file_alone(path, monkeypatch):
    real, calls = os.write, []

    def fill_up(handle, data):
        calls.append(len(data))
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, data[:100])

    monkeypatch.setattr(os, "write", fill_up)
    with pytest.raises(FileError, match="cannot be saved: no space left on device"):
        write_atomically(path, NEW)
    assert_untouched(path)


def test_real_limit_on_the_size_of_files_leaves_the_old_file_alone(path):
    code = (
        "import resource, sys, pathlib\n"
        "from attnviz.document.atomic import write_atomically\n"
        "from attnviz.document.errors import FileError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n"
        "    write_atomically(pathlib.Path(sys.argv[1]), b'x' * 100_000)\n"
        "except FileError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == f"{path} cannot be saved: file too large\n"
    assert_untouched(path)


def test_interrupt_leaves_the_old_file_alone(path, monkeypatch):
    def interrupt(_handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, NEW)
    assert_untouched(path)


def test_folder_that_cannot_be_synchronised_does_not_undo_the_save(path, monkeypatch):
    real = os.fsync

    def synchronise(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        real(handle)

    monkeypatch.setattr(os, "fsync", synchronise)
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW


def test_protected_file_is_refused(path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileError, match="cannot be saved: it is protected against writing"):
        write_atomically(path, NEW)
    assert_untouched(path)


def test_folder_device_and_missing_folder_are_refused(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for bad, reason in (
        (tmp_path, "it is a folder"),
        (pipe, "it is not an ordinary file"),
        (tmp_path / "missing" / "scene.attn", "no such file or directory"),
        (tmp_path / ("x" * 300), "file name too long"),
        (tmp_path / "a\0b", ".*null.*"),
    ):
        with pytest.raises(FileError, match=f"cannot be saved: {reason}"):
            write_atomically(bad, NEW)
    assert os.listdir(tmp_path) == ["pipe"]


def test_folder_that_may_not_be_written_is_refused():
    code = (
        "import os, pathlib, sys\n"
        "from attnviz.document.atomic import write_atomically\n"
        "from attnviz.document.errors import FileError\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "if os.geteuid() == 0:  # the administrator may write everywhere, so be somebody else\n"
        "    os.setuid(path.stat().st_uid)\n"
        "print(path.read_bytes())\n"
        "try:\n"
        "    write_atomically(path, b'new')\n"
        "except FileError as error:\n"
        "    print(error)\n"
    )
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to anybody else
        path = Path(folder) / "scene.attn"
        path.write_bytes(b"old")
        if os.geteuid() == 0:
            for each in (path.parent, path):
                os.chown(each, SOMEBODY, SOMEBODY)
        path.parent.chmod(0o500)
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        path.parent.chmod(0o700)
        assert done.stdout == f"b'old'\n{path} cannot be saved: permission denied\n"
        assert_untouched(path)


def test_file_of_the_largest_size_is_read_whole(path):
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    with pytest.raises(FileError, match="must have at most 4 bytes, got more"):
        read_bounded(path, 4)


def test_file_that_grows_while_it_is_read_is_refused(path, monkeypatch):
    path.write_bytes(b"x" * 100)
    small = os.stat_result((stat.S_IFREG, 0, 0, 0, 0, 0, 10, 0, 0, 0))
    monkeypatch.setattr(os, "fstat", lambda _handle: small)
    with pytest.raises(FileError, match="must have at most 50 bytes, got more"):
        read_bounded(path, 50)


def test_what_is_no_file_is_not_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for bad, sentence in (
        (tmp_path, f"{tmp_path} must be a file, got a folder"),
        (pipe, f"{pipe} must be an ordinary file, got a device or a pipe"),
        (tmp_path / "missing", f"{tmp_path}/missing cannot be read: no such file or directory"),
    ):
        with pytest.raises(FileError) as caught:
            read_bounded(bad, 100)
        assert str(caught.value) == sentence
    with pytest.raises(FileError, match=r"cannot be read: .*embedded null"):
        read_bounded(tmp_path / "a\0b", 100)


def test_file_that_may_not_be_read_is_refused(path, monkeypatch):
    monkeypatch.setattr(os, "open", fail_with(errno.EACCES))
    with pytest.raises(FileError, match="cannot be read: permission denied"):
        read_bounded(path, 100)


def test_reason_falls_back_to_the_errors_own_words():
    assert reason_of(OSError("Something odd")) == "something odd"
    assert reason_of(ValueError("Odd")) == "odd"
