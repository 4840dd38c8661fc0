"""The built-in help: how to use the program, every shortcut, versions and licences."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable
from html import escape
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from attnviz import __version__
from attnviz.app.actions import ACTIONS
from attnviz.app.palette_entries import Entry, plain
from attnviz.document.resources import find_resources
from attnviz.document.scalars import Scalar
from attnviz.document.state import SCALARS

_NAMES = {spec.name: plain(spec.text).rstrip("…") for spec in ACTIONS}  # without what undo would take back
_MARK = re.compile(r"<!-- settings ?(\w*) -->")
_RARE_KEYS = {"F13", "F14", "F16", "F18", "F20", "Undo", "Redo", "Copy", "Cut", "Paste", "Save", "Open", "New", "Close"}
_PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy")


def show_contents(parent: QWidget) -> None:
    """Show how the program is used."""
    text = (find_resources() / "help.html").read_text(encoding="utf-8")
    _show(parent, "Contents", _with_settings(text))


def show_shortcuts(parent: QWidget, entries: Iterable[Entry]) -> None:
    """Show every shortcut on one page, made from the entries of the menus themselves."""
    rows = []
    for entry in entries:
        written = (k.toString(QKeySequence.SequenceFormat.NativeText) for k in entry.action.shortcuts())
        keys = ", ".join(key for key in written if _is_on_keyboards(key))
        if keys:
            cells = (
                f"<b>{escape(keys)}</b>",
                escape(_NAMES.get(entry.action.objectName(), entry.text)),
                escape(entry.path),
            )
            rows.append("<tr>" + "".join(f"<td>{cell}&nbsp;&nbsp;</td>" for cell in cells) + "</tr>")
    _show(parent, "Shortcuts", f"<h2>Shortcuts</h2><table cellpadding='3'>{''.join(rows)}</table>")


def show_about(parent: QWidget) -> None:
    """Show version, what the program is, and the licences of what it stands on."""
    _show(
        parent,
        "About attnviz",
        f"<h2>attnviz {escape(__version__)}</h2>"
        "<p>Take the attention mechanism apart with your own hands.</p>"
        "<p>attnviz is free software under the MIT licence. It uses Qt and PySide6 under the LGPL version 3, "
        "pyqtgraph under the MIT licence and NumPy under the BSD licence.</p>"
        f"<pre>{escape(details())}</pre>",
    )


def details() -> str:
    """Give versions and system as plain text."""
    lines = [f"attnviz {__version__}", f"Python {platform.python_version()}", platform.platform()]
    for package in _PACKAGES:
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} not found")
    return "\n".join(lines)


def _is_on_keyboards(key: str) -> bool:
    """Tell keys that people have from those of old or office keyboards that desktops also bind (F14, Save)."""
    last = key.rpartition("+")[2]
    return last not in _RARE_KEYS


def _with_settings(page: str) -> str:
    """Put the table of each group of settings where the page has its mark."""
    return _MARK.sub(lambda found: _settings(found[1] or ""), page)


def _settings(group: str) -> str:
    rows = (
        f"<tr><td><b>{escape(s.label)}</b>&nbsp;&nbsp;</td><td><code>{s.key}</code>&nbsp;&nbsp;</td>"
        f"<td>{escape(s.help)}{_choices(s)}</td></tr>"
        for s in SCALARS.values()
        if s.group == group
    )
    return f"<table cellpadding='3'>{''.join(rows)}</table>"


def _choices(scalar: Scalar) -> str:
    """List what a choice may be, below what it is for: the name on screen, that in files, and what it does."""
    return "".join(
        [
            f"<br>&nbsp;• <b>{escape(label)}</b> <code>{escape(name)}</code>: {escape(explanation)}"
            for name, label, explanation in scalar.choices
        ]
    )


def _show(parent: QWidget, title: str, html: str) -> None:
    dialog = QDialog(parent)
    dialog.setObjectName("help_" + title.split(maxsplit=1)[0].lower())
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    page = QTextBrowser(dialog)
    page.setHtml(html)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(16, 16, 16, 16)
    layout.addWidget(page)
    layout.addWidget(buttons)
    line = dialog.fontMetrics().height()
    wanted = QSize(max(680, 40 * line), max(560, 26 * line))
    dialog.resize(wanted.boundedTo(parent.screen().availableSize() * 0.9))
    dialog.show()  # not modal: one can read and try
