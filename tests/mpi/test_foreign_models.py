"""Models of others on several ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import parse_log
from tests.unit.foreign import ALLOY, REST, mace, metatomic, unified_model
from tests.unit.test_learned import MELT

PAIR = "pair_style mliap unified {}\npair_coeff * * {}\n"


def agree(runs: dict[str, tuple[str, dict[str, str | bytes]]], folder: Path, ranks: tuple[int, ...], precision: float) -> None:
    """The thermo output of the same scripts on these numbers of ranks."""
    tables = [{name: parse_log((place / "run.log").read_text())[0] for name, place in run_scripts(n, runs, folder).items()}
              for n in ranks]
    for name in runs:
        for n, other in zip(ranks[1:], tables[1:], strict=True):
            for column, values in tables[0][name].items():
                np.testing.assert_allclose(other[name][column], values, rtol=precision, atol=10 * precision,
                                           err_msg=f"{name} {column} on {n} ranks")


def test_exports_exchange_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with a rank that has no atoms, and so no part in them."""
    files: dict[str, str | bytes] = {f"{how}.pkl": unified_model("Messages", how, monkeypatch)
                                     for how in ("double", "single")}
    half = "region drop block 0 4 INF INF INF INF\ncreate_atoms 1 region drop"
    drop = MELT.replace("0 3 0 3 0 3 0.3", "0 9 0 3 0 3 0.3").replace("create_atoms 1 box", half)
    runs = {name: (MELT + PAIR.format(f"{name}.pkl", "Ar Kr") + REST, files) for name in ("double", "single")}
    agree({"double": runs["double"], "drop": (drop + PAIR.format("double.pkl", "Ar Kr") + REST, files)}, tmp_path / "d",
          (1, 2, 4), 1e-9)
    agree({"single": runs["single"]}, tmp_path / "s", (1, 2), 1e-5)


def test_exports_that_want_rows_of_ghosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They give what those give that exchange messages."""
    files = {"1": unified_model("Alone", "", monkeypatch), "0": unified_model("Messages", "", monkeypatch)}
    runs: dict[str, tuple[str, dict[str, str | bytes]]] = {
        name: (MELT + PAIR.format(f"m.pkl {name}", "Ar Kr") + REST, {"m.pkl": files[name]}) for name in ("0", "1")}
    tables = {ranks: run_scripts(ranks, runs, tmp_path) for ranks in (1, 2)}
    logs = [parse_log((place / "run.log").read_text())[0] for found in tables.values() for place in found.values()]
    for column, values in logs[0].items():
        for log in logs[1:]:
            np.testing.assert_allclose(log[column], values, rtol=1e-9, atol=1e-8, err_msg=column)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_metatomic_files_are_the_same_on_several_ranks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes of edges and, of models that use positions, forces and virials of all ranks; half lists have a pair on both."""
    pytest.importorskip("metatomic.torch")
    monkeypatch.chdir(tmp_path)
    pair, runs = "pair_style metatomic m.pt\npair_coeff * * Al Cu\n", {}
    whole = REST.replace("compute", "#").replace(" c_e c_s[*]", "")  # forces of atoms have no virials of their own
    deep: dict[str, Any] = {"layers": 2, "cutoff": 3.5}
    kinds: dict[str, Any] = {"full": {}, "half": {"half": True}, "spring": {"spring": 0.3}, "deep": deep,
                             "deep half": deep | {"half": True}}
    for name, options in kinds.items():
        metatomic("m.pt", **options)
        files: dict[str, str | bytes] = {"m.pt": Path("m.pt").read_bytes()}
        runs[name] = (ALLOY + pair + (whole if name == "spring" else REST), files)
    agree(runs, tmp_path, (1, 2, 4), 1e-9)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype, precision", [("float64", 1e-9), ("float32", 1e-4)])
def test_mace_is_the_same_on_several_ranks(tmp_path: Path, dtype: str, precision: float) -> None:
    pytest.importorskip("mace")
    files: dict[str, str | bytes] = {"m.pt": mace(dtype, True)}
    agree({"mace": (ALLOY + PAIR.format("m.pt", "Al Cu") + REST, files)}, tmp_path, (1, 2, 4), precision)
