"""Registries import the modules of their packages at the first look-up."""

from __future__ import annotations

import importlib
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


def test_rooms_of_a_package_are_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "housed_styles" / "room" / "cupboard"
    inner.mkdir(parents=True)
    (tmp_path / "housed_styles" / "base.py").write_text(
        "from everlet.registry import Registry\nstyles = Registry('style', 'housed_styles')\n")
    for place, name in (inner.parent, "one"), (inner, "two"):
        (place / f"{name}.py").write_text(f"from housed_styles.base import styles\nstyles({name!r})({name!r})\n")
    for place in (inner, inner.parent, inner.parent.parent):
        (place / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("housed_styles.base")
    assert list(module.styles) == ["one", "two"]
    for name in [name for name in sys.modules if name.split(".")[0] == "housed_styles"]:
        del sys.modules[name]
