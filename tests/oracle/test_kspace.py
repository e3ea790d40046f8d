"""Long-range solvers: lines of the log and forces against the reference, Madelung constants, solvers against each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.kspace.base import initial_g
from everlet.forces.kspace.pppm_error import MeshError, factorable
from everlet.perf.molecules import MOLECULES
from tests.oracle.harness import DUMP, FORCES_NOW, Tolerances, compare, run_everlet, run_lmp

SCRIPT = """
units {units}
atom_style charge
boundary {boundary}
read_data ions.data
pair_style {pair}
pair_modify table {table}
kspace_style {solver}
{modify}
thermo_style custom step pe ecoul elong press pxx pyy pzz pxy pxz pyz
""" + FORCES_NOW
PLAIN = "coul/long 4.0\npair_coeff * *"
FORCE_FIELD = """hybrid/overlay zbl 2.0 3.0 lj/charmmfsw/coul/long 3.0 4.0
pair_coeff * * zbl 6 6
pair_coeff * * lj/charmmfsw/coul/long 0.0 1.0"""
SAID = ("G vector", "grid =", "stencil order", "estimated", "KSpace vectors", "kxmax")
TILT = (2.0, 1.0, -1.5)
# solver, kspace_modify, boundary, tilted, net charge, units
CASES = {
    "ewald": ("ewald 1e-5", "", "p p p", False, 0.5, "real"),
    "ewald-given": ("ewald 1e-3", "kmax/ewald 3 4 5 gewald 0.6", "p p p", True, 0.0, "lj"),
    "ewald-slab": ("ewald 1e-4", "slab 3.0", "p p f", False, 0.5, "lj"),
    "ewald-nozforce": ("ewald 1e-4", "slab nozforce", "p p f", False, 0.0, "lj"),
    "pppm": ("pppm 1e-5", "", "p p p", False, 0.5, "real"),
    "pppm-tilted": ("pppm 1e-4", "", "p p p", True, 0.0, "metal"),
    "pppm-coarse": ("pppm 1e-4", "mesh 5 6 8 gewald 1.0", "p p p", True, 0.0, "lj"),
    "pppm-slab": ("pppm 1e-4", "slab 3.0", "p p f", False, 0.5, "lj"),
    "pppm-ad": ("pppm 1e-4", "diff ad gewald 0.7 mesh 20 20 21", "p p p", False, 0.0, "lj"),
    "pppm-cg": ("pppm/cg 1e-4 0.1", "", "p p p", False, 0.0, "lj"),
    "pppm-2": ("pppm 1e-2", "order 2", "p p p", False, 0.0, "lj"),
    "pppm-7": ("pppm 1e-3", "order 7", "p p p", False, 0.0, "lj"),
}
MORE = {f"pppm-{order}{diff}": ("pppm 1e-3", f"order {order} diff {diff} gewald 0.7 mesh 20 20 21", "p p p", False, 0.0, "lj")
        for order in (3, 4, 6, 7) for diff in ("ik", "ad")}


def ions(tilted: bool, net: float) -> str:
    """60 charges near the points of a lattice."""
    rng, n = np.random.default_rng(1), 60
    grid = np.array([(i, j, k) for i in range(4) for j in range(4) for k in range(4)])[:n]
    s = (grid + 0.5 + 0.25 * (rng.random((n, 3)) - 0.5)) / 4
    xy, xz, yz = TILT if tilted else (0.0, 0.0, 0.0)
    x = s @ np.array([[10.0, 0, 0], [xy, 11.0, 0], [xz, yz, 12.0]])
    q = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    q[0] += net
    tilt = f"{xy} {xz} {yz} xy xz yz\n" if tilted else ""
    rows = "\n".join(f"{i + 1} {1 + i % 2} {q[i]} " + " ".join(f"{value:.15g}" for value in x[i]) for i in range(n))
    return (f"ions\n\n{n} atoms\n2 atom types\n0 10 xlo xhi\n0 11 ylo yhi\n0 12 zlo zhi\n{tilt}\nMasses\n\n1 1\n2 1\n\n"
            f"Atoms # charge\n\n{rows}\n")


STAGGERED = {f"{name}-{diff}": (f"pppm/stagger {accuracy}", f"{modify} diff {diff}", boundary, False, net, "lj")
             for name, accuracy, modify, boundary, net in (
                 ("fine", "1e-4", "gewald 0.7 mesh 20 20 21", "p p p", 0.5), ("coarse", "1e-4", "order 4 gewald 2.0 mesh 8 9 8",
                                                                          "p p p", 0.0),
                 ("slab", "1e-3", "gewald 0.6 mesh 12 12 40 slab 3.0", "p p f", 0.0))
             for diff in ("ik", "ad") if name != "slab" or diff == "ik"}


def both(tmp_path: Path, case: tuple[str, str, str, bool, float, str], table: int = 0, pair: str = PLAIN,
         said: tuple[str, ...] = SAID) -> None:
    solver, modify, boundary, tilted, net, units = case
    script = SCRIPT.format(units=units, boundary=boundary, solver=solver, table=table, dump=DUMP, pair=pair,
                           modify=f"kspace_modify {modify}" if modify else "")
    files = {"ions.data": ions(tilted, net)}
    expected = run_lmp(script, files, tmp_path / "reference", allowed="charge neutral")
    found = run_everlet(script, files, tmp_path / "ours")
    if not table:
        compare(found, expected, Tolerances(1e-10, 1e-10))
    lines = [line.strip() for line in expected.log.splitlines() if line.strip().startswith(said)]
    assert lines and lines == [line.strip() for line in found.log.splitlines() if line.strip().startswith(said)]


@pytest.mark.parametrize("name", CASES)
def test_against_the_reference(name: str, tmp_path: Path) -> None:
    both(tmp_path, CASES[name])


@pytest.mark.parametrize("name", STAGGERED)
def test_two_meshes_against_the_reference(name: str, tmp_path: Path) -> None:
    """But for its estimate of the error, which is that of one mesh here."""
    both(tmp_path, STAGGERED[name], said=("G vector", "grid =", "stencil order"))


def test_two_meshes_are_better_than_one() -> None:
    found = {solver: displaced(f"{solver} 1e-5", "gewald 1.2 mesh 10 10 10" if solver[0] == "p" else
                               "gewald 1.2 kmax/ewald 12 12 12", 4.0).gather("f")
             for solver in ("ewald", "pppm", "pppm/stagger")}
    errors = {solver: np.sqrt(((found[solver] - found["ewald"]) ** 2).mean()) for solver in found}
    assert errors["pppm/stagger"] < 0.3 * errors["pppm"]


@pytest.mark.all
@pytest.mark.parametrize("name", MORE)
def test_orders(name: str, tmp_path: Path) -> None:
    both(tmp_path, MORE[name])


def test_tables_count_in_the_estimate(tmp_path: Path) -> None:
    both(tmp_path, CASES["pppm"], 12)


@pytest.mark.parametrize("solver", ["ewald", "pppm"])
def test_the_constant_of_a_force_field(solver: str, tmp_path: Path) -> None:
    """CHARMM's C is that of all parts: solver, accuracy and the choice of g, nuclear charges."""
    both(tmp_path, CASES[solver], pair=FORCE_FIELD)


