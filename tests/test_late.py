"""Modules that load themselves when something of them is first asked for."""

import subprocess
import sys

import pytest

from attnviz.late import late


def in_new_process(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8", timeout=60)
    return done.stdout


def test_a_late_module_runs_at_the_first_look():
    told = in_new_process(
        "import sys\n"
        "from attnviz.late import late\n"
        "cells = late('attnviz.sources.cells')\n"
        "print(type(cells).__name__, 'attnviz.sources.cells' in sys.modules)\n"
        "print(cells.to_number('1.5'), type(cells).__name__)\n"
    )
    assert told == "_LazyModule True\n1.5 module\n"


def test_a_late_module_is_found_through_its_package():
    told = in_new_process(
        "import attnviz\n"
        "from attnviz.late import late\n"
        "sources = late('attnviz.sources')\n"
        "print(attnviz.sources is sources)\n"
        "import attnviz.sources.cells\n"
        "print(attnviz.sources.cells.to_number('2'))\n"
    )
    assert told == "True\n2.0\n"


def test_a_loaded_module_is_given_as_it_is():
    assert late("sys") is sys


def test_a_module_that_is_not_there_is_refused_at_once():
    with pytest.raises(ModuleNotFoundError, match=r"a late module must exist, got attnviz\.nowhere"):
        late("attnviz.nowhere")
