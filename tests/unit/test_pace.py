"""pair style pace: against the definition in plain NumPy, finite differences, threads, chunks, bad files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.forces.manybody.ace import radial, tables
from everlet.forces.manybody.ace.scheme import ExpansionScheme
from everlet.forces.manybody.ace.text_file import read
from everlet.forces.manybody.ace.yaml_text import Reader
from tests import ace_reference as plain
from tests.refusals import told

BOX = np.array([6.1, 5.9, 6.3])
KINDS = {"ChebExpCos": ("density", "FinnisSinclairShiftedScaled"), "ChebPow": ("distance", "FinnisSinclair"),
         "ChebLinear": ("zbl", "FinnisSinclairShiftedScaled"), "SBessel": ("zbl", "FinnisSinclair")}


def atoms(n: int = 8) -> np.ndarray:
    rng = np.random.default_rng(5)
    grid = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1]), axis=-1).reshape(-1, 3)[:n]
    return (grid * 0.5 + 0.25 + rng.uniform(-0.13, 0.13, (n, 3))) * BOX


def kinds_of(n: int, types: int) -> np.ndarray:
    return np.arange(n) * 5 % 7 % types + 1


def simulate(path: Path, elements: str = "Al Ni", device: str = "serial", style: str = "pace", x: np.ndarray | None = None,
             before: str = "", after: str = "", threads: int = 1, coeff: str = "* * {} {}") -> Simulation:
    x, types = atoms() if x is None else x, len(elements.split())
    sim = Simulation(device=device, log="none", tune=False, **({"threads": threads} if device == "cpu" else {}))
    made = "\n".join(f"create_atoms {t} single {a:.17g} {b:.17g} {c:.17g} units box"
                     for t, (a, b, c) in zip(kinds_of(len(x), types), x, strict=True))
    sim.commands(f"{before}\nunits metal\nregion box block 0 {BOX[0]} 0 {BOX[1]} 0 {BOX[2]} units box\ncreate_box {types} box\n"
                 f"mass * 10.0\n{made}\nneighbor 0.5 bin\npair_style {style}\n"
                 f"pair_coeff {coeff.format(path, elements)}\n{after}\nrun 0")
    return sim


def write(folder: Path, spec: dict[str, Any]) -> Path:
    (folder / "my.yace").write_text(plain.text(spec))
    return folder / "my.yace"


def check(sim: Simulation, spec: dict[str, Any], x: np.ndarray, species: np.ndarray, tolerance: float = 1e-9) -> None:
    energies, forces, virial = plain.expected(spec, x, species, BOX)
    size = np.abs(forces).max()
    assert sim.engine.system.energies["vdwl"] == pytest.approx(energies.sum(), rel=tolerance)
    np.testing.assert_allclose(sim.gather("f"), forces, atol=tolerance * size)
    np.testing.assert_allclose(sim.engine.system.virial, virial[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]],
                               atol=tolerance * np.abs(virial).max())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("device", ["serial", "reference"])
def test_numbers_are_those_of_the_definition(kind: str, device: str, tmp_path: Path) -> None:
    """Radial functions, inner cutoffs and embeddings of every kind, two species with cutoffs and sizes of their own."""
    inner, embedding = KINDS[kind]
    x = atoms(8 if device == "serial" else 3)
    spec = plain.made_up(radial=kind, inner=inner, embedding=embedding, rank=4 if device == "serial" else 3)
    sim = simulate(write(tmp_path, spec), x=x, device=device)
    check(sim, spec, x, kinds_of(len(x), 2) - 1)


@pytest.mark.parametrize("kind", KINDS)
def test_loops_of_gpus_give_the_same(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours on lanes, tiles of 32 atoms, products in parts, on a CPU."""
    inner, embedding = KINDS[kind]
    spec = plain.made_up(radial=kind, inner=inner, embedding=embedding)
    monkeypatch.setattr(ExpansionScheme, "on_many_threads", True)
    check(simulate(write(tmp_path, spec)), spec, atoms(), kinds_of(8, 2) - 1)


