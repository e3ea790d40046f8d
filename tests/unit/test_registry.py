"""Registries import the modules of their packages at the first look-up."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from everlet.registry import Registry


def test_a_module_that_cannot_be_imported_is_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look-up must not say that the name is unknown."""
    package = tmp_path / "broken_styles"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("import no_such_module_anywhere\n")
    monkeypatch.syspath_prepend(tmp_path)
    styles: Registry[int] = Registry("style", "broken_styles")
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="no_such_module_anywhere"):
            styles["one"]
    sys.modules.pop("broken_styles", None)
