"""Pair styles with charges against the reference: energies, forces, pressures, mixing, tails and shifts, in plain Python; some
compiled. The long-range solver gives its g, and computes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.styles.tip4p import Tip4p
from tests.oracle.harness import DUMP, Tolerances, compare, run_everlet, run_lmp
from tests.tables import rows

LJ = ("1 1 0.1 1.8", "2 2 0.2 2.0", "3 3 0.15 1.5")
BUCK = tuple(f"{i} {j} {900 + 100 * i * j} 0.{18 + i + j} {30 * i + j}" for i in (1, 2, 3) for j in range(i, 4))
BORN = tuple(f"{i} {j} {0.1 * i} 0.{28 + j} 1.{i + j} {20 + i} {3 + j}" for i in (1, 2, 3) for j in range(i, 4))
DIEL = tuple(f"{i} {j} 60 {1.0 + j} 0.{5 + i}" for i in (1, 2, 3) for j in range(i, 4))
SOFT = ("1 1 0.1 1.8 0.6", "2 2 0.2 2.0 0.6", "3 3 0.15 1.5 0.6", "1 3 0.12 1.7 1.0")
MORSE = ("1 1 0.2 1.8 2.2 0.8", "2 2 0.3 1.5 2.5 0.4", "3 3 0.1 1.7 2.0 1", "1 2 0.2 1.6 2.1 0", "1 3 0.1 1.6 2.1 0.6",
         "2 3 0.2 1.6 2.1 0.7 3.5")
GAUSS = ("1 1 0.1 1.6 0.4", "2 2 0.2 1.5 0.5", "3 3 0.15 1.4 0.3", "2 3 0.12 1.5 0.7 3.5")
MOF = tuple(f"{i} {j} {400 * i} {2.8 + 0.1 * j} {20 * i} {6 + j} 0.{5 + i}" for i in (1, 2, 3) for j in range(i, 4))
NM = tuple(f"{i} {j} {0.1 * i} 2.{j} {9 + i} {5 + j}" for i in (1, 2, 3) for j in range(i, 4))
SPICA = tuple(f"{i} {j} lj{form} {0.1 * i} 1.{5 + j}" for (i, j), form in zip(
    [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)], ["9_6", "12_4", "12_6", "12_4", "9_6", "12_6"], strict=True))
KSPACE = "kspace_style ewald 1e-4\nkspace_modify gewald 0.55 compute no"
SCRIPT = """
units {units}
atom_style charge
read_data atoms.data
pair_style {style}
{coeffs}
{modify}
{kspace}
thermo_style custom step pe evdwl ecoul etail press pxx pyy pzz pxy pxz pyz
thermo_modify norm no format float %.17g
dump forces all custom 1 {dump} id type xu yu zu fx fy fz
dump_modify forces sort id format float %.17g
fix 1 all nve
run 0
"""


@dataclass(frozen=True)
class Style:
    """`slope`: forces of the reference are not the slopes of its energies, and ours are: energies alone are compared."""

    args: str
    coeffs: tuple[str, ...] = LJ
    modify: str = ""
    slope: bool = False
    start: float = 1e-11  # larger where the reference has 2/sqrt(pi) to nine digits


STYLES = {
    "coul/cut": Style("4", ("* *", "1 2 3.5")),
    "coul/cut/global": Style("4", ("* *",)),
    "coul/diel": Style("4", DIEL),
    "coul/exclude": Style("4", ("* *",)),
    "coul/slater/cut": Style("0.8 4", ("* *", "1 2 3.5")),
    "coul/slater/long": Style("0.8 4", ("* *",), "table 0"),
    "coul/cut/soft": Style("2 0.7 4", ("1 1 0.7", "2 2 0.7", "3 3 0.7", "2 3 0.2 3.5")),
    "coul/long/soft": Style("2 0.7 4", ("1 1 0.7", "2 2 0.7", "3 3 0.7", "2 3 0.2"), "table 0", slope=True),
    "coul/debye": Style("0.4 4", ("* *",)),
    "coul/dsf": Style("0.4 4", ("* *",)),
    "coul/wolf": Style("0.4 4", ("* *",), slope=True),
    "coul/long": Style("4", ("* *",), "table 0"),
    "lj/cut/coul/cut": Style("3.6 4", (*LJ, "1 2 0.12 1.9 3.5 3.2"), "shift yes"),
    "lj/cut/soft": Style("2 0.5 4", SOFT, "tail yes"),
    "lj/cut/coul/cut/soft": Style("2 0.5 0.7 3.6 4", (*SOFT, "2 3 0.12 1.9 0.5 3.5 3.2"), "shift yes"),
    "lj/cut/coul/long/soft": Style("2 0.5 0.7 3.6 4", (*SOFT, "2 3 0.12 1.9 0.5 3.5"), "table 0", slope=True),
    "lj/charmm/coul/long/soft": Style("2 0.5 0.7 2.5 3.5 4", SOFT, "table 0", slope=True),
    "lj/class2/soft": Style("2 0.5 4", SOFT),
    "lj/class2/coul/cut/soft": Style("2 0.5 0.7 3.6 4", (*SOFT, "2 3 0.12 1.9 0.5 3.5 3.2"), "shift yes"),
    "lj/class2/coul/long/soft": Style("2 0.5 0.7 3.6 4", (*SOFT, "2 3 0.12 1.9 0.5 3.5"), "table 0", slope=True),
    "morse/soft": Style("4 0.6 4", MORSE),
    "lj/expand/coul/long": Style("3.6 4", ("1 1 0.1 1.6 0.1", "2 2 0.2 1.5 0.3", "3 3 0.15 1.5 0", "2 3 0.12 1.5 0.4 3.5"),
                                 "table 0"),
    "lj/switch3/coulgauss/long": Style("3.6 4 0.9", GAUSS, "table 0", start=1e-10),
    "mm3/switch3/coulgauss/long": Style("3.6 4 0.9", ("1 1 0.1 1.0 0.4", "2 2 0.2 0.9 0.5", "3 3 0.15 0.8 0.3",
                                                      "2 3 0.12 0.8 0.7 3.5"), "table 0", start=1e-10),
    "buck6d/coul/gauss/dsf": Style("0.8 3.6 4", (*MOF, "2 3 600 3.0 30 7 0.6 3.5")),
    "buck6d/coul/gauss/long": Style("0.8 0.9 3.6 4", (*MOF, "2 3 600 3.0 30 7 0.6 3.5"), "table 0", start=2e-9),
    "lj/long/coul/long": Style("cut long 3.6 4", (*LJ, "2 3 0.12 1.9 3.5"), "table 0 shift yes"),
    "buck/long/coul/long": Style("cut long 3.6 4", (*BUCK, "1 2 800 0.3 10 3.5"), "table 0"),
    "nm/cut/coul/cut": Style("3.6 4", (*NM, "2 3 0.12 2.0 10 6 3.5 3.2"), "tail yes"),
    "nm/cut/coul/long": Style("3.6 4", (*NM, "2 3 0.12 2.0 10 6 3.5"), "table 0 shift yes"),
    "lj/gromacs/coul/gromacs": Style("2.5 4 2.2 3.6", LJ),
    "lj/spica/coul/long": Style("3.6 4", (*SPICA, "2 3 lj12_5 0.12 1.9 3.5"), "table 0"),
    "lj/cut/coul/debye": Style("0.4 3.6 4", LJ, "mix arithmetic tail yes"),
    "lj/cut/coul/dsf": Style("0.4 3.6 4", (*LJ, "2 3 0.12 1.9 3.5"), "tail yes"),
    "lj/cut/coul/wolf": Style("0.4 4.2", (*LJ, "2 3 0.12 1.9"), slope=True),
    "lj/cut/coul/long": Style("4.2 4", (*LJ, "2 3 0.12 1.9 3.5"), "table 0 tail yes mix sixthpower"),
    "lj/charmm/coul/charmm": Style("2.5 3.5 2.8 4", (*LJ[:2], "3 3 0.15 1.5 0.1 1.3"), slope=True),
    "lj/charmm/coul/charmm/implicit": Style("2.5 3.5 2.8 4", LJ),
    "lj/charmm/coul/long": Style("2.5 3.5 4", LJ, "table 0"),
    "lj/charmmfsw/coul/long": Style("2.5 3.5 4", LJ, "table 0", slope=True),
    "lj/charmmfsw/coul/charmmfsh": Style("2.5 3.5 4", LJ, slope=True),
    "lj/class2": Style("4", LJ, "tail yes mix arithmetic"),
    "lj/class2/coul/cut": Style("3.6 4", (*LJ, "1 2 0.12 1.9 3.5 3.2"), "shift yes"),
    "lj/class2/coul/long": Style("3.6 4", (*LJ, "1 2 0.12 1.9 3.5"), "table 0 tail yes"),
    "buck/coul/cut": Style("3.6 4", (*BUCK, "1 2 800 0.3 10 3.5 3.2"), "tail yes"),
    "buck/coul/long": Style("3.6 4", (*BUCK, "1 2 800 0.3 10 3.5"), "table 0 shift yes"),
    "born/coul/dsf": Style("0.4 3.6 4", BORN),
    "born/coul/wolf": Style("0.4 3.6 4", BORN, slope=True),
    "born/coul/long": Style("3.6 4", (*BORN, "1 2 0.3 0.3 1.5 20 5 3.5"), "table 0 tail yes"),
}

STYLES |= {f"{name}/cs": STYLES[name] for name in ("coul/wolf", "born/coul/dsf", "born/coul/wolf")}  # of cores and shells
WITH_SHELLS = ("coul/long", "lj/cut/coul/long", "lj/class2/coul/long", "buck/coul/long", "born/coul/long")
STYLES["lj/sdk/coul/long"] = STYLES["lj/spica/coul/long"]  # the older name
TABLED = {f"{name}/cs" for name in WITH_SHELLS}


def atoms(count: int = 60, apart: float = 1.5) -> str:
    """A data file of atoms at random places, three types, charges of many sizes whose sum is zero."""
    rng, box = np.random.default_rng(7), np.array([9.0, 9.5, 10.0])
    x, q = np.zeros((0, 3)), rng.uniform(-1.0, 1.0, count)
    while len(x) < count:
        place = rng.random(3) * box
        away = x - place
        away -= box * np.round(away / box)
        if (np.linalg.norm(away, axis=1) > apart).all():
            x = np.concatenate([x, place[None]])
    q -= q.mean()
    edges = [f"0 {edge} {axis}lo {axis}hi" for axis, edge in zip("xyz", box, strict=True)]
    rows = [f"{k + 1} {1 + k % 3} {q[k]:.15g} {x[k, 0]:.15g} {x[k, 1]:.15g} {x[k, 2]:.15g}" for k in range(count)]
    return "\n".join(["atoms", "", f"{count} atoms", "3 atom types", *edges, "", "Masses", "", "1 10", "2 12", "3 14", "",
                      "Atoms # charge", "", *rows, ""])


def script(name: str, units: str = "real", modify: str | None = None) -> str:
    one = STYLES[name]
    modify = one.modify if modify is None else modify
    coeffs = "\n".join(f"pair_coeff {line}" for line in one.coeffs)
    return SCRIPT.format(units=units, style=f"{name} {one.args}", coeffs=coeffs, dump=DUMP,
                         modify=f"pair_modify {modify}" if modify else "", kspace=KSPACE if "/long" in name else "")


def test_every_charged_style_is_here() -> None:
    kinds = {name: pair_style[name] for name in pair_style if issubclass(pair_style[name], ChargedStyle)}
    built_in = {name for name, kind in kinds.items() if kind.__module__.startswith("everlet.") and not issubclass(kind, Tip4p)
                and "dipole" not in name and not name.endswith("/msm")}  # test_dipoles.py, test_msm.py
    assert built_in | {"lj/class2", "lj/cut/soft", "lj/class2/soft", "morse/soft"} == set(STYLES) | TABLED  # test_core_shell.py


@pytest.mark.parametrize("name", STYLES)
def test_charged_styles(name: str, tmp_path: Path) -> None:
    files = {"atoms.data": atoms()}
    for units in ("real", "metal") if "fsw" in name else ("real",):
        theirs = run_lmp(script(name, units), files, tmp_path / "reference")
        ours = run_everlet(script(name, units), files, tmp_path / "ours", device="reference")
        if not STYLES[name].slope:
            compare(ours, theirs, Tolerances(start=STYLES[name].start))
            continue
        for word in ("PotEng", "E_vdwl", "E_coul"):
            np.testing.assert_allclose(ours.thermo[0][word], theirs.thermo[0][word], rtol=1e-11, err_msg=word)


@pytest.mark.parametrize("name", STYLES)
def test_forces_are_slopes(name: str, tmp_path: Path) -> None:
    """Of both parts, near, in the switch and beyond one of the cutoffs; with the exact erfc where there is a choice."""
    sim = Simulation(device="reference", screen="none", log="none")
    (tmp_path / "atoms.data").write_text(atoms())
    lines = script(name, modify="").replace("atoms.data", str(tmp_path / "atoms.data"))
    sim.commands(lines.partition("thermo_style")[0] + "run 0")
    style, tolerance = sim.engine.system.pair, 1e-6 if name.endswith("dsf") else 1e-9  # the error of the polynomial is no slope
    for r in (1.1, 2.4, 2.6, 3.1, 3.45, 3.7, 3.95):
        force = style.single(r * r, 1, 2, 0.7, -0.9)[0] * r
        step = 3e-4
        at = {k: style.single((r + k * step) ** 2, 1, 2, 0.7, -0.9)[1] for k in (-2, -1, 1, 2)}
        slope = (8.0 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12.0 * step)
        assert force == pytest.approx(-slope, rel=tolerance, abs=100 * tolerance), r


@pytest.mark.parametrize("name, device, precision, lists", [
    ("lj/cut/coul/long", "serial", "double", "half"), ("lj/cut/coul/long", "serial", "mixed", "full"),
    ("lj/charmm/coul/long", "cpu", "double", "full"),
    *(pytest.param(name, "serial", precision, "full", marks=pytest.mark.all)
      for name, one in STYLES.items() if not one.slope for precision in ("double", "mixed"))])
def test_compiled(name: str, device: str, precision: str, lists: str, tmp_path: Path) -> None:
    """As the reference has it by default: it looks long-range styles up in a table, we do not."""
    files, text = {"atoms.data": atoms()}, script(name, modify=STYLES[name].modify.replace("table 0", "table 12"))
    theirs = run_lmp(text, files, tmp_path / "reference")
    ours = run_everlet(f"package everlet neigh {lists}\n{text}", files, tmp_path / "ours", device, precision,
                       threads=2 if device == "cpu" else 0)
    limit = 1e-5 if precision == "mixed" else 1e-6 if name.endswith("long") else 1e-11
    compare(ours, theirs, Tolerances(start=limit))


@pytest.mark.parametrize("old, new, message", [
    ("kspace_style ewald 1e-4\nkspace_modify gewald 0.55 compute no", "", "kspace_style pppm 1e-4"),
    *rows("""
