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


def test_a_look_up_imports_what_says_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One module for a name in a decorator; all for one that is made otherwise, and for a list of names."""
    room = tmp_path / "read_styles" / "room"
    room.mkdir(parents=True)
    head, mark = "from read_styles.base import styles\n", "@styles({})\ndef f(): pass\n"
    (tmp_path / "read_styles" / "base.py").write_text(
        "from everlet.registry import Registry\nstyles = Registry('style', 'read_styles')\n")
    for name, text in {"one": mark.format("'one', 'also/one'"), "two": mark.format("\n    'two',\n    *('a', 'b')"),
                       "three": "styles('th' + 'ree')(3)\n", "four": mark.format("'two'")}.items():
        (room / f"{name}.py").write_text(head + text)
    for place in (room, room.parent):
        (place / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    styles = importlib.import_module("read_styles.base").styles

    def there() -> set[str]:
        return {name.rpartition(".")[2] for name in sys.modules if name.startswith("read_styles.room.")}

    assert "also/one" in styles and there() == {"one"}
    assert styles["two"].__module__.endswith("two") and there() == {"one", "two", "four"}  # the last that is imported
    assert "three" in styles and there() == {"one", "two", "three", "four"}
    assert list(styles) == ["a", "also/one", "b", "one", "three", "two"]
    for name in [name for name in sys.modules if name.split(".")[0] == "read_styles"]:
        del sys.modules[name]
