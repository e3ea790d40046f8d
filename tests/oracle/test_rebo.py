"""Bond-order potentials of hydrocarbons against the reference: energies, forces, pressures, energies and virials of atoms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import COLUMNS, DUMP, Case, Tolerances, compare, parse_dump, run_everlet, run_lmp
from tests.oracle.rebo_systems import SYSTEMS
from tests.oracle.test_cases import cache  # noqa: F401  (a fixture)

LIMITS = Tolerances(1e-10, 1e-8, first_force=1e-9, first_pressure=1e-9)  # the splines of files have some noise
LOOSE = Tolerances(1e-8, 1e-6)  # a pair whose bond is weak: docs/scripts.md
FILES = {"rebo": "CH.rebo", "airebo": "CH.airebo", "airebo/morse": "CH.airebo-m"}
PARTS = " c_part[1] c_part[2] c_part[3]"
STYLES = ("rebo", "airebo 3.0", "airebo/morse 3.0")
OTHERS = ("airebo 2.5 1 0", "airebo 3.0 0 1", "airebo 2.6 0 0", "airebo 2.8 1 1 2.3", "airebo/morse 1.6 1 1")
EACH = "compute each all pe/atom\ncompute stress all stress/atom NULL"
SHARES = ("c_each", *(f"c_stress[{k}]" for k in range(1, 7)))


def case(style: str, system: str, run: str = "run 10", more: str = "") -> Case:
    name = style.split(maxsplit=1)[0]
    lines = [SYSTEMS[system](), f"pair_style {style}", f"pair_coeff * * {FILES[name]} C H", f"compute part all pair {name}",
             "neighbor 1.0 bin", "velocity all create 300 4711 loop all", "fix 1 all nve", "timestep 0.0001", more]
    return Case(f"{style} {system}", "\n".join(lines), run, 5, [], columns=COLUMNS + PARTS)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("system", list(SYSTEMS))
def test_systems(system: str, style: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    script = case(style, system).full_script()
    compare(run_everlet(script, {}, tmp_path), run_lmp(script, {}, cache), LOOSE if system == "middle" else LIMITS)


@pytest.mark.parametrize("style", OTHERS)
def test_arguments(style: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    script = case(style, "molecules", "run 0").full_script()
    compare(run_everlet(script, {}, tmp_path), run_lmp(script, {}, cache), LIMITS)


@pytest.mark.parametrize("style", STYLES)
def test_energies_and_virials_of_atoms(style: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    script = case(style, "thin", "run 0", EACH).full_script().replace("yu zu fx fy fz", f"yu zu fx fy fz {' '.join(SHARES)}")
    run_everlet(script, {}, tmp_path)
    ours = parse_dump((tmp_path / DUMP).read_text())[0]
    theirs = run_lmp(script, {}, cache).frames[0]
    for word in SHARES:
        scale = max(abs(theirs[one]).max() for one in (SHARES[:1] if word == "c_each" else SHARES[1:]))
        np.testing.assert_allclose(ours[word], theirs[word], rtol=0, atol=1e-9 * scale, err_msg=word)


@pytest.mark.parametrize("style", STYLES)
def test_plain_python_and_threads(style: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    script = case(style, "small", "run 1").full_script()
    expected = run_lmp(script, {}, cache)
    compare(run_everlet(script, {}, tmp_path / "plain", device="reference"), expected, LIMITS)
    compare(run_everlet(script, {}, tmp_path / "threads", device="cpu", threads=2), expected, LIMITS)


@pytest.mark.parametrize("style", STYLES)
def test_forces_are_slopes(style: str) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(case(style, "dense").script)
    sim.run(0)
    forces, step = sim.forces.copy(), 1e-5
    for atom, axis in ((0, 0), (7, 1), (19, 2), (30, 0), (44, 1)):
        energies = []
        for far in (step, -2.0 * step):
            move = " ".join(repr(far) if k == axis else "0" for k in range(3))
            sim.commands(f"group one id {atom + 1}\ndisplace_atoms one move {move} units box\ngroup one clear")
            sim.run(0)
            energies.append(float(sim["pe"]))
        sim.commands(f"group one id {atom + 1}\ndisplace_atoms one move {move.replace('-2e-05', '1e-05')} units box\n"
                     "group one clear")
        assert abs((energies[1] - energies[0]) / (2.0 * step) - forces[atom, axis]) < 1e-7 * abs(forces).max()


@pytest.mark.parametrize("style, line, cause", [
    ("airebo", "* * CH.airebo C H", "pair_style airebo"), ("airebo 3.0 1", "* * CH.airebo C H", "one flag of two"),
    ("airebo 3.0 2 1", "* * CH.airebo C H", "'2' is no flag"), ("airebo none", "* * CH.airebo C H", "the cutoff is 'none'"),
    ("airebo 3.0 1 1 3.5", "* * CH.airebo C H", "is beyond the cutoff"), ("rebo 3.0", "* * CH.rebo C H", "pair_style rebo"),
    ("rebo", "* * CH.rebo C O", "has no element 'O'"), ("rebo", "* * nowhere C H", "there is no potential file 'nowhere'"),
    ("airebo/morse 3.0", "* * CH.airebo C H", "is not a whole number (the number of ends"),
    ("rebo", "* * CH.rebo C", "1 elements for 2 atom types"),
    ("airebo 3.0", "* * short C H", "the file ends"),
])
def test_refusals(style: str, line: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short").write_text("1.7 rcmin_CC\n1.3\n")
    sim = Simulation(device="reference", log="none", screen="none")
    with pytest.raises(InputError) as error:
        sim.commands(f"{SYSTEMS['small']()}\npair_style {style}\npair_coeff {line}\nfix 1 all nve")
    assert cause in f"{error.value.cause} {error.value.remedy}"


def test_units() -> None:
    sim = Simulation(device="reference", log="none", screen="none")
    with pytest.raises(InputError, match="is in units metal"):
        sim.commands(case("rebo", "small").script.replace("units metal", "units real") + "\nrun 0")