def test_forces_are_slopes_of_the_energy(tmp_path: Path) -> None:
    spec = plain.made_up(rank=5, densities=3, embedding="FinnisSinclair", seed=3)
    sim, x = simulate(write(tmp_path, spec)), atoms()
    force, u, h = sim.gather("f").copy(), np.random.default_rng(3).standard_normal(x.shape), 1e-4

    def energy(t: float) -> float:
        sim.set_array("x", (x + t * u)[sim.array("id") - 1])
        sim.commands("run 0")
        return float(sim.engine.system.energies["vdwl"])

    change = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    assert np.abs(force.sum(axis=0)).max() < 1e-11 * np.abs(force).max()
    assert -(force * u).sum() == pytest.approx(change, rel=1e-8, abs=1e-8 * np.abs(force).max())


def test_threads_chunks_and_ways_change_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, plain.made_up())
    one = simulate(path)
    for style, threads in (("pace product chunksize 4", 1), ("pace recursive", 2)):
        two = simulate(path, style=style, device="cpu", threads=threads)
        assert two.engine.system.energies["vdwl"] == pytest.approx(one.engine.system.energies["vdwl"], rel=1e-13)
        np.testing.assert_allclose(two.gather("f"), one.gather("f"), atol=1e-11 * np.abs(one.gather("f")).max())
        np.testing.assert_allclose(two.engine.system.virial, one.engine.system.virial, rtol=1e-10, atol=1e-9)


def test_half_lists_of_products_are_the_same(tmp_path: Path) -> None:
    """Files may list one of two products that are conjugated, with twice its coefficient."""
    spec = plain.made_up(half=True)
    check(simulate(write(tmp_path, spec)), spec, atoms(), kinds_of(8, 2) - 1)


def test_one_species_types_without_element_and_energies_of_atoms(tmp_path: Path) -> None:
    """Types of one element are the same, those of NULL are not there; energies and stresses of atoms add up."""
    spec = plain.made_up()
    path = write(tmp_path, spec)
    compute = "compute p all pe/atom\ncompute s all stress/atom NULL virial"
    sim = simulate(path, "Ni NULL Al", after=compute)
    kinds = kinds_of(8, 3)
    there = kinds != 2
    x = atoms()[there]
    energies, forces, virial = plain.expected(spec, x, np.where(kinds[there] == 1, 1, 0), BOX)
    np.testing.assert_allclose(sim.gather("f")[there], forces, atol=1e-9 * np.abs(forces).max())
    assert np.abs(sim.gather("f")[~there]).max() == 0.0
    assert sim.engine.system.energies["vdwl"] == pytest.approx(energies.sum(), rel=1e-10)
    row = np.argsort(sim.array("id"))
    of_atoms, stress = (sim.engine.system.computes[name].peratom()[row] for name in ("p", "s"))
    np.testing.assert_allclose(of_atoms[there], energies, rtol=1e-9)
    np.testing.assert_allclose(-stress[:, :3].sum(axis=0) / sim.engine.system.units.nktv2p, np.diag(virial),
                               atol=1e-9 * np.abs(virial).max())


def test_over_another_style_and_scaled(tmp_path: Path) -> None:
    path = write(tmp_path, plain.made_up())
    alone = simulate(path)
    both = simulate(path, style="hybrid/scaled 0.5 pace 0.5 pace chunksize 8", coeff="* * pace 1 {} {}",
                    after=f"pair_coeff * * pace 2 {path} Al Ni")
    assert both.engine.system.energies["vdwl"] == pytest.approx(alone.engine.system.energies["vdwl"], rel=1e-12)
    np.testing.assert_allclose(both.gather("f"), alone.gather("f"), atol=1e-11 * np.abs(alone.gather("f")).max())


def test_tables_cannot_be_told_from_formulas(tmp_path: Path) -> None:
    for kind, (inner, _) in KINDS.items():
        bond = read(str(write(tmp_path, plain.made_up(radial=kind, inner=inner)))).bonds[0, 1]
        table = tables.Table(bond.functions)
        table.add(lambda r, bond=bond: radial.base(bond, r), bond.cut, radial.kinks(bond))
        r = np.linspace(0.3, bond.cut * (1 - 1e-12), 5000)
        pieces = table.pieces[0]
        k = (r[:, None] >= pieces[:, 0]).sum(axis=1) - 1
        spot = (r - pieces[k, 0]) * pieces[k, 1] + pieces[k, 2]
        u = spot - np.floor(spot) - 0.5
        found = (table.data[np.floor(spot).astype(int)] * u[:, None, None] ** np.arange(tables.TERMS)).sum(axis=2)
        np.testing.assert_allclose(found, radial.base(bond, r), atol=2e-12 * np.abs(found).max())


