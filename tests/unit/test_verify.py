"""everlet verify: ways that agree, three planted errors that it finds, stamps in logs."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from everlet.cli import main
from everlet.errors import InputError
from everlet.lab.verify import verify
from everlet.tools.stamp import line
from tests.scripts import melt

SCRIPT = melt("0 3 0 3 0 3", cutoff=1.8) + """
displace_atoms all random 0.05 0.05 0.05 4711
fix 1 all nve
{more}
dump 1 all atom 1 never.dump
run 100
write_data never.data
"""
PLUGIN = """
from everlet import EXTENSIVE, Fix, Gives, fix_style, portable
from everlet.portable import f64, parallel_for

@portable
def pull(i, x: f64[:, 4], f: f64[:, 3], factor: f64):
    f[i, 0] -= factor * x[i, 0]

@fix_style("test/pull")
class Pull(Fix):
    steady = has_energy = True
    gives = Gives(scalar=EXTENSIVE)

    def setup(self):
        self.post_force()

    def post_force(self):
        atoms, factor = self.system.atoms, {factor}
        parallel_for(self.system.space, atoms.n, pull, atoms.view("x"), atoms.view("f", modify=True), factor)

    def scalar(self):
        x = self.system.atoms.read("x")[:, 0]
        return 0.5 * float(self.system.ranks.sum((x * x).sum()))
"""
COARSE = """
from everlet import PairStyle, pair_style, portable
from everlet.forces.pair.quantities import energy

@pair_style("test/coarse")
class Coarse(PairStyle):
    coeffs = dict(k=energy)

    @portable
    def pair(r2, p):
        return (1e5 + p.k * r2) - 1e5, -0.25 * p.k * r2 * r2
"""
GIVEN = {"device": "serial", "precision": "double", "ranks": 1, "steps": 0, "lammps": "no", "var": [], "plugin": [],
         "trust": []}


def lines(folder: Path, more: str = "", **given: object) -> tuple[bool, dict[str, str]]:
    """The verdict, and what is said of each way."""
    script, said = folder / "in.verify", list[str]()
    script.write_text(SCRIPT.format(more=more))
    good = verify(str(script), GIVEN | given, said.append)
    return good, {text[:26].strip(): text[26:] for text in said[1:] if not text.startswith("verdict")}


def test_all_ways_of_a_melt_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.melt").write_text(SCRIPT.format(more=""))
    assert main(["verify", "in.melt", "--device", "serial", "--steps", "2", "--ranks", "2"]) == 0
    said = capsys.readouterr().out
    assert "verdict: 6 of 6 ways were compared, and agree" in said and not list(tmp_path.glob("never*")), said
    assert main(["run", "in.melt", "--device", "serial", "--log", "log", "--screen", "none"]) == 0
    assert ": all ways agree" in Path("log").read_text()
    assert "not on cuda in double precision" in line("in.melt", "cuda", "double")
    Path("in.melt").write_text(Path("in.melt").read_text() + "\n")
    assert "in.melt changed" in line("in.melt", "cpu", "double") and not line("in.other", "cpu", "double")


def test_a_lost_virial_is_found(tmp_path: Path) -> None:
    plugin = tmp_path / "pull.py"
    plugin.write_text(PLUGIN.format(factor=1.0))
    more = "fix 2 all test/pull\nfix_modify 2 energy yes"
    good, said = lines(tmp_path, more, plugin=[str(plugin)])
    assert not good and "DIFFERS: virial" in said["slopes of the energy"], said


def test_a_wrong_force_is_found(tmp_path: Path) -> None:
    plugin = tmp_path / "pull.py"
    plugin.write_text(PLUGIN.format(factor=1.01))
    good, said = lines(tmp_path, "fix 2 all test/pull\nfix_modify 2 energy yes", plugin=[str(plugin)])
    assert not good and "DIFFERS: forces" in said["slopes of the energy"], said


@pytest.mark.skipif(importlib.util.find_spec("pyopencl") is None, reason="pyopencl is not installed")
def test_another_number_on_gpus_is_found(tmp_path: Path) -> None:
    plugin = tmp_path / "pull.py"
    plugin.write_text(PLUGIN.format(factor="1.001 if self.system.space.many_threads else 1.0"))
    good, said = lines(tmp_path, "fix 2 all test/pull", plugin=[str(plugin)], device="opencl")
    wrong = [name for name, text in said.items() if "DIFFERS" in text]
    assert not good and len(wrong) == 1 and wrong[0].startswith("opencl"), said


def test_too_coarse_a_precision_is_found(tmp_path: Path) -> None:
    plugin = tmp_path / "coarse.py"
    plugin.write_text(COARSE)
    more = "pair_style test/coarse 1.8\npair_coeff 1 1 1.0"
    good, said = lines(tmp_path, more, plugin=[str(plugin)])
    assert "agrees" in said["serial, double"] and "agrees" in said["plain Python"], said
    good, said = lines(tmp_path, more, plugin=[str(plugin)], precision="mixed")
    assert not good and "DIFFERS" in said["serial, mixed"] and "agrees" in said["plain Python"], said


def test_a_script_without_atoms_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "in.empty"
    script.write_text("region b block 0 1 0 1 0 1\ncreate_box 1 b\nmass 1 1\nrun 1\n")
    with pytest.raises(InputError, match="has no atoms before its first run"):
        verify(str(script), GIVEN)
