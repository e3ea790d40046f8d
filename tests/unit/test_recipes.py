"""The recipes run, as docs/recipes.md says, and each asserts its physics; `make lint` checks their types strictly."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "examples" / "recipes").glob("*.py"))


def run(recipe: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    runpy.run_path(str(recipe), run_name="__main__")


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipe(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if recipe.stem == "phonons":
        pytest.importorskip("ase")
    run(recipe, tmp_path, monkeypatch)


def test_a_trajectory_goes_into_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas")
    run(ROOT / "examples" / "recipes" / "trajectory.py", tmp_path, monkeypatch)
    assert "etotal" in capsys.readouterr().out


def test_the_page_lists_all_of_them() -> None:
    listed = re.findall(r"\(\.\./examples/recipes/(\w+)\.py\)", (ROOT / "docs" / "recipes.md").read_text())
    assert sorted(listed) == [path.stem for path in RECIPES]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_is_a_page(recipe: Path) -> None:
    text = recipe.read_text()
    assert len(text.splitlines()) <= 65 and "What one learns:" in text and "assert " in text
    assert f"python examples/recipes/{recipe.name}" in text