def test_the_part_of_yaml_that_files_have() -> None:
    given = """# a comment
a: [1, 2.5, -3e-2]
b: {x: [[1, 2], [3, 4]], "y": word, 3: {z: 1}}
? [0, 1]
: {c: 1}
[1, 0]:
  d: 7   # another
  e:
  - {f: [a, b]}
  -
    g: 1
  - [1,
     2]
h: 'text'
"""
    found = Reader("f", given).document()
    assert found["a"].tolist() == [1.0, 2.5, -0.03] and found["b"]["y"] == "word" and found["b"][3] == {"z": 1}
    assert np.array(found["b"]["x"]).tolist() == [[1, 2], [3, 4]] and found[0, 1] == {"c": 1}
    inner = found[1, 0]
    assert inner["d"] == 7 and inner["e"][0] == {"f": ["a", "b"]} and inner["e"][1] == {"g": 1}
    assert inner["e"][2].tolist() == [1, 2] and found["h"] == "text"


BAD = [
    ("my.yace", lambda s: s.replace("radbasename: ChebExpCos", "radbasename: ACE.jl.Basic", 1),
     "radial functions ACE.jl.Basic cannot be done"),
    ("my.yace", lambda s: s.replace("npoti: FinnisSinclairShiftedScaled", "npoti: Mine", 1), "embeddings 0: npoti is Mine"),
    ("my.yace", lambda s: s.replace("  [0, 1]: {", "  [0, 7]: {"), "is not a pair of species"),
    ("my.yace", lambda s: s.replace("rcut: 3.9", "rcut: -3.9", 1), "must be more than 0"),
    ("my.yace", lambda s: s.replace("rank: 2, ", "").replace("ns: [", "ns: [9, ", 1), "n, "),
    ("my.yace", lambda s: s[: len(s) // 2], "line"),
    ("my.yace", lambda s: s.replace("elements:", "elements", 1), "line 2: "),
    ("my.yace", lambda s: s.replace("inner_cutoff_type: density", "inner_cutoff_type: soft"), "inner_cutoff_type is soft"),
    ("my.pt", lambda s: s, "does not know what kind of file"),
    ("my.ace", lambda s: s, "has no 'nelements='"),
]


@pytest.mark.parametrize("name, change, cause", BAD)
def test_bad_files_are_refused(name: str, change: Any, cause: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(change(plain.text(plain.made_up())))
    with told(cause):
        read(str(tmp_path / name))


@pytest.mark.parametrize("before, style, elements, cause", [
    ("newton off", "pace", "Al Ni", "needs newton on"), ("", "pace fast", "Al Ni", "unknown word of pair_style pace"),
    ("", "pace chunksize 0", "Al Ni", "chunksize is 0"), ("", "pace chunksize", "Al Ni", "without a number"),
    ("", "pace", "Al Xx", "element 'Xx' is not in"), ("", "pace", "NULL NULL", "all types are NULL"),
    ("package everlet scheme half", "pace", "Al Ni", "scheme of pace")])
def test_what_does_not_fit_is_refused(before: str, style: str, elements: str, cause: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=cause):
        simulate(write(tmp_path, plain.made_up()), elements, style=style, before=before)


def older(spec: dict[str, Any]) -> str:
    """A potential of one species in the older text."""
    bond, em, functions = spec["bonds"][0, 0], spec["embeddings"][0], spec["functions"][0]
    fs = em["FS_parameters"]
    lines = ["# a comment", "nelements=1", f"elements: {spec['elements'][0]}", f"lmax={bond['lmax']}",
             f"embedding-function: {em['npoti']}", f"{len(fs)} FS parameters: {' '.join(map(str, fs))}",
             f"core energy-cutoff parameters: {em['rho_core_cutoff']} {em['drho_core_cutoff']}", f"E0: {spec['E0'][0]}",
             f"radbasename={bond['radbasename']}", f"nradbase={bond['nradbasemax']}", f"nradmax={bond['nradmax']}",
             f"cutoffmax={bond['rcut']}", "deltaSplineBins=0.001",
             f"core repulsion parameters: {bond['prehc']} {bond['lambdahc']}", f"radparameter= {bond['radparameters'][0]}",
             f"cutoff= {bond['rcut']}", f"dcut= {bond['dcut']}",
             "crad= " + "\n".join(map(str, np.array(bond["radcoefficients"]).transpose(2, 0, 1).ravel())), "rankmax=4"]
    for ranks, title in ((1, "total_basis_size_rank1"), (9, "total_basis_size")):
        mine = [f for f in functions if (f["rank"] == 1) == (ranks == 1)]
        lines.append(f"{title}: {len(mine)}")
        for f in mine:
            lists = [f"{key}=( {' '.join(map(str, f[name]))} )" for key, name in (("mu", "mus"), ("n", "ns"), ("l", "ls"))]
            lines += [f"ctilde_basis_func: rank={f['rank']} ndens={f['ndensity']} mu0=0 {lists[0]}", *lists[1:],
                      f"num_ms={f['num_ms_combs']}"]
            for m, c in zip(np.reshape(f["ms_combs"], (-1, f["rank"])), np.reshape(f["ctildes"], (-1, f["ndensity"])),
                            strict=True):
                lines.append(f"<{' '.join(f'{k:2d}' for k in m)} >:  {' '.join(repr(float(v)) for v in c)}")
    return "\n".join(lines) + "\n"


def test_the_older_text_is_the_same(tmp_path: Path) -> None:
    spec = plain.made_up(("Cu",))
    (tmp_path / "my.ace").write_text(older(spec))
    check(simulate(tmp_path / "my.ace", "Cu"), spec, atoms(), np.zeros(8, int))


@pytest.mark.parametrize("change, cause", [
    (lambda s: s.replace("num_ms=1\n", "num_ms=2\n", 1), "num_ms=2 products with 2 coefficients should follow, not 1"),
    (lambda s: s.replace("cutoff= 3.9", "cutoff= far"), "numbers should follow 'cutoff='"),
    (lambda s: s[: len(s) * 2 // 3], "should follow, not"),
    (lambda s: s.replace("_size: 12", "_size: 13"), "functions, and says that there are"),
    (lambda s: s.replace("n=( 2 )", "n=( x )", 1), "is not a number"),
    (lambda s: s.replace("radbasename=ChebExpCos", "radbasename=Mine"), "radial functions Mine cannot be done")])
def test_bad_older_texts_are_refused(change: Any, cause: str, tmp_path: Path) -> None:
    (tmp_path / "my.ace").write_text(change(older(plain.made_up(("Cu",)))))
    with told(cause):
        read(str(tmp_path / "my.ace"))


def test_tables_for_fits(tmp_path: Path) -> None:
    """Rows of compute pace are those of compute mliap without its constants; slopes of single atoms add up to them."""
    path = write(tmp_path, plain.made_up(densities=1, rank=3))
    sim = simulate(path, after=f"compute m all mliap model linear descriptor ace {path}\ncompute p all pace {path}\n"
                   f"compute d all pace {path} 1 1")
    mliap, pace, single = (sim.engine.system.computes[name].array() for name in "mpd")
    width = (pace.shape[1] - 1) // 2
    columns = [k for k in range(2 * width + 2) if k % (width + 1)] + [-1]  # without the constant of each element
    np.testing.assert_allclose(pace, mliap[:, columns], rtol=1e-13)
    assert single.shape == (8 + 3 * 64 + 1, width + 3) and single[-1, 0] == pace[0, -1]
    of = single[8:-1, 3:].reshape(8, 8, 3, width)  # of atom i with the place of atom j, at [j, i]
    first = kinds_of(8, 2) == 1
    np.testing.assert_allclose(of[:, first].sum(axis=1).reshape(24, width), pace[1:25, :width], atol=1e-12)
    for words, cause in (("0 1", "dgradflag 1 needs bikflag 1"), ("2", "must be 0 or 1")):
        with pytest.raises(InputError, match=cause):
            sim.commands(f"compute x all pace {path} {words}")