def test_mesh_of_rhodopsin() -> None:
    """32 000 atoms, cutoff 10, 1e-4: figures of the reference's log."""
    lengths, n, accuracy = np.array([55.0, 77.0, 72.7261]), 32000, 1e-4 * 332.06371
    g0 = 0.24317651
    volume, cut = float(np.prod(lengths)), 10.0
    q2 = accuracy * np.sqrt(n * cut * volume) / (2.0 * np.exp(-((g0 * cut) ** 2)))
    assert abs(initial_g(accuracy, q2, n, cut, volume) - g0) < 1e-12
    mesh = MeshError(q2, n, np.array([*lengths, 0.0, 0.0, 0.0]), 5, "ik").mesh(g0, accuracy)
    assert tuple(map(factorable, mesh)) == (25, 32, 32)


CRYSTALS = {  # basis of charges 1 and -1 in a cubic cell, nearest distance, Madelung constant
    "NaCl": ([(0, 0, 0), (0, .5, .5), (.5, 0, .5), (.5, .5, 0)], (.5, .5, .5), 0.5, 1.7475645946),
    "CsCl": ([(0, 0, 0)], (.5, .5, .5), 3**0.5 / 2, 1.7626747731),
    "ZnS": ([(0, 0, 0), (0, .5, .5), (.5, 0, .5), (.5, .5, 0)], (.25, .25, .25), 3**0.5 / 4, 1.6380550534),
}


