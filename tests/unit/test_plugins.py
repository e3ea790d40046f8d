"""Plugins of every kind, from files and from installed packages: each is told what it has registered, and fails alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from everlet import InputError, Simulation
from everlet.cli import main
from everlet.fixes.base import fix_style
from everlet.forces.pair.base import pair_style
from everlet.run.installed import INSTALLED
from everlet.run.plugins import BASES, KINDS
from everlet.script.registry import command

EVERY = """
from everlet import *

@pair_style("t/pair")
class Pair(PairStyle):
    coeffs = dict(k=energy)
    @portable
    def pair(r2, p):
        return p.k, -0.5 * p.k * r2

@bond_style("t/bond")
class Bond(BondStyle): ...
@angle_style("t/angle")
class Angle(AngleStyle): ...
@dihedral_style("t/dihedral")
class Dihedral(DihedralStyle): ...
@improper_style("t/improper")
class Improper(ImproperStyle): ...
@kspace_style("t/kspace")
class Kspace(KspaceStyle): ...
@fix_style("t/fix")
class F(Fix): ...
@compute_style("t/compute")
class C(Compute): ...
@dump_style("t/dump")
class D(Dump): ...
@region_style("t/region")
class R(Region): ...
@min_style("t/min")
class M(Minimiser): ...
@command("t/command")
def c(sim, args):
    sim.log.write("called " + " ".join(args))
"""


@pytest.fixture(autouse=True)
def registries_as_before() -> Iterator[None]:
    kept = {kind: registry.own() for kind, registry in KINDS.items()}
    INSTALLED.forget()
    yield
    for kind, registry in KINDS.items():
        registry.restore(kept[kind])
    INSTALLED.forget()


def install(folder: Path, name: str, text: str, value: str = "") -> None:
    """A package as pip leaves it."""
    (folder / f"{name}.py").write_text(text)
    about = folder / f"{name}-1.5.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
    (about / "entry_points.txt").write_text(f"[everlet.plugins]\n{name}_styles = {value or name}\n")


def test_a_file_brings_every_kind(tmp_path: Path) -> None:
    (tmp_path / "every.py").write_text(EVERY)
    with Simulation(device="cpu", threads=1, log=str(tmp_path / "log")) as sim:
        found = sim.load_plugin(tmp_path / "every.py")
        assert list(found) == list(KINDS) == list(BASES) and all(len(names) == 1 for names in found.values())
        assert found["minimiser"] == ["t/min"] and found["command"] == ["t/command"]
        sim.commands("t/command me")
    log = (tmp_path / "log").read_text()
    assert "every.py': pair style t/pair, bond style t/bond" in log and "command t/command" in log and "called me" in log


def test_functions_and_classes_are_told_apart(tmp_path: Path) -> None:
    sim = Simulation(device="cpu", threads=1)
    for text, word in (('@command("t/x")\ndef x(sim):\n    pass\n', "function of a simulation and a list"),
                       ('@min_style("t/x")\nclass X:\n    pass\n', "class of Minimiser"),
                       ('@dump_style("t/x")\nclass X(Dump):\n    sorted_by_default = 3.5\n', "of the type bool")):
        (tmp_path / "wrong.py").write_text("from everlet import *\n" + text)
        with pytest.raises(InputError, match=word):
            sim.load_plugin(tmp_path / "wrong.py")


def test_installed_packages_bring_styles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    install(tmp_path, "t_good", "from everlet import *\n\n@fix_style('t/good')\nclass Good(Fix): ...\n")
    install(tmp_path, "t_made", "from everlet import *\n\ndef register():\n    @command('t/made')\n"
                                "    def made(sim, args):\n        1 / 0\n", "t_made:register")
    install(tmp_path, "t_bad", "from everlet import *\n\n@fix_style('t/half')\nclass Half(Fix): ...\n"
                               "raise OSError('no disk')\n")
    install(tmp_path, "t_thief", "from everlet import *\n\n@fix_style('nve')\nclass Mine(Fix): ...\n")
    install(tmp_path, "t_none", "")
    install(tmp_path, "t_wrong", "from everlet import *\n\n@fix_style('t/wrong')\nclass Wrong: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    nve = fix_style.own()["nve"]
    assert fix_style["nve"] is nve and not INSTALLED.plugins  # ours are found without a look at others
    assert fix_style["t/good"].__module__ == "t_good" and "t/made" in command
    assert fix_style["nve"] is nve and "t/half" not in fix_style and "t/wrong" not in fix_style
    told = {one.name.removesuffix("_styles"): str(one) for one in INSTALLED.plugins}
    assert told["t_good"] == "t_good_styles (t_good, t_good 1.5): fix t/good" and "command t/made" in told["t_made"]
    assert "OSError: no disk" in told["t_bad"] and "would replace our fix nve" in told["t_thief"]
    assert "registers no style" in told["t_none"] and "not a class of Fix" in told["t_wrong"]
    assert main(["info", "plugins"]) == 0 and told["t_bad"] in capsys.readouterr().out
    with Simulation(device="cpu", threads=1, log=str(tmp_path / "log")) as sim:
        sim.commands("info plugins")
        with pytest.raises(InputError, match=r"plugin .*t_made.py, line 6, in made: ZeroDivisionError"):
            sim.commands("t/made")
    assert told["t_thief"] in (tmp_path / "log").read_text()


def test_unknown_styles_are_still_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lj/cot"):
        pair_style["lj/cot"]
