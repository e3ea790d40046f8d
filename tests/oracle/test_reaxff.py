"""Reactive force fields against the reference: each energy, forces and pressures, with the charges that the reference found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.manybody.reaxff.scheme import ReaxScheme
from everlet.perf.systems import located
from everlet.portable import Kernel
from tests.oracle.harness import DUMP, LOG, Result, parse_dump, parse_log, run_everlet, working_in
from tests.oracle.reax_systems import FIELDS, TILTED, cloud, ffield
from tests.oracle.reference import lmp

TERMS = range(1, 15)
SCRIPT = """
units real
atom_style charge
boundary {boundary}
read_data {data}
{before}
pair_style reaxff {control} {words}
pair_coeff * * {field} {elements}
{charges}
neighbor 2.0 bin
neigh_modify every 1 delay 0 check yes
compute reax all pair reaxff
fix 1 all {fix}
timestep 0.1
thermo_style custom step pe evdwl ecoul press pxx pyy pzz pxy pxz pyz {terms}
thermo_modify format float %.17g norm no
thermo 5
{each}
dump forces all custom 5 {dump} id type q xu yu zu fx fy fz {columns}
dump_modify forces sort id format float %.17g
{run}
"""
QEQ = "fix q all qeq/reaxff 1 0.0 {high} 1e-10 reaxff maxiter 1000"
EACH = "compute each all pe/atom\ncompute stress all stress/atom NULL"
STRESSES = tuple(f"c_stress[{k}]" for k in range(1, 7))
FEW = ("cho", "AB", "lg")  # by default: without and with inner walls, tilted boxes, dispersion


def script(name: str, data: str, charges: str = "", **words: str) -> str:
    elements, said = FIELDS[name]
    found = dict(boundary="p p p", before="", each="", columns="", fix="nve", control="NULL", run="run 0", data=data,
                 field=ffield(name),
                 elements=elements,
                 words=said + ("" if charges else " checkqeq no"), charges=charges, dump=DUMP,
                 terms=" ".join(f"c_reax[{k}]" for k in TERMS))
    return SCRIPT.format(**found | words)


def reference(folder: Path, name: str, text: str = "", **words: str) -> Result:
    """What the reference says of a cloud; its charges are in the file `charged`."""
    folder.mkdir(exist_ok=True)
    (folder / "cloud").write_text(text or cloud(FIELDS[name][0], name in TILTED))
    qeq = QEQ.format(high="7.0" if name == "CH" else "10.0")
    log = lmp(folder, script(name, "cloud", qeq, **words) + "write_data charged nocoeff\n")
    return Result(parse_log(log), parse_dump((folder / DUMP).read_text()), log)


def agree(our: Result, ref: Result, start: float = 1e-10, later: float = 1e-8) -> None:
    for mine, theirs in zip(our.thermo, ref.thermo, strict=True):
        assert list(mine) == list(theirs)
        pressure = np.max([np.abs(theirs[word]) for word in theirs if word in ("Press", "Pxx", "Pyy", "Pzz")], axis=0)
        terms = np.max([np.abs(theirs[word]) for word in theirs if word.startswith("c_reax")], axis=0)  # what is left of them
        for word, values in theirs.items():
            scale = pressure if word.startswith("P") and word != "PotEng" else np.maximum(np.abs(values), 1e-3)
            scale = terms if word in ("PotEng", "E_vdwl") else scale
            limit = np.where(theirs["Step"] == theirs["Step"][0], start, later)
            assert (np.abs(mine[word] - values) <= limit * scale).all(), f"{word}: {mine[word]}, reference {values}"
    for step, theirs in ref.frames.items():
        largest = max(abs(theirs[word]).max() for word in ("fx", "fy", "fz"))
        for word in ("fx", "fy", "fz"):
            np.testing.assert_allclose(our.frames[step][word], theirs[word], rtol=0, atol=1e-9 * largest, err_msg=word)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in FEW else pytest.mark.all) for name in FIELDS])
def test_all_terms(name: str, tmp_path: Path) -> None:
    """And energies of atoms, and virials of atoms."""
    shares = dict(each=EACH, columns="c_each " + " ".join(STRESSES)) if name in ("AB", "CH") else {}
    ref = reference(tmp_path / "ref", name, **shares)
    our = run_everlet(script(name, str(tmp_path / "ref" / "charged"), **shares), {}, tmp_path)
    agree(our, ref, start=1e-9 if name == "V_O_C_H" else 1e-10)  # slopes of pi bonds: docs/scripts.md
    if shares:
        mine, theirs, energies = our.frames[0], ref.frames[0], abs(ref.frames[0]["c_each"])
        np.testing.assert_allclose(mine["c_each"], theirs["c_each"], rtol=0, atol=1e-9 * energies.max())
        largest = max(abs(theirs[word]).max() for word in STRESSES)
        for word in STRESSES:
            np.testing.assert_allclose(mine[word], theirs[word], rtol=0, atol=1e-9 * largest, err_msg=word)
    assert sum(abs(our.thermo[0][f"c_reax[{k}]"][0]) > 1e-4 for k in TERMS) >= (8 if name == "CH" else 10)


def test_every_file_of_the_package_is_here() -> None:
    folder = located(ffield("cho")).parent
    found = {path.name for path in folder.iterdir() if "reax" in path.name and path.name.startswith("ffield")}
    assert found == {ffield(name) for name in FIELDS}


@pytest.mark.parametrize("words", [
    dict(boundary="s s s"),  # vacuum
    dict(before="change_box all boundary p p f"),
    dict(words="enobonds no checkqeq yes"),
    dict(control="control"),
    dict(fix="npt temp 300 300 10 aniso 0 0 100"),  # virials at steps without energies
    pytest.param(dict(before="replicate 2 1 1"), marks=pytest.mark.all),
])
def test_boxes_and_words(words: dict[str, str], tmp_path: Path) -> None:
    """Several steps, with charges of its own. Some atoms have no bonds."""
    (tmp_path / "ref").mkdir()
    control = {"control": "dt 0.1 ! so\nnbrhood_cutoff 4.5\nhbond_cutoff 6.0\nthb_cutoff 0.002\nremove_CoM_vel 5\n"}
    (tmp_path / "ref" / "control").write_text(control["control"])
    text = cloud("C H O", atoms=40, edge=13.0)
    ref = reference(tmp_path / "ref", "cho", text, run="velocity all create 300 4711 loop all\nrun 10", **words)
    text = script("cho", str(tmp_path / "ref" / "cloud"), QEQ.format(high="10.0"),
                  run="velocity all create 300 4711 loop all\nrun 10", **words)
    agree(run_everlet(text, control, tmp_path), ref, 1e-8, 1e-7)


def energy(folder: Path, moved: int = 0, by: float = 0.0, threads: int = 0) -> Simulation:
    sim = Simulation(device="cpu" if threads else "serial", threads=threads, screen="none")
    before = f"group one id {moved}\ndisplace_atoms one move {by:.17g} 0 0 units box\n" if moved else ""
    text = SCRIPT.format(boundary="p p p", before=before, each="", columns="", fix="nve", control="NULL", words="checkqeq no",
                         data="cloud", field=ffield("FC"),
                         elements="C H O N S", charges="set type 1 charge 0.1\nset type 2 charge -0.05", dump=DUMP,
                         terms=" ".join(f"c_reax[{k}]" for k in TERMS), run="run 0")
    with working_in(folder):
        sim.commands(f"log {LOG}\n{text}log none\n")
    return sim


def test_forces_are_slopes_of_the_energy(tmp_path: Path) -> None:
    """Also of atoms with double bonds to heavy ones, where those of the reference are not; and threads agree."""
    (tmp_path / "cloud").write_text(cloud("C H O N S", atoms=50, edge=10.0, seed=3))
    sim = energy(tmp_path)
    force, kinds = sim.engine.system.whole.read("f").copy(), sim.engine.system.whole.read("type")
    ids = sim.engine.system.whole.read("id")
    rows = [int(np.flatnonzero(kinds == k)[0]) for k in (1, 3, 5)]
    rows.append(int(np.argmax(np.abs(force[:, 0]))))
    step = 2e-5
    for row in rows:
        up, down = (sum(energy(tmp_path, int(ids[row]), by).engine.system.energies.values()) for by in (step, -step))
        assert abs((down - up) / (2.0 * step) - force[row, 0]) < 1e-6 * np.abs(force).max()
    other = energy(tmp_path, threads=2)
    order = np.argsort(other.engine.system.whole.read("id"))
    np.testing.assert_allclose(other.engine.system.whole.read("f")[order], force[np.argsort(ids)], rtol=0,
                               atol=1e-11 * np.abs(force).max())


def test_plain_python_agrees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with the loops that threads of a GPU share."""
    found = {}
    for device, teams in (("serial", False), ("reference", False), ("reference", True)):
        if teams:
            monkeypatch.setattr(ReaxScheme, "_shared", lambda self, body, *statics, team=8: Kernel(
                body, statics=(*statics, ("TEAMS", True))))
        text = script("cho", "cloud", charges="set type 1 charge 0.1\nset type 2 charge -0.1", words="checkqeq no")
        files = {"cloud": cloud("C H O", atoms=14, edge=12.0, seed=5)}
        result = run_everlet(text, files, tmp_path / f"{device}{teams}", device)
        found[device, teams] = float(result.thermo[0]["PotEng"][0]), result.frames[0]["fx"]
    expected = found["serial", False]
    for energy, force in found.values():
        assert abs(energy - expected[0]) < 1e-11 * abs(expected[0])
        np.testing.assert_allclose(force, expected[1], rtol=0, atol=1e-11 * abs(expected[1]).max())


@pytest.mark.parametrize(("edit", "found"), [
    (("units real", "units metal"), "units real, and this simulation has units metal"),
    (("checkqeq no", ""), "needs a fix that finds charges"),
    (("C H O", "C H Xe"), "no element 'Xe'"),
    (("C H O", "C H"), "2 elements for 3 atom types"),
    (("NULL", "absent"), "there is no control file 'absent'"),
    (("NULL", "NULL lgvdw yes"), "line 50: 'H' where line 5 (dispersion) of element C should begin"),
    (("NULL", "NULL lgvdw maybe"), "lgvdw"),
    (("NULL", "NULL cutoff 3"), "cutoff"),
    (("NULL", "NULL tabulate -1"), "tabulate is -1"),
    (("atom_style charge", "atom_style charge\nnewton off"), "needs newton on"),
    (("ffield.reax.cho", "ffield.reax.lg"), "line 50: the first line of an element"),
])
def test_what_is_refused(edit: tuple[str, str], found: str, tmp_path: Path) -> None:
    text = script("cho", "cloud").replace(*edit)
    with pytest.raises(InputError) as error:
        run_everlet(text, {"cloud": cloud("C H O", atoms=10)}, tmp_path)
    assert found in str(error.value)