def crystal(name: str, solver: str, cut: float = 1.6, shift: float = 0.0) -> Simulation:
    """Cells of edge 2, so that there are few ions; `shift` moves all of them."""
    basis, other, _, _ = CRYSTALS[name]
    sites = [(p, 1) for p in basis] + [(tuple((np.array(p) + other) % 1.0), 2) for p in basis]
    sim = Simulation(device="serial")
    sim.commands("units lj\natom_style charge\nregion b block 0 4 0 4 0 4\ncreate_box 2 b\nmass * 1\n")
    for i, j, k in np.ndindex(2, 2, 2):
        for point, type in sites:
            x = 2.0 * (np.array(point) + (i, j, k)) + shift
            sim.commands(f"create_atoms {type} single {x[0]} {x[1]} {x[2]}")
    sim.commands(f"set type 1 charge 1\nset type 2 charge -1\npair_style coul/long {cut}\npair_coeff * *\npair_modify table 0\n"
                 f"kspace_style {solver}\n")
    return sim


@pytest.mark.parametrize("name", CRYSTALS)
def test_madelung_constants(name: str) -> None:
    distance, constant = 2.0 * CRYSTALS[name][2], CRYSTALS[name][3]
    sim = crystal(name, "ewald 1e-10")
    sim.commands("kspace_modify gewald 6.0 kmax/ewald 45 45 45\nrun 0")  # nearly all of it in Fourier space
    energies = sim.engine.system.energies
    per_ion = (energies["coul"] + energies["long"]) / sim.engine.system.natoms
    assert abs(2.0 * per_ion * distance + constant) < 1e-9


def test_ewald_and_pppm_agree() -> None:
    """Forces within the accuracy, on ions away from their sites; energies and virials of atoms add up to the ledger's."""
    found = {}
    for solver in ("ewald 1e-5", "pppm 1e-5"):
        sim = crystal("NaCl", solver)
        sim.commands("displace_atoms all random 0.2 0.2 0.2 4711\ncompute 1 all pe/atom kspace\n"
                     "compute 2 all stress/atom NULL kspace\nrun 0")
        long, virial = sim.engine.system.energies["long"], sim.engine.system.ledger.terms[solver.split()[0]].virial
        assert abs(sim.engine.system.computes["1"].now("peratom").sum() / long - 1.0) < 1e-11
        assert np.allclose(-sim.engine.system.computes["2"].now("peratom").sum(0), virial, rtol=1e-9, atol=1e-10)
        found[solver] = sim.gather("f")
    one, two = found.values()
    assert np.sqrt(((one - two) ** 2).sum(1).mean()) < 3e-5


def displaced(solver: str, modify: str, cut: float) -> Simulation:
    """Ions away from their sites, with the exact erfc."""
    sim = crystal("CsCl", solver, cut)
    sim.commands(f"displace_atoms all random 0.2 0.2 0.2 4711\npair_modify table 12\nkspace_modify {modify}\nrun 0")
    return sim


def test_the_energy_of_ewald_does_not_depend_on_g() -> None:
    energies = []
    for g, cut, vectors in ((0.8, 6.6, 7), (1.5, 3.6, 12), (2.5, 2.2, 20)):
        found = displaced("ewald 1e-10", f"gewald {g} kmax/ewald {vectors} {vectors} {vectors}", cut).engine.system.energies
        energies.append((found["coul"] + found["long"], found["long"]))
    whole = np.array(energies)[:, 0]
    assert np.ptp(whole) < 1e-10 * abs(whole[0]) and np.ptp(np.array(energies)[:, 1]) > 0.1 * abs(whole[0])


@pytest.mark.parametrize("solver, modify, error", [
    ("ewald", "gewald 2.0 kmax/ewald 16 16 16", 1e-9), ("pppm", "gewald 1.5 mesh 32 32 32 order 7", 1e-5),
    ("pppm", "gewald 1.5 mesh 32 32 32 order 7 diff ad", 1e-5), ("pppm/stagger", "gewald 1.5 mesh 27 27 27 order 7", 1e-5)])
