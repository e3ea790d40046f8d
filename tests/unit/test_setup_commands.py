"""Set-up commands: what they set and what they refuse. Atoms against the reference: tests/oracle/test_create.py."""

from types import SimpleNamespace

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import Neighbor
from everlet.portable.spaces import Serial
from everlet.script.commands import change_box, create, create_atoms, group, system
from everlet.state.system import System
from tests.tables import rows

COMMANDS = {
    "units": system.units, "dimension": system.dimension, "boundary": system.boundary, "atom_style": system.atom_style,
    "atom_modify": system.atom_modify, "newton": system.newton, "processors": system.processors,
    "labelmap": system.labelmap, "lattice": create.lattice, "region": create.region, "create_box": create.create_box,
    "create_atoms": create_atoms.create_atoms, "group": group.group, "change_box": change_box.change_box}
BOX = "region b block 0 3 0 3 0 3; create_box 2 b; create_atoms 1 random 10 7 NULL"


def run(script: str, sim: SimpleNamespace | None = None) -> SimpleNamespace:
    if sim is None:
        said: list[str] = []
        log = SimpleNamespace(write=said.append, warning=lambda text: said.append(f"WARNING: {text}"))
        sim = SimpleNamespace(system=System(Serial()), neighbor=SimpleNamespace(skin=0.3), said=said, log=log)
    for line in script.split(";"):
        words = line.split()
        COMMANDS[words[0]](sim, words[1:])
    return sim


def test_units_bring_their_defaults():
    sim = run("units real")
    assert (sim.system.units.name, sim.system.dt) == ("real", 1.0)
    settings = NeighborSettings(skin=sim.neighbor.skin)
    assert Neighbor(sim.system, settings).skin == 2.0


def test_settings():
    sim = run("dimension 2; boundary f s p; newton off; atom_modify map hash sort 50 1.5; "
              "processors * 1 * grid onelevel map yxz")
    assert sim.system.dimension == 2 and sim.system.boundary == "ff ss pp" and sim.system.sort_every == 50
    assert sim.system.newton is False and sim.system.newton_given
    assert sim.system.processors == (0, 1, 0) and sim.system.rank_order == "yxz"


@pytest.mark.parametrize("line,cause", rows("""
units reel -> 'reel'
units -> 1 argument
dimension 4 -> '4'
boundary p p -> 3 arguments
boundary p p q -> 'q'
atom_style template -> template is not supported
atom_style atomik -> 'atomik'
atom_modify id no -> id no
atom_modify sort -1 0 -> 0 or more
atom_modify map tree -> 'tree'
atom_modify srt 1 2 -> 'srt'
newton maybe -> 'maybe'
newton on off on -> 1 to 2
processors 2 1 1 -> 2 processes
processors 0 1 1 -> 1 or more
processors 1 1 1 grid numa -> grid numa
processors 1 1 1 map xxy -> map xxy
processors 1 1 1 map -> a value
processors 1 1 1 part 1 2 multiple -> processors part
processors 1 1 1 file f -> file f
processors 1 1 1 mpa xyz -> 'mpa'
labelmap atom 1 A -> no simulation box
create_atoms 1 box -> no simulation box
group a id 1 -> no simulation box
create_box 1 nobody -> 'nobody'
create_box 0 b -> 1 or more
region b delete -> 'b'
create_box 1 NULL -> 6 arguments
create_box 1 NULL 0 1 0 1 0 1 -> where the box points
create_box 1 b angle/types 2 -> has no angles
"""))
def test_refusals_without_box(line, cause):
    with pytest.raises(InputError, match=cause):
        run(line)


