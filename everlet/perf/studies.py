"""Studies by name: one file each in everlet/lab/studies.

    @study("padding")
    def padding(words: list[str]) -> Outcome:
        \"\"\"everlet study padding [--out FOLDER]: what it asks, in a few lines; `everlet study --help` shows this text.\"\"\"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everlet.perf import plots
from everlet.registry import Registry

Outcome = tuple[str, str, dict[str, Any], str, plots.Plot]  # folder, name, content of the JSON file, table, plot
study: Registry[Callable[[list[str]], Outcome]] = Registry("study", "everlet.lab.studies")