atom_style charge -> atom_style atomic -> charge
pair_style lj/charmm/coul/long 2.5 3.5 4 -> pair_style lj/charmm/coul/long 3.5 2.5 4 -> smaller one first
pair_style lj/charmm/coul/long -> pair_style lj/charmm/coul/charmm -> both, or none
pair_style lj/charmm/coul/long 2.5 3.5 4 -> pair_style lj/charmm/coul/charmm 2.5 3.5 4 3 -> smaller one first
pair_style lj/charmm/coul/long 2.5 3.5 4 -> pair_style lj/charmmfsw/coul/long 0 3.5 -> larger than 0
table 0 -> shift yes -> cannot be shifted
table 0 -> tail yes -> no tail
pair_style lj/charmm/coul/long 2.5 -> pair_style lj/cut/coul/cut -> coul/long
""")])
def test_refusals(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = script("lj/charmm/coul/long")
    assert old in text
    text = text.replace(old, new)
    data = atoms() if "atom_style charge" in text else "\n".join(
        " ".join(line.split()[:2] + line.split()[3:]) if len(line.split()) == 6 else line for line in atoms().splitlines())
    with pytest.raises(InputError) as caught:
        run_everlet(text, {"atoms.data": data.replace("# charge", "")}, tmp_path, device="reference")
    assert message in str(caught.value)


def test_files_keep_the_choice_of_erfc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "atoms.data").write_text(atoms())
    sim = Simulation(device="reference", screen="none", log="none")
    sim.commands(script("lj/charmm/coul/long") + "write_restart here")
    again = Simulation(device="reference", screen="none", log="none")
    again.commands(f"read_restart here\n{KSPACE}\nrun 0")
    assert again.engine.system.energies["coul"] == pytest.approx(sim.engine.system.energies["coul"], rel=1e-14)
    again.commands("pair_modify table 12\nrun 0")
    assert 1e-10 < abs(again.engine.system.energies["coul"] / sim.engine.system.energies["coul"] - 1.0) < 1e-6
