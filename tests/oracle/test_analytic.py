"""Files of everlet potential in the reference: the same energies, virials and forces."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.tools.potential import main
from tests.oracle.harness import Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)
from tests.oracle.test_potentials import case


@pytest.mark.parametrize("words, lattice", [("sutton-chen Al", "fcc 4.05"), ("sutton-chen Au --cutoff 6.0", "fcc 4.08"),
                                            ("johnson Pd Ni", "fcc 3.7")])
def test_the_reference_reads_the_files(words: str, lattice: str, cache: Path, tmp_path: Path,  # noqa: F811
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*words.split(), "--nr", "2000", "--nrho", "2000", "--output", "made.eam.alloy"]) == 0
    files = {"made.eam.alloy": Path("made.eam.alloy").read_text()}
    elements = " ".join(word for word in words.split()[1:] if word.isalpha())
    script = case("eam/alloy", "made.eam.alloy", elements, lattice).full_script()
    found = run_everlet(script, files, tmp_path / "ours", device="serial")
    compare(found, run_lmp(script, files, cache), Tolerances(1e-11, 1e-10))
