"""Words of ASE's LAMMPSlib and lammpsrun: each works here, or is refused by name. Atoms of ASE as arrays, and back."""

from __future__ import annotations

import inspect
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.io.ase_atoms import InASE, from_ase, to_ase

pytest.importorskip("ase")
from ase import Atoms, units
from ase.build import bulk
from ase.calculators.lammpslib import LAMMPSlib
from ase.calculators.lammpsrun import LAMMPS
from ase.constraints import FixAtoms, FixBondLength

from everlet.ase import Everlet
from everlet.ase.words import REFUSED, WORDS, read

PAIR = dict(pair_style="lj/cut 6.0", pair_coeff=["1 1 0.01 2.3", "2 2 0.02 2.6", "1 2 0.03 2.4"])
LINES = ["pair_style lj/cut 6.0", *(f"pair_coeff {line}" for line in PAIR["pair_coeff"])]


def salt(n: int = 2) -> Atoms:
    """Na comes first, Cl is first in the alphabet."""
    atoms = bulk("NaCl2", "fluorite", 6.0) if n == 3 else bulk("NaCl", "rocksalt", 5.0)
    atoms.rattle(0.1, seed=2)
    return atoms


def energy(**words: Any) -> float:
    with Everlet(**words, threads=1) as calc:
        found: float = calc.get_potential_energy(salt(3))
        return found


def test_types_are_in_the_order_of_each_dialect() -> None:
    by_alphabet, by_appearance = energy(**PAIR), energy(lmpcmds=LINES)
    assert not np.isclose(by_alphabet, by_appearance)
    for words in ({"species": ["Cl", "Na"]}, {"specorder": ["Cl", "Na"]}, {"atom_types": {"Cl": 1, "Na": 2}}):
        assert energy(**PAIR, **words) == by_alphabet == energy(lmpcmds=LINES, **words)
    assert energy(commands="\n".join(LINES)) == by_alphabet and energy(commands=LINES) == by_alphabet
    assert energy(**PAIR, species=["Na", "Cl"]) == by_appearance


def test_words_do_what_they_say(tmp_path: Path) -> None:
    usual = energy(**PAIR)
    header = ["units metal", "atom_style charge", "atom_modify map array sort 0 0"]
    assert energy(lmpcmds=LINES, lammps_header=header, atom_types={"Cl": 1, "Na": 2}) == usual
    assert energy(**PAIR, amendments=["pair_coeff 1 2 0.0 2.4"]) != usual
    assert energy(**PAIR, pair_modify="shift yes") != usual == energy(**PAIR, always_triclinic=True)
    assert np.isclose(energy(**PAIR, newton="off", neighbor="1.0 bin"), usual, rtol=1e-13)
    assert energy(**PAIR, boundary="p p p") == usual == energy(**PAIR, boundary=False)
    assert energy(commands=["units metal", *LINES]) == usual
    assert energy(**PAIR, model_init=["variable none equal 1\n"], model_post=["pair_coeff 1 2 0.0 2.4\n"]) != usual
    energy(**PAIR, log_file=str(tmp_path / "log"))
    assert "pair_style lj/cut 6.0" in (tmp_path / "log").read_text()
    with Everlet(**PAIR, masses=["1 10.0", "2 20.0"], write_velocities=True, group="first id 1",
                 fix="hold first setforce 0 0 0", threads=1) as calc:
        atoms = salt()
        atoms.set_velocities(np.full((2, 3), 0.1))
        assert not calc.get_forces(atoms)[0].any() and calc.get_forces(atoms)[1].any()
        assert np.allclose(calc.sim.velocities, 0.1 * 1000 * units.fs)
        assert calc.sim.engine.system.masses.tolist() == [0.0, 10.0, 20.0]
    with Everlet(**PAIR, atom_type_masses={"Na": 5.0}, threads=1) as calc:
        calc.get_potential_energy(salt())
        assert calc.sim.engine.system.masses[2] == 5.0 and np.isclose(calc.sim.engine.system.masses[1], 35.45)


def test_commands_after_changes() -> None:
    seen: list[Any] = []
    with Everlet(**PAIR, initializer=seen.append, amendments=["variable moved equal 1"],
                 post_changebox_cmds=["variable boxed equal 1"], threads=1) as calc:
        atoms = salt()
        calc.get_potential_energy(atoms)
        assert seen == [calc.sim] and calc.sim.thermo.value("v_moved") == 1.0
        with pytest.raises(InputError):
            calc.sim.thermo.value("v_boxed")
        atoms.set_cell(1.01 * atoms.cell[:], scale_atoms=True)
        calc.get_potential_energy(atoms)
        assert calc.sim.thermo.value("v_boxed") == 1.0


