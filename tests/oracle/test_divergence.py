"""The study of divergence and the benchmark of a reactive force field, with a small cloud in place of the crystal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from everlet import cli, settings
from everlet.errors import InputError
from everlet.perf.molecules import FOLDER, MOLECULES
from everlet.perf.systems import located
from tests.oracle.reax_systems import cloud, ffield


def small_crystal(folder: Path) -> None:
    (folder / "data.hns-equil").write_text(cloud("C H O N", False, atoms=40, edge=13.0))
    shutil.copy(located(ffield("rdx")), folder / "ffield.reax.hns")


def test_shares_of_candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.SCRIPTED, FOLDER, str(tmp_path))  # the study sets it, too
    small_crystal(tmp_path)
    words = ["study", "divergence", "--inputs", str(tmp_path), "--atoms", "304", "--repeat", "1", "--out", str(tmp_path)]
    assert cli.main(words) == 0
    found = json.loads((tmp_path / "divergence.json").read_text())
    rows = {row["what"]: row for row in found["rows"]}
    assert set(rows) == {"pairs", "bonds", "angles", "torsions", "hydrogen bonds"}
    assert all(0 < row["passing"] <= row["candidates"] for row in rows.values())
    assert rows["torsions"]["passing"] < 0.5 * rows["torsions"]["candidates"]
    assert found["solves"]["one pass us"] > 0 and found["solves"]["two passes us"] > 0 and found["solves"]["iterations"] > 5


def test_copies_of_the_crystal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.SCRIPTED, FOLDER, str(tmp_path))
    with pytest.raises(InputError, match=r"there is no data\.hns-equil"):
        MOLECULES["reaxff"].script(2432)
    (tmp_path / "data.hns-equil").write_text("")
    for atoms, copies in ((2432, 8), (38912, 128), (466944, 1536)):
        text = MOLECULES["reaxff"].script(atoms)
        a, b, c = map(int, text.split("replicate ")[1].split("\n")[0].split())
        assert a * b * c == copies == MOLECULES["reaxff"].cells(atoms)


def test_sizes_of_a_reactive_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.SCRIPTED, FOLDER, str(tmp_path))  # the study sets it, too
    small_crystal(tmp_path)
    words = ["study", "saturation", "--system", "reaxff", "--sizes", "300,320,608", "--steps", "2", "--repeat", "1"]
    assert cli.main([*words, "--inputs", str(tmp_path), "--out", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "saturation.json").read_text())
    assert [row["atoms"] for row in found["rows"]] == [40, 80] and "reaxff" in found["conclusion"]