@pytest.mark.parametrize("line,cause", rows("""
units metal -> too late
dimension 2 -> too late
boundary p p p -> too late
create_box 1 b -> exists already
atom_modify map hash -> too late
region b block 0 1 0 1 0 1 -> exists already
labelmap atom 3 A -> out of range
labelmap atom 1 9A -> '9A'
labelmap atom 1 -> pairs
labelmap atom 1 A 2 A -> names atom type 1
labelmap bond 1 A -> bond
labelmap write -> 2 arguments
create_atoms 3 random 1 1 NULL -> out of range
create_atoms 1 box -> needs a lattice
create_atoms 1 boks -> 'boks'
create_atoms 1 mesh f.stl -> mesh
create_atoms 1 single 1 1 -> 3 arguments
create_atoms 1 single 1 1 1 basis 1 1 -> no use
create_atoms 1 random 5 0 NULL -> seed 0
create_atoms 1 random -5 1 NULL -> -5
create_atoms 1 random 5 1 nobody -> 'nobody'
create_atoms 1 random 5 1 NULL overlap -1.0 -> overlap
create_atoms 1 random 5 1 NULL maxtri 5 -> 'maxtri'
create_atoms 1 single 1 1 1 units foo -> 'foo'
region far block 8 9 8 9 8 9; create_atoms 1 random 5 1 far -> no place in common
lattice fcc 1.0; create_atoms 1 box basis 5 1 -> basis site 5
group a typ 1 -> 'typ'
group a molecule 1 -> molecule
group a dynamic no -> unknown group
group a dynamic all evry 2 -> 'evry'
group all dynamic all -> dynamic part
group a include molecule -> molecule
change_box all x -> change of
change_box all xy final 1 -> no tilt
change_box all y volume -> must follow
change_box all boundary p p q -> boundary
group a id x -> 'x'
group a id 1:5:0 -> '1:5:0'
group a id 1:2:3:4 -> not a range
group a id < 1 2 -> 2 arguments
group a id <> 1 -> 3 arguments
group a region nobody -> 'nobody'
group a subtract all -> 2 or more
group a union nobody -> 'nobody'
group a clear -> 'a'
group all delete -> all
group a empty 1 -> 0 arg
"""))
def test_refusals_with_box(line, cause):
    with pytest.raises(InputError, match=cause):
        run(f"{BOX}; {line}")


def test_boxes_of_two_dimensions():
    with pytest.raises(InputError, match="below and above"):
        run("dimension 2; region b block 0 1 0 1 0 1; create_box 1 b")
    with pytest.raises(InputError, match="periodic in z"):
        run("dimension 2; boundary p p f; region b block 0 1 0 1 -1 1; create_box 1 b")


def test_box_of_half_space():
    with pytest.raises(InputError, match="bounding box"):
        run("region b sphere 0 0 0 1 side out; create_box 1 b")


def test_skewed_box_warns():
    assert any("tilt xy" in line for line in run("region b prism 0 2 0 2 0 2 1.5 0 0; create_box 1 b").said)


def test_atoms_outside_are_said():
    sim = run(f"{BOX}; create_atoms 1 single 9 9 9")
    assert sim.system.natoms == 10 and any("outside the box" in line for line in sim.said)


def test_new_atoms_are_plain():
    atoms = run(BOX).system.atoms
    assert atoms.read("id").tolist() == list(range(1, 11))
    assert (atoms.read("mask") == 1).all() and not atoms.read("v").any() and not atoms.read("image").any()


def test_impossible_random_place_ends():
    sim = run(f"{BOX}; region p block 0 1 0 1 0 1; region q block 2 3 2 3 2 3; region none intersect 2 p b")
    sim.system.regions["none"].parts.append(sim.system.regions["q"])  # nowhere, yet with a bounding box
    run("create_atoms 1 random 5 1 none maxtry 100", sim)
    assert sim.system.natoms == 10 and any("only 0 of 5" in line for line in sim.said)


def test_labels():
    sim = run(f"{BOX}; labelmap atom 1 Ar 2 Kr; labelmap atom 2 Xe; create_atoms Xe single 1 1 1; group x type Xe")
    assert sim.system.type_labels == {"Ar": 1, "Xe": 2} and "1 atoms in group x" in sim.said
    assert run("labelmap clear", sim).system.type_labels == {}


def test_group_in_use_stays():
    sim = run(f"{BOX}; group a id 1")
    sim.system.fixes["1"] = SimpleNamespace(group="a")
    with pytest.raises(InputError, match="fix 1"):
        run("group a delete", sim)
    assert np.count_nonzero(sim.system.groups.member("a", sim.system.atoms.read("mask"))) == 1
