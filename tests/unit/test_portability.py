"""Platforms and who is best on them: rates of Everlet by several ways, of other programs, and what the study concludes."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from everlet.cli import main
from everlet.errors import InputError
from everlet.lab import platforms
from everlet.lab.machine import peers
from everlet.lab.studies import portability as study
from everlet.perf.bench import PEER
from everlet.portable import HOST, devices
from everlet.portable.spaces import cores

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


def bench_row(rate: float, device: str = "cuda", precision: str = "double", who: str = "everlet", **more: object) -> dict:
    return {"who": who, "system": "lj", "atoms": 100, "rate": rate, "precision": precision, "device": device, **more}


def cells_of(*rows: dict, machine: str = "a card") -> platforms.Cells:
    cells: platforms.Cells = {}
    for row in rows:
        platforms.enter(cells, machine, row)
    return cells


def known(rate: float, who: str = "other", system: str = "lj", **more: object) -> dict:
    return {"platform": "a card", "system": system, "atoms": 100, "who": who, "rate": rate, **more}


def test_ways_to_one_card_are_platforms_of_their_own() -> None:
    """The efficiency of each is by the best of all known rates, Everlet by the other way among them; the ratio by programs."""
    cells = cells_of(bench_row(300.0), bench_row(100.0, "opencl"), bench_row(90.0, "opencl:1"))
    assert platforms.completed(cells, [known(50.0)]) == []
    rows = {row["platform"]: row for row in platforms.efficiencies(cells)}
    cuda, opencl = rows["a card by CUDA"], rows["a card by OpenCL"]
    assert (cuda["efficiency"], cuda["peer"], cuda["ratio"]) == (1.0, "other", 6.0)
    assert (opencl["rate"], opencl["efficiency"]) == (100.0, pytest.approx(1 / 3))
    assert (opencl["peer"], opencl["ratio"]) == ("other", 2.0)
    alone = platforms.efficiencies(cells_of(bench_row(300.0), bench_row(100.0, "opencl")))
    assert [row["peer"] for row in alone] == ["everlet by OpenCL", "everlet by CUDA"]
    assert platforms.efficiencies(cells_of(bench_row(300.0))) == []  # nothing to compare with


def test_who_is_content_with_mixed_may_take_double() -> None:
    """On both sides; without a rate of others in mixed precision it is no comparison."""
    ours = (bench_row(25.0), bench_row(21.0, precision="mixed"))
    cells = cells_of(*ours)
    platforms.completed(cells, [known(10.0), known(50.0, precision="mixed")])
    rows = {row["system"]: row for row in platforms.efficiencies(cells)}
    assert {name: row["ratio"] for name, row in rows.items()} == {"lj 100": 2.5, "lj 100, mixed": 0.5}
    cells = cells_of(*ours)
    platforms.completed(cells, [known(10.0)])
    assert {system for _, system in cells} == {"lj 100"}
    cells = cells_of(bench_row(25.0))  # Everlet was not measured in mixed precision: its double stands for it
    platforms.completed(cells, [known(10.0), known(5.0, precision="mixed")])
    assert [(row["system"], row["ratio"]) for row in platforms.efficiencies(cells)] == [("lj 100", 2.5), ("lj 100, mixed", 2.5)]


def test_what_counts_of_result_files() -> None:
    left = (bench_row(9.0, precision="single"), bench_row(9.0, cutoff=5.0), bench_row(9.0, "reference"))
    assert cells_of(*left) == {}
    rows = (bench_row(2.0, "cpu", rate_cpu=3.0), bench_row(4.0, "serial", "double", PEER, rate_cpu=5.0),
            bench_row(6.0, "cpu", threads=2, rate_cpu=1.0), bench_row(1.0, "opencl", hardware="b, 2 cores", by="PoCL"))
    assert cells_of(*rows, machine="b, 4 cores") == {
        ("b, one core", "lj 100"): {"everlet by Numba": 3.0, PEER: 5.0},
        ("b, 2 cores", "lj 100"): {"everlet by Numba": 6.0, "everlet by PoCL": 1.0}}


def test_a_platform_without_support_makes_the_mean_nothing() -> None:
    cells = cells_of(bench_row(300.0), bench_row(0.0, "opencl"))
    platforms.completed(cells, [known(50.0)])
    rows = platforms.efficiencies(cells)
    summary = study.summed(rows)
    assert [(row["platform"], row["systems"], row["portability"]) for row in summary] == [
        ("a card by CUDA", 1, 1.0), ("a card by OpenCL", 1, 0.0)]
    said = study.conclusion(rows, summary, {})
    assert "PP of 2 platforms is 0.00" in said and "does not hold" in said and "other alone, lj 100 on a card by OpenCL" in said
    assert platforms.efficiencies(cells_of(bench_row(0.0)))[0]["efficiency"] == 0.0  # also where nobody else is known


def test_programs_that_are_faster_are_named() -> None:
    cells = cells_of(bench_row(100.0))
    platforms.completed(cells, [known(50.0, "slow"), known(80.0, "fast", precision="mixed")])
    rows = platforms.efficiencies(cells)
    assert "no other program known there is faster" in study.conclusion(rows, study.summed(rows), {})
    platforms.completed(cells, [known(160.0, "fast", precision="mixed")])
    rows = platforms.efficiencies(cells)
    assert "faster than Everlet are: fast 1.60 times, lj 100, mixed on a card by CUDA" in study.conclusion(
        rows, study.summed(rows), {})
    ours = platforms.efficiencies(cells_of(bench_row(300.0), bench_row(100.0, "opencl")))
    assert "program" not in study.conclusion(ours, study.summed(ours), {})


def test_rates_that_ship_say_how_they_were_measured() -> None:
    from everlet.lab.machine import _folder

    content = json.loads((_folder() / "peers.json").read_text(encoding="utf-8"))
    assert {row["who"] for row in peers()} == set(content["sources"])
    assert all(row["rate"] > 0 and row.get("precision", "mixed") == "mixed" for row in peers())
    keys = [(row["platform"], row["system"], row["atoms"], row["who"], row.get("precision")) for row in peers()]
    assert len(keys) == len(set(keys))


def test_results_of_the_project_tell_who_is_faster_with_water() -> None:
    """OpenMM on the GPU, GROMACS on a core: rates of both ship, those of Everlet are in benchmarks/results."""
    cells, _, left = study.gathered([str(RESULTS)], [])
    assert not [one for one in left if "lines of" not in one and "AVX-512" not in one]
    rows = {(row["platform"], row["system"]): row for row in platforms.efficiencies(cells)}
    water = {"NVIDIA H200 by CUDA": ("OpenMM", 0.55), "aarch64 neoverse-n1, one core by Numba": ("GROMACS", 0.65)}
    for platform, (who, ratio) in water.items():
        row = rows[platform, "water 31944, mixed"]
        assert row["peer"] == who and row["ratio"] == pytest.approx(ratio, abs=0.01)
    assert rows["NVIDIA H200 by CUDA", "water 31944"]["ratio"] == pytest.approx(0.93, abs=0.01)
    assert rows["NVIDIA H200 by OpenCL", "lj 32000"]["efficiency"] == pytest.approx(0.33, abs=0.01)
    ways = {row["platform"].rpartition(" by ")[2] for row in rows.values()}
    assert ways == {"CUDA", "OpenCL", "Numba", "PoCL"}


def test_devices_here_are_measured_in_turns_and_refusals_are_nothing(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    order = []

    def quick(case: platforms.Case) -> SimpleNamespace:
        order.append((case.device, case.threads))
        if case.device == "serial":
            raise InputError("not for it\nmore", "leave it out")
        return SimpleNamespace(atoms=108, seconds=2.0 / len(order), cpu=1.0)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(platforms, "everlet", quick)
    words = "study portability --device cpu,serial --atoms 100 --steps 10 --repeat 2 --lines no --out out"
    Path("empty").mkdir()
    assert main([*words.split(), "--from", "empty"]) == 0
    assert order == [("cpu", cores()), ("serial", 1), ("cpu", cores())]
    content = json.loads(Path("out/portability.json").read_text())
    cpu, serial = content["measured"]
    assert (cpu["rate"], cpu["atoms"], cpu["by"]) == (pytest.approx(108 * 10 / (2.0 / 3)), 108, "Numba")
    assert (serial["rate"], serial["atoms"], serial["why"]) == (0.0, 108, "not for it")
    assert cpu["hardware"] == platforms.on_cores(HOST.machine(), cores())
    assert "0 of serial: not for it" in capsys.readouterr().out
    assert main([*words.split(), "--from", "empty", "--clock", "cpu"]) == 0
    assert json.loads(Path("out/portability.json").read_text())["measured"][0]["rate"] == 108 * 10 / 1.0
    capsys.readouterr()
    assert main("study portability --device vax --lines no".split()) == 1 and "vax" in capsys.readouterr().err


def test_a_card_has_no_cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    card = SimpleNamespace(many_threads=True, target="cuda", machine=lambda: "a card")
    monkeypatch.setattr(platforms, "choose", lambda device: card)
    with pytest.raises(InputError, match="cuda does not work in CPU time"):
        platforms.measured(["cuda"], "lj", 108, 2, 1, "cpu")


@pytest.mark.skipif(bool(devices.find("opencl")[0].why_not()), reason="there is no OpenCL here")  # type: ignore[index]
def test_cores_by_pocl_are_the_same_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small melt on a real device: what the driver calls its cores is this machine."""
    monkeypatch.chdir(tmp_path)
    rows = platforms.measured(["opencl"], "lj", 108, 2, 1)
    assert len(rows) == 1 and rows[0]["rate"] > 0 and rows[0]["seconds"]
    if rows[0]["by"] == "PoCL":
        assert rows[0]["hardware"] == platforms.on_cores(HOST.machine(), cores())


@pytest.mark.parametrize("target, way", [("cuda", "CUDA"), ("hip", "HIP")])
def test_places_go_by_spaces_not_by_words(target: str, way: str) -> None:
    """--device gpu and cuda:1 are CUDA, too."""
    space = SimpleNamespace(target=target, many_threads=True, machine=lambda: "Card")
    assert platforms.place(space) == {"hardware": "Card", "by": way}  # type: ignore[arg-type]
