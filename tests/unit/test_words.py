"""The one table of kernel words, and that every target and the documents know all of them."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from everlet.portable.language.typing import MATHEMATICS
from everlet.portable.language.words import TABLE, VOCABULARY, words

TRAITS = {"physics", "condition", "numbers", "free", "rows", "together", "steps", "team", "python", "inner"}
# words that the compiler replaces by others; loops are counted ones there; the tables with octaves are for CPUs
MADE = {"reference": {"scratch"}, "cpu": {"scratch"},
        "grid": {"scratch", "octave_row", "lane_range", "lane_steps", "team_range"}}


def names(text: str) -> set[str]:
    """What the text of a prelude defines."""
    found: set[str] = set()
    for node in ast.parse(re.sub(r"\{(\w+)\}", r"\1", text)).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            if node.names[0].name == "*":
                found |= set(vars(importlib.import_module(str(node.module))))
            found |= {one.asname or one.name for one in node.names}
    return found


@pytest.mark.parametrize("target", MADE)
def test_every_target_gives_every_word_a_meaning(target: str) -> None:
    prelude = importlib.import_module(f"everlet.portable.backends.{target}.prelude")
    texts = [value for key, value in vars(prelude).items() if key.isupper() and isinstance(value, str)]
    texts += getattr(prelude, "ADD_SUMS", {}).values() if target == "grid" else []  # of one thread, or of lanes
    known = set[str]().union(*(names(text.replace("{mathematics}", "")) for text in texts))
    known |= set(MATHEMATICS) if target == "grid" else set()  # C has these
    if target == "cpu":
        known |= {word for some in importlib.import_module(f"everlet.portable.backends.{target}.backend").MATHEMATICS.values()
                  for word in some}
    assert set(TABLE) - words("python") - known == MADE[target]


def test_the_table() -> None:
    assert set().union(*TABLE.values()) == TRAITS
    assert words("physics") == set(VOCABULARY) and words("physics", "condition") == {"both", "either", "negate"}
    assert not words("physics") & (words("team") | words("python") | words("inner"))


def test_the_page_names_words_of_physics() -> None:
    page = (Path(__file__).parents[2] / "docs" / "portable.md").read_text()
    found = re.search(r"Its words are `([^`]*)`", page)
    assert found and set(found[1].split()) == set(VOCABULARY)