def test_forces_of_solvers_are_slopes_of_their_energies(solver: str, modify: str, error: float) -> None:
    sim = displaced(f"{solver} 1e-5", modify, 2.2)
    assert sim.engine.loop is not None
    evaluator, atoms = sim.engine.loop.evaluator, sim.engine.system.atoms
    term, tally = evaluator.terms[-1], evaluator.tallies[-1]
    x, rng = atoms.read("x").copy(), np.random.default_rng(4)
    u = rng.standard_normal(x.shape)

    def energy(t: float) -> float:
        atoms.edit("x")[:] = x + t * u
        evaluator.sums.begin(True)
        term.compute(tally, evaluator.comm)
        evaluator.expect()
        return float(sim.engine.system.energies["long"])

    h = 1e-3
    slope = (8.0 * (energy(h) - energy(-h)) - energy(2.0 * h) + energy(-2.0 * h)) / (12.0 * h)
    atoms.edit("x")[:] = x
    atoms.edit("f")[:] = 0.0
    term.compute(None, evaluator.comm)
    f = atoms.read("f")
    assert abs(slope + (f * u).sum()) < error * np.sqrt((f * f).sum() * (u * u).sum())


@pytest.mark.all
def test_energy_of_water_drifts_no_more_than_in_the_reference(tmp_path: Path) -> None:
    """10 000 steps of 64 rigid molecules with PPPM; trajectories part. Of 216 SPC/E molecules (cutoff 9, 1e-5, 1 fs) slopes
    were -0.084 (reference) and -0.011 kcal/mol in 10 000 steps, the scatter about them 0.035 in both."""
    text = MOLECULES["water"].script(192).replace("coul/long 10.0", "coul/long 6.0")
    data = next(word for word in text.split() if word.endswith(".data"))
    script = text.replace(data, "water.data").replace("shake 1e-4 20", "shake 1e-6 50") + """pair_modify shift yes
unfix 2
fix 2 all nvt temp 300 300 50
timestep 1.0
run 2000
unfix 2
fix 2 all nve
thermo_style custom step etotal
thermo_modify norm no format float %.12g
thermo 20
run 10000
"""
    files = {"water.data": Path(data).read_text()}
    slopes, scatter = [], []
    for result in (run_everlet(script, files, tmp_path / "ours"), run_lmp(script, files, tmp_path / "reference")):
        table = result.thermo[-1]
        line = np.polyfit(table["Step"], table["TotEng"], 1)
        slopes.append(abs(line[0]) * 10000)
        scatter.append(float(np.std(table["TotEng"] - np.polyval(line, table["Step"]))))
    assert scatter[0] < 3.0 * scatter[1] and slopes[0] < max(2.0 * slopes[1], 5.0 * scatter[1]), (slopes, scatter)


def test_runs_with_solvers_follow_what_has_changed() -> None:
    """No loop of a run before is used again: solvers choose their meshes at every set-up."""
    sim = crystal("CsCl", "ewald 1e-5")
    sim.commands("fix 1 all nvt temp 1 1 1\nrun 1")
    first = sim.engine.loop
    sim.commands("unfix 1\nfix 1 all nve\nkspace_style pppm 1e-4\nrun 1")
    assert sim.engine.loop is not None and sim.engine.loop is not first and sim.engine.loop.evaluator.terms[-1].name == "pppm"


@pytest.mark.parametrize(("line", "said"), [
    ("kspace_style scafacos p3m 1e-4", "not available"),
    ("kspace_modify mesh 8 8 8", "no k-space style"),
    ("kspace_style pppm 1e-4\nkspace_modify wire 3", "periodic along one axis"),
    ("kspace_style pppm 1e-4\nkspace_modify order 8", "6 or 7 points"),
    ("kspace_style pppm 1e-4\nkspace_modify mesh 8 0 8", "must be positive"),
    ("kspace_style pppm 1e-4\nkspace_modify eigtol 1e-4", "dispersion"),
    ("kspace_style pppm 1e-4\nkspace_modify odrer 5", "unknown keyword"),
    ("kspace_style pppm 1e-4\nkspace_modify slab 3.0\nrun 0", "boundary p p f"),
    ("kspace_style pppm 0.0\nrun 0", "larger than 0"),
    ("kspace_style pppm 1e-4\npair_style lj/cut 2.5\npair_coeff * * 1 1\nrun 0", "leaves the long-range part"),
    ("kspace_style pppm 1e-4\nset type 1*2 charge 0\nrun 0", "all charges are zero"),
])
def test_refusals(line: str, said: str) -> None:
    sim = crystal("CsCl", "ewald 1e-4")
    sim.commands("kspace_style none")
    with pytest.raises(InputError, match=said):
        sim.commands(line)
