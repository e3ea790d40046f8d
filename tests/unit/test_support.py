"""The table of what of LAMMPS is here."""

from pathlib import Path

import pytest

from everlet.cli.command import main
from everlet.errors import InputError
from everlet.script.lammps_names import lammps_names
from everlet.script.support import count, kinds, rows, support
from everlet.state.host_side import base_name
from everlet.tools.support_page import page

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_registries_say() -> None:
    text = (ROOT / "docs" / "support.md").read_text()
    assert text == page(), "make it anew: python -m everlet.tools.support_page docs/support.md"


def test_kinds_of_names_are_those_of_registries() -> None:
    assert kinds() and set(kinds()) == set(lammps_names()), "lammps.txt has a kind that no registry has"


def test_names_are_bases_with_a_page() -> None:
    for kind, names in lammps_names().items():
        assert all(base_name(name) == name and page and " " not in page for name, page in names.items()), kind


@pytest.mark.parametrize("kind, name, here", [("pair", "lj/cut", True), ("fix", "poems", False), ("atom", "full", True),
                                              ("command", "run", True), ("atom", "hybrid", True), ("minimize", "spin", False)])
def test_rows(kind: str, name: str, here: bool) -> None:
    table = {row.name: row for row in rows(kind)}
    assert table[name].here == here == bool(table[name].file) and table[name].known
    assert count(list(table.values()))[0] <= len(lammps_names()[kind])
    assert ("yes" if here else "no") in support([kind, name]).split()


def test_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "support"]) == 0 and "together" in capsys.readouterr().out
    with pytest.raises(InputError, match="unknown pair style 'lj/cutt'"):
        support(["pair_style", "lj/cutt"])