def test_molecules_from_a_data_file(tmp_path: Path) -> None:
    """Bonds are no part of Atoms: commands make box and atoms, ASE moves them."""
    (tmp_path / "two.data").write_text(
        "\n\n2 atoms\n1 bonds\n1 atom types\n1 bond types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n1 14.0\n\n"
        "Atoms # bond\n\n1 1 1 1.0 1.0 1.0\n2 1 1 1.0 1.0 2.0\n\nBonds\n\n1 1 1 2\n")
    with Everlet(lammps_header=["atom_style bond", "bond_style harmonic", f"read_data {tmp_path}/two.data"],
                 lmpcmds=["bond_coeff 1 3.0 1.1", "pair_style zero 3.0", "pair_coeff * *"], create_box=False,
                 create_atoms=False, boundary=False, threads=1) as calc:
        atoms = Atoms("N2", [[1.0, 1.0, 1.0], [1.0, 1.0, 2.3]], cell=[9, 9, 9], pbc=True)
        assert np.isclose(calc.get_potential_energy(atoms), 3.0 * 0.2**2)
        with pytest.raises(InputError, match="made 2 atoms.* and ASE has 4"):
            calc.get_potential_energy(atoms * (2, 1, 1))


def test_every_word_of_theirs_is_known() -> None:
    table = [line.split("``")[1] for line in inspect.getdoc(LAMMPSlib).splitlines() if line.startswith("``")]  # type: ignore[union-attr]
    known = {*table, *LAMMPSlib.default_parameters, *LAMMPS.default_parameters} - {"intializer"}
    assert known <= {*WORDS, *REFUSED}, known - {*WORDS, *REFUSED}
    usual = {**LAMMPS.default_parameters, **LAMMPSlib.default_parameters, "dump_properties": None, "thermo_args": None,
             "reduce_cell": True}
    read({**{name: value for name, value in usual.items() if value is not None and name != "lammps_header"}, **PAIR})


@pytest.mark.parametrize("words, said", [
    ({}, "no potential"), ({"pair_style": "sw"}, "belong together"), ({**PAIR, "pair_stile": "sw"}, "pair_style"),
    ({**PAIR, "tmp_dir": "x"}, "tmp_dir"), ({**PAIR, "reduce_cell": False}, "changes no result"),
    ({**PAIR, "run": "10"}, "run"), ({**PAIR, "comm": 3}, "mpiexec"),
    ({**PAIR, "read_molecular_info": True}, "read_data"), ({**PAIR, "species": ["Na"], "specorder": ["Na"]}, "both"),
    ({**PAIR, "keep_alive": 1}, "True or False"), ({**PAIR, "create_box": False}, "create_atoms"),
    ({**PAIR, "amendments": 3}, "list of lines"), ({**PAIR, "log": "a", "log_file": "b"}, "both"),
    ({**PAIR, "units": "real", "lammps_header": ["units metal"]}, "say it once"),
])
def test_words_that_are_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        Everlet(**words)
    assert said in str(error.value)


