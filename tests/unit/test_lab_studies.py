"""Studies of the laboratory: what they count is right, and each writes its table, its JSON file and a conclusion."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest

from everlet import settings
from everlet.cli import main
from everlet.lab import platforms, results
from everlet.lab import portability as measures
from everlet.lab.machine import peers
from everlet.lab.studies import clusters, distances, padding
from everlet.lab.studies import portability as portable_study
from everlet.perf import record
from everlet.version import __version__


def kept(folder: Path, name: str) -> dict:
    content = json.loads((folder / f"{name}.json").read_text())
    assert (folder / f"{name}.txt").read_text().strip() and content["command"][:2] == ["study", name] and content["rows"]
    return content


@pytest.mark.parametrize("words", [
    "breakdown --atoms 500 --cutoff 2.5 --steps 5", "padding --atoms 2048 --steps 20", "counts --atoms 256",
    "modules --atoms 1000", "distances --points 20 --batch 2,4", "layout --items 1000 --repeat 1",
    "strong --atoms 500 --threads 1,2 --steps 5", "weak --atoms 500 --threads 1 --steps 5",
    "conflicts --atoms 500 --cutoff 2.5 --steps 5", "portability --lines serial", "cycles", "machines", "project", "power",
    "clusters",
    "simulate --systems C1060_C --noise 1", "ewald --edge 4,6 --repeat 1", "gamma --systems lj --atoms 500 --cycles 1",
], ids=lambda words: words.split()[0])
def test_studies_keep_their_results(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bench.json").write_text(json.dumps({"machine": "NVIDIA H200", "rows": [bench_row(32000, 9e8)]}))
    more = ["--from", "bench.json"] if words.startswith("portability") else []
    assert main(["study", *(word.replace("_", " ") for word in words.split()), *more, "--out", "out"]) == 0
    name = words.split(maxsplit=1)[0]
    content = kept(tmp_path / "out", name)
    if name == "counts":  # the pair loop has about as many operations as hand-written code has instructions
        assert [row["force"] for row in content["rows"][:3]] == pytest.approx([38.0, 13.5, 8.75], rel=0.15)
    if name == "power":  # the equations say what was published for a machine that they were not fitted to
        assert content["rows"][0]["model"] == pytest.approx(367.84, rel=0.05)
    if name == "clusters":  # machines that were fitted to another class are near what was published for class E
        near = {row["machine"]: row["seconds"] / row["published"] for row in content["rows"] if row["published"]}
        assert near == {"c1060": pytest.approx(1.0, abs=0.05), "c2050": pytest.approx(1.0, abs=1e-6),
                        "dawndev": pytest.approx(1.0, abs=0.15), "hera": pytest.approx(1.0, abs=0.15)}
        assert content["conclusion"].count("holds") == 3 and "does not hold" not in content["conclusion"]
        for row in content["rows"]:
            assert row["seconds"] == pytest.approx(row["compute"] + row["network"] + row["pcie"])
    if name == "gamma":
        loop = max((row for row in content["rows"] if row["kernel"] != "whole step"), key=lambda row: row["share"])
        assert 0.0 < loop["gamma"] < float("inf") and loop["limit"] in ("arithmetic", "memory")
    if name != "portability":
        assert content["conclusion"] in capsys.readouterr().out


def bench_row(atoms: int, rate: float, who: str = "everlet") -> dict:
    return {"who": who, "system": "lj", "atoms": atoms, "rate": rate, "precision": "double", "device": "cuda", "cutoff": 2.5}


def test_padding_is_that_of_rows() -> None:
    """Rows of one length waste what is missing to whole registers; windows of equal rows waste nothing, unless they meet."""
    counts = np.full(128, 6)
    assert padding.across_neighbours(counts, 4) == pytest.approx(100 / 3) and padding.across_atoms(counts, 4) == 0.0
    apart = [np.arange(10 * i, 10 * i + 6) for i in range(4)]
    same = [np.array([7, i]) for i in range(4)]  # all four want atom 7
    assert padding.resolved(apart, 4) == 0.0
    assert padding.resolved(same, 4) > 50.0  # 7 goes to one at a time


def test_distances_agree() -> None:
    a, b = np.random.default_rng(2).random((2, 3, 7, 3))
    expected = ((a[:, :, None] - b[:, None]) ** 2).sum(axis=3)
    assert np.allclose(distances.direct(a, b), expected, rtol=1e-14)
    assert np.allclose(distances.products(a, b), expected, atol=1e-14)


def test_clusters_are_compared_where_they_can_be() -> None:
    hera = clusters.cluster("hera")
    rows = [clusters.run(hera, kind, nodes) | {"published": None} for kind in ("D", "E", "weak") for nodes in (1, 4)]
    said = clusters.conclusion(rows)
    assert "hold" not in said and "nan" not in said and "times grow 1.01 (hera)" in said


def test_scaling_needs_a_core_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("ranks", "threads"):
        assert main(["study", "weak", f"--{kind}", "1,4096"]) == 1
        assert f"4096 {kind} on" in capsys.readouterr().err


def test_what_products_give_is_said_by_size_of_block() -> None:
    def row(points: int, batch: int, direct: float, products: float) -> dict:
        return {"points": points, "batch": batch, "direct": direct, "products": products, "ratio": direct / products,
                "difference": 1e-15}

    many = [row(200, 10, 1.0, 0.4), row(200, 20, 2.1, 0.8), row(800, 10, 16.0, 20.0), row(800, 20, 32.0, 40.0)]
    said = distances.conclusion(many)
    assert "0.39 for 200 points, 1.25 for 800 points" in said and "holds here for 200 points only" in said
    assert said.endswith("linear in the batch holds here")
    assert distances.conclusion([row(200, 10, 1.0, 2.0), row(200, 20, 5.0, 9.0)]).count("does not hold here") == 2


def test_portability_merges_files_of_machines(tmp_path: Path) -> None:
    best = max(row["rate"] for row in peers() if (row["platform"], row["system"], row["atoms"]) == ("NVIDIA H200", "lj", 32000)
               and "precision" not in row)
    (tmp_path / "gpu.json").write_text(json.dumps({"machine": "NVIDIA H200", "rows": [bench_row(32000, 0.5 * best)]}))
    lines = {"f.py": [[1, 4]]}
    cpu = [{**bench_row(4000, rate, who), "device": "cpu", "rate_cpu": rate, "threads": 1}
           for who, rate in (("everlet", 3e6), ("lmp -sf opt", 2e6))]
    source = {"commit": record.commit(), "everlet": __version__}
    (tmp_path / "cpu.json").write_text(json.dumps({"machine": "a core", "rows": cpu, "lines": {"serial": lines}, **source}))
    merged = {"machine": "b", "rows": [], "lines": {"serial of a core": lines}, **source}
    (tmp_path / "merged.json").write_text(json.dumps(merged))
    (tmp_path / "old.json").write_text(json.dumps({"machine": "b", "rows": [], "lines": {"serial": lines}, "commit": "old"}))
    (tmp_path / "other.json").write_text(json.dumps({"lines": [1], "rows": []}))
    (tmp_path / "broken.json").write_text("{")
    cells, found, left = portable_study.gathered([str(tmp_path)], [])
    assert len(left) == 4 and "broken.json" in left[0] and "of commit old" in left[1]
    assert all("no rate of Everlet" in one for one in left[2:])
    rows = {row["platform"]: row for row in platforms.efficiencies(cells) if not row["system"].endswith("mixed")}
    assert rows["NVIDIA H200 by CUDA"]["efficiency"] == pytest.approx(0.5)
    core = rows["a core, one core by Numba"]
    assert core["efficiency"] == 1.0 and core["ratio"] == pytest.approx(1.5)
    assert portable_study.summed(list(rows.values()))[-1]["portability"] == pytest.approx(2 / 3)
    assert found == {"serial of a core": {"f.py": {1, 2, 3, 4}}}


def test_lines_of_functions_only() -> None:
    from everlet.lab import md
    from everlet.portable import Serial

    space = Serial()
    found = measures.lines_of(lambda: md.grid(2, (1.0, 1.0, 2.0)), space)
    assert set(found) == {"lab/md.py"} and space.watch is None


def test_report_is_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", "distances", "--points", "20", "--batch", "2,4", "--out", "results"]) == 0
    Path("results/bench.json").write_text(json.dumps({"rows": [{"a": 1, "b": "<b>"}], "command": ["bench", "lj"]}))
    Path("results/broken.json").write_text("{")
    assert main(["report", "results"]) == 0
    page = Path("results/report.html").read_text()
    assert page.startswith("<!doctype html>") and page.count("<h2") == 2 and "&lt;b&gt;" in page and "everlet bench lj" in page
    assert "left out: broken.json" in page and "left out: broken.json" in capsys.readouterr().out
    assert "<script" not in page and "<link" not in page and 'src="http' not in page  # it needs nothing else
    capsys.readouterr()
    for words, message in (("report", ""), ("report nowhere", "no folder"), ("report . .", "no log of a run"),
                           ("report --out x", "unknown")):
        assert main(words.split()) == 1
        assert message in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert main(["report", "empty"]) == 1 and "holds no results" in capsys.readouterr().err


def test_report_draws_what_has_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    """Result files are kept without pictures: the page draws them, as the study or the benchmark does."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert main(["study", "power", "--out", "a"]) == 0
    for ending in ("svg", "png", "txt"):
        Path(f"a/power.{ending}").unlink()
    Path("b").mkdir()
    Path("b/power.json").write_text(Path("a/power.json").read_text())  # of the same name: drawings must not share ids
    Path("b/lj.json").write_text(json.dumps({"command": ["bench", "lj"], "rows": [
        {**bench_row(4000, rate, who), "scheme": "half", "threads": 1} for who, rate in (("everlet", 3e6), ("lmp", 2e6))]}))
    Path("b/lu.json").write_text(json.dumps({"rows": [{"who": "a program of another kind"}]}))
    Path("b/lu.svg").write_text("no drawing")
    assert main(["lu", "--steps", "1", "--threads", "1", "--json", "b/sweeps.json"]) == 0
    assert main(["report", "."]) == 0
    page = Path("report.html").read_text()
    assert page.count("<figure><svg") == 4 and "everlet study lu" not in page
    assert "matplotlib" not in capsys.readouterr().out
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["report", "."]) == 0 and "pip install 'everlet[plot]'" in capsys.readouterr().out
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names)) > 20


def test_every_study_has_a_plot() -> None:
    assert set(results.plot) == set(results.study)


@pytest.mark.all
def test_lu_is_predicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(tmp_path))
    assert main(["measure", "lu"]) == 0
    words = "study wavefront --class S --ranks 1 --kblock 4 --steps 2 --out"
    assert main([*words.split(), str(tmp_path)]) == 0
    row = kept(tmp_path, "wavefront")["rows"][0]
    assert row["equations"] == pytest.approx(row["events"]) and row["measured"] > 0
