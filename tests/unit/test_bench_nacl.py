"""everlet bench nacl: the energy of the crystal, and the model that chooses the cutoff, without a clock."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from everlet.cli import main
from everlet.perf import bench, nacl
from everlet.portable import Serial


def test_energy_of_a_small_crystal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "n.json"
    words = f"bench nacl --edge 6,8 --solver ewald,pppm --accuracy 1e-5 --device serial --repeat 2 --json {path}"
    assert main(words.split()) == 0
    content, shown = json.loads(path.read_text()), capsys.readouterr().out
    assert [(row["solver"], row["ions"]) for row in content["rows"]] == [(solver, n) for solver in ("ewald", "pppm")
                                                                       for n in (216, 512)]
    for row in content["rows"]:
        assert 0.0 < row["error"] < 1e-5 and row["error"] == abs(row["madelung"] / 1.7475645946 - 1.0)
        assert f"{row['madelung']:.10f}" in shown and len(row["runs"]) == 2
        parts = row["seconds"]
        assert all(parts[name] > 0.0 for name in ("Neigh", "Pair", "Kspace"))
        assert parts["all"] >= 0.99 * (parts["Pair"] + parts["Kspace"]), "the parts belong to one evaluation"
    assert "1.7475645946" in shown and "ewald: time ~ N^" in shown and "pppm: time ~ N^" in shown


@pytest.mark.parametrize("accuracy", [1e-4, 1e-6])
@pytest.mark.parametrize("ratio", [0.05, 0.25])
def test_the_model_grows_as_it_should(accuracy: float, ratio: float) -> None:
    """Work ~ N^1.5 at r_c ~ N^(1/6); with the cutoff of the smallest crystal it grows as N^2."""
    edges = (16, 32, 64, 128)
    cuts = [nacl.best_cutoff(edge, accuracy, ratio) for edge in edges]
    work = [nacl.work(edge, cut, accuracy, ratio) for edge, cut in zip(edges, cuts, strict=True)]
    ions = math.log(8.0)
    for k in range(3):
        assert abs(math.log(work[k + 1] / work[k]) / ions - 1.5) < 0.04
    assert abs(math.log(cuts[3] / cuts[0]) / (3.0 * ions) - 1.0 / 6.0) < 0.02
    assert nacl.work(128, cuts[0], accuracy, ratio) > 4.0 * work[3]


def test_the_model_counts_vectors_and_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers are those of the solver and of a crystal."""
    given = {"accuracy": 1e-5, "device": "serial", "threads": 1, "repeat": 1}
    cut = nacl.best_cutoff(8, 1e-5, 0.12)
    row = nacl.measure("ewald", 8, cut, given)
    vectors = (nacl.work(8, cut, 1e-5, 1.0) - nacl.work(8, cut, 1e-5, 0.0)) / 512
    assert abs(vectors / row["vectors"] - 1.0) < 0.15
    close = sum(0 < i * i + j * j + k * k < cut * cut for i in range(-9, 10) for j in range(-9, 10) for k in range(-9, 10))
    assert abs(nacl.work(8, cut, 1e-5, 0.0) / 512 / (close / 2) - 1.0) < 0.1
    monkeypatch.setattr("os.sysconf", lambda name: {"SC_PAGE_SIZE": 4096}.get(name, 1 << 20))
    bound = nacl.longest_cutoff(128, Serial())
    assert abs(4.0 * 128**3 * 2.0 * math.pi / 3.0 * bound**3 / 2**31 - 1.0) < 1e-12
    assert nacl.best_cutoff(128, 1e-5, 0.12, bound) < bound < nacl.best_cutoff(128, 1e-5, 0.12)


@pytest.mark.parametrize(("words", "message"), [
    ("--edge 7", "even number"), ("--edge 130", "4 to 128"), ("--solver msm", "unknown value of --solver"),
    ("--accuracy 0", "positive"), ("--atoms 5", "unknown option '--atoms'"), ("--device serial --threads 2", "no meaning"),
])
def test_refusals(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "nacl", *words.split()]) == 1
    assert message in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "nacl", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"--{name}" in shown for name in nacl.KNOWN) and "bench nacl" in str(bench.__doc__)
    assert f"{nacl.CPU_RATIO} on a CPU, {nacl.RATIOS['cuda']} on a GPU" in shown