@pytest.mark.parametrize("words, said", [
    ({"units": "lj"}, "no size"), ({"units": "lj", "scale": {"energy": 1.0}}, "no size"),
    ({"scale": {"energy": 1.0, "length": 1.0, "mass": 1.0}}, "scale is for units lj"),
    ({"boundary": "p p f"}, "differ in what is periodic"),
])
def test_words_that_are_refused_with_atoms(words: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        Everlet(**PAIR, **words).get_potential_energy(salt())
    assert said in str(error.value)


@pytest.mark.parametrize("name", ["metal", "real", "electron", "si", "cgs", "micro", "nano"])
def test_units_agree_with_each_other(name: str) -> None:
    """m v² and energies, and what ASE's own table for LAMMPS says."""
    from ase.calculators.lammps import convert

    from everlet.state.units import Units

    ours, constants = InASE.of(name), Units.named(name)
    assert np.isclose(ours.mass * ours.velocity**2 / ours.energy, constants.mvv2e, rtol=2e-5 if name == "electron" else 1e-6)
    assert np.isclose(ours.length * constants.angstrom, 1.0, rtol=1e-6)
    if name not in ("nano", "micro"):
        for word in ("energy", "distance", "mass", "time", "charge"):
            want = convert(1.0, word, name, "ASE")
            assert np.isclose(getattr(ours, {"distance": "length"}.get(word, word)), want, rtol=2e-6), word


def test_atoms_there_and_back() -> None:
    atoms = salt()
    atoms.set_initial_charges([1.0, -1.0])
    atoms.set_masses([22.0, 35.0])
    atoms.set_velocities([[0.1, 0.2, 0.3], [0.0, 0.0, 0.0]])
    atoms.set_tags([3, 4])
    atoms.set_constraint([FixAtoms([1])])
    atoms.info["name"] = "salt"
    for name in ("metal", "real", "si"):
        taken = from_ase(atoms, InASE.of(name))
        assert taken.fixed.tolist() == [1] and taken.species == ["Na", "Cl"]
        found = to_ase(taken, InASE.of(name), {"energy": -3.0})
        assert np.allclose(found.positions, atoms.positions, rtol=1e-14) and np.allclose(found.cell, atoms.cell, rtol=1e-14)
        assert np.allclose(found.get_velocities(), atoms.get_velocities(), rtol=1e-14) and found.info == atoms.info
        assert np.allclose(found.get_masses(), [22.0, 35.0]) and found.get_tags().tolist() == [3, 4]
        assert np.allclose(found.get_initial_charges(), [1.0, -1.0]) and found.get_potential_energy() == -3.0
        assert found.constraints[0].get_indices().tolist() == [1] and (found.pbc == atoms.pbc).all()
    plain = from_ase(salt(), InASE.of("metal"))
    assert plain.velocities is None and plain.charges is None and plain.tags is None and not len(plain.fixed)
    assert np.isclose(from_ase(atoms, InASE.of("metal")).velocities[0, 0], 0.1 * 1000 * units.fs)  # type: ignore[index]
    atoms.set_constraint(FixBondLength(0, 1))
    with pytest.raises(InputError, match="FixBondLength"):
        from_ase(atoms, InASE.of("metal"))


def test_simulations_take_and_give_atoms() -> None:
    atoms = salt(3)
    atoms.set_masses([23.0, 35.0, 35.0])
    atoms.set_velocities(np.arange(9.0).reshape(3, 3) / 100)
    atoms.set_tags([5, 6, 7])
    atoms.set_constraint(FixAtoms([2]))
    atoms.info["name"] = "salt"
    with Simulation(units="real", device="cpu", threads=1) as sim:
        sim.from_ase(atoms)
        found = sim.to_ase()
        assert np.allclose(found.positions, atoms.positions) and np.allclose(found.cell, atoms.cell)
        assert found.info["name"] == "salt"
        assert (found.symbols == atoms.symbols).all() and found.get_tags().tolist() == [5, 6, 7]
        assert np.allclose(found.get_velocities()[:2], atoms.get_velocities()[:2]) and not found.get_velocities()[2].any()
        assert found.constraints[0].get_indices().tolist() == [2] and np.allclose(found.get_masses(), [23.0, 35.0, 35.0])
        with sim.copy() as other:
            assert other.to_ase().get_tags().tolist() == [5, 6, 7]
        sim.commands("group one id 1\nfix a one setforce 0 0 0\nfix b all setforce 0 NULL 0\ndelete_atoms group one")
        found = sim.to_ase()
        assert sorted(found.get_tags()) == [6, 7] and found.get_tags()[found.constraints[0].get_indices()].tolist() == [7]
        assert sim.to_ase(species=["K", "Br"]).get_chemical_symbols() == ["Br", "Br"]
        with pytest.raises(InputError, match="2 types, and 1 species"):
            sim.to_ase(species=["K"])


def test_restart_files_are_a_format_of_ase(tmp_path: Path) -> None:
    import ase.io
    from ase.io import formats

    entry = EntryPoint("everlet-restart", "everlet_formats:restart", "ase.ioformats")
    if "everlet-restart" not in formats.ioformats:  # it is, where Everlet was installed
        formats.define_external_io_format(entry)
    with Simulation(units="metal", device="cpu", threads=1) as sim:
        sim.from_ase(salt()).save(tmp_path / "named.restart")
    found = ase.io.read(tmp_path / "named.restart")  # in the axes of the box
    assert np.isclose(found.get_distance(0, 1, mic=True), salt().get_distance(0, 1, mic=True))
    assert found.get_chemical_symbols() == ["Na", "Cl"] and np.isclose(found.get_volume(), salt().get_volume())
    with Simulation(units="metal", device="cpu", threads=1) as sim:
        sim.create(salt().positions, types=[1, 2], cell=salt().cell[:], masses=[22.99, 35.45])
        sim.save(tmp_path / "plain")
        sim.commands("mass 1 5.5")
        sim.save(tmp_path / "odd")
    assert ase.io.read(tmp_path / "plain").get_chemical_symbols() == ["Na", "Cl"]  # known by its first bytes
    assert ase.io.read(tmp_path / "odd", species=["Cu", "Cu"]).get_chemical_symbols() == ["Cu", "Cu"]
    with pytest.raises(InputError, match="no element has a mass of 5.5"):
        ase.io.read(tmp_path / "odd")
