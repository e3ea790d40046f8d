"""Molecules and bonds of reactive force fields, as files of the reference have them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.harness import LOG, parse_dump, parse_log, run_everlet, working_in
from tests.oracle.reax_systems import cloud
from tests.oracle.reference import lmp
from tests.oracle.test_reaxff import QEQ, script

TEXT = cloud("C H O", atoms=40, edge=13.0)
VELOCITIES = "velocity all create 2000 4711 loop all\n"


def both(folder: Path, run: str, data: str = TEXT) -> Path:
    """Run a script by the reference, in `folder`/ref, and here."""
    text = script("cho", "cloud", QEQ.format(high="10.0"), run=VELOCITIES + run)
    for place in (folder, folder / "ref"):
        place.mkdir(exist_ok=True)
        (place / "cloud").write_text(data)
    lmp(folder / "ref", text)
    run_everlet(text, {}, folder)
    return folder / "ref"


def frames(path: Path) -> list[tuple[str, dict[int, tuple[list[str], dict[int, float], list[float]]]]]:
    """Of a file of bonds: what stands above each table, and by id: words, orders by partner, other numbers."""
    found = []
    for block in path.read_text().split("# \n")[:-1]:
        head = "".join(line + "\n" for line in block.splitlines() if line.startswith("#"))
        atoms = {}
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            words = line.split()
            n = int(words[2])
            partners, orders = map(int, words[3 : 3 + n]), map(float, words[4 + n : 4 + 2 * n])
            atoms[int(words[0])] = ([*words[1:3], words[3 + n]], dict(zip(partners, orders, strict=True)),
                                    [float(word) for word in words[4 + 2 * n :]])
        found.append((head, atoms))
    return found


def test_species_and_bonds_are_those_of_the_reference(tmp_path: Path) -> None:
    ref = both(tmp_path, "fix s all reaxff/species 2 2 4 species cutoff 1 2 0.8 position 8 places\n"
                         "fix b all reaxff/bonds 4 bonds\nfix c all reaxff/bonds 8 bonds.*\nrun 6\nrun 6\n")
    assert (tmp_path / "species").read_text() == (ref / "species").read_text()
    assert len((ref / "species").read_text().splitlines()) == 8
    mine, theirs = ((where / "places").read_text().split("\n") for where in (tmp_path, ref))
    assert len(mine) == len(theirs)
    for one, other in zip(mine, theirs, strict=True):
        if one != other:  # the last digit may be another
            a, b = one.split("\t"), other.split("\t")
            assert a[:3] == b[:3]
            np.testing.assert_allclose(np.array(a[3:], float), np.array(b[3:], float), rtol=0, atol=2e-8)
    for name, count in (("bonds", 4), ("bonds.0", 1), ("bonds.8", 1)):
        tables = frames(tmp_path / name), frames(ref / name)
        assert len(tables[0]) == len(tables[1]) == count
        for (head, atoms), (expected, others) in zip(*tables, strict=True):
            assert head == expected and atoms.keys() == others.keys()
            for id, (words, orders, numbers) in others.items():
                assert atoms[id][0] == words and atoms[id][1].keys() == orders.keys()
                assert all(abs(atoms[id][1][partner] - order) < 0.0011 for partner, order in orders.items())
                np.testing.assert_allclose(atoms[id][2], numbers, rtol=0, atol=0.0011)


def test_places_in_tilted_boxes_and_a_first_table(tmp_path: Path) -> None:
    """Bonds are written when the first run begins, at whatever step; files of single steps end without a line."""
    ref = both(tmp_path, "run 2\nfix s all reaxff/species 1 1 2 species position 4 places.*\nfix b all reaxff/bonds 4 bonds\n"
                         "compute b all reaxff/atom bonds yes\ncompute r all reduce sum c_b[*]\n"
                         "compute l all reduce max c_b[1] c_b[3] inputs local\nvariable n index 3 2\nlabel one\n"
                         "run $n\nprint '$(c_r[1]:%.6f) $(c_r[3]:%.6f) $(c_l[1]) $(c_l[2]:%.6f)' append sums\nnext n\n"
                         "jump SELF one\n", cloud("C H O", True, atoms=40, edge=13.0, seed=8))
    assert (tmp_path / "species").read_text() == (ref / "species").read_text()
    assert (tmp_path / "sums").read_text() == (ref / "sums").read_text()
    assert [head.split()[2] for head, _ in frames(tmp_path / "bonds")] == ["2", "4"]
    assert [head for head, _ in frames(tmp_path / "bonds")] == [head for head, _ in frames(ref / "bonds")]
    mine, theirs = ((where / "places.4").read_text().splitlines() for where in (tmp_path, ref))
    assert len(mine) == len(theirs) > 10 and mine[:2] == theirs[:2]
    for one, other in zip(mine[2:], theirs[2:], strict=True):
        np.testing.assert_allclose(np.array(one.split()[3:], float), np.array(other.split()[3:], float), rtol=0, atol=2e-8)


def test_atoms_without_an_element(tmp_path: Path) -> None:
    """They have no bonds and no lone pairs. Each is a species of its own here; LAMMPS says that it cannot tell."""
    charges = "pair_coeff *3 3 lj/cut 0.1 3.0\ngroup known type 1 2\nfix q known qeq/reaxff 1 0 10 1e-8 reaxff"
    text = script("cho", "cloud", charges,
                  run="fix b all reaxff/bonds 1 bonds\nfix s known reaxff/species 1 1 1 species\nrun 0\nunfix s\n",
                  elements="C H NULL").replace("pair_style reaxff NULL", "pair_style hybrid lj/cut 6.0 reaxff NULL")
    text = text.replace("pair_coeff * * ffield", "pair_coeff * * reaxff ffield")
    (tmp_path / "cloud").write_text(TEXT)
    lmp(tmp_path, text)
    [(_, theirs)], species = frames(tmp_path / "bonds"), (tmp_path / "species").read_text()
    run_everlet(text + "fix s all reaxff/species 1 1 1 all\nrun 0\n", {}, tmp_path)
    [(_, mine)] = frames(tmp_path / "bonds")
    assert {id: (words, numbers) for id, (words, _, numbers) in mine.items()} == {
        id: (words, numbers) for id, (words, _, numbers) in theirs.items()}
    assert (tmp_path / "species").read_text() == species
    names, counts = (line.split() for line in (tmp_path / "all").read_text().splitlines())
    assert counts[names[1:].index("NULL")] == str(sum(words[0] == "3" for words, _, _ in mine.values()))


def test_steps_that_were_left_out(tmp_path: Path) -> None:
    """By a minimisation, and between frames of rerun, at which LAMMPS finds no species."""
    ref = both(tmp_path, "undump forces\nfix s all reaxff/species 1 1 2 species\nfix b all reaxff/bonds 2 bonds\n"
                         "minimize 0 0 3 10\ndump d all custom 1 frames id type q x y z\nrun 5\nunfix s\nunfix b\n"
                         "fix t all reaxff/species 1 1 2 again\nfix c all reaxff/bonds 2 others\n"
                         "rerun frames first 4 last 8 every 4 dump x y z q\n")
    assert (tmp_path / "species").read_text() == (ref / "species").read_text()
    for name, steps in (("bonds", "3 4 6 8"), ("others", "4 4 8")):
        assert [[head.split()[2] for head, _ in frames(where / name)] for where in (tmp_path, ref)] == [steps.split()] * 2
    assert [line.split()[0] for line in (tmp_path / "again").read_text().splitlines()[1::2]] == ["4", "8"]


@pytest.mark.parametrize("which", ["masslimit 0 16", "specieslist 3 H O2 C"])
def test_molecules_that_are_removed(which: str, tmp_path: Path) -> None:
    ref = both(tmp_path, "thermo_style custom step atoms pe\n"
                         f"fix s all reaxff/species 1 1 3 species delete gone {which}\nrun 8\n")
    for name in ("species", "gone"):
        assert (tmp_path / name).read_text() == (ref / name).read_text() != ""
    mine, theirs = (parse_log((where / log).read_text())[-1] for where, log in ((tmp_path, LOG), (ref, "in.reference.log")))
    np.testing.assert_array_equal(mine["Atoms"], theirs["Atoms"])
    assert mine["Atoms"][-1] < 40
    np.testing.assert_allclose(mine["PotEng"], theirs["PotEng"], rtol=1e-5)


def test_no_more_are_removed_than_allowed(tmp_path: Path) -> None:
    """LAMMPS removes as many, but others at every run."""
    ref = both(tmp_path, "fix s all reaxff/species 1 1 2 species delete gone masslimit 0 20 delete_rate_limit 2 3\nrun 9\n")
    mine, theirs = ([line.split() for line in (where / "gone").read_text().splitlines()] for where in (tmp_path, ref))
    assert [(line[1], sum(map(int, line[2::2]))) for line in mine] == [(line[1], sum(map(int, line[2::2]))) for line in theirs]
    assert [line[1] for line in mine] == ["4", "8"]


@pytest.mark.all
def test_names_groups_and_values(tmp_path: Path) -> None:
    ref = both(tmp_path, "group some id 1:25\nfix s some reaxff/species 1 1 2 species element Xx H Yy\nthermo 2\n"
                         "dump 2 all custom 2 molecules id f_s\ndump_modify 2 sort id\nrun 4\n")
    for name in ("species", "molecules"):
        assert (tmp_path / name).read_text() == (ref / name).read_text()


@pytest.mark.parametrize("line, cause", [
    ("fix s all reaxff/species 2 3 4 species", "NREPEAT"),
    ("fix s all reaxff/species 1 1 4 species position 6 places", "multiple of NFREQ, 4"),
    ("fix s all reaxff/species 1 1 4 species cutoff 1 9 0.5", "types 1 to 3"),
    ("fix s all reaxff/species 1 1 4 species cutoff 1 1 1.5", "the order 1.5 is no cutoff"),
    ("fix s all reaxff/species 1 1 4 species delete gone masslimit 50 0", "masslimit 50 0"),
    ("fix s all reaxff/species 1 1 4 species delete gone specieslist 3 H2 O2", "2 formulas follow"),
    ("fix s all reaxff/species 1 1 4 species delete gone", "neither masslimit nor specieslist"),
    ("fix s all reaxff/species 1 1 4 species delete_rate_limit 1 8", "delete_rate_limit without delete"),
    ("fix s all reaxff/species 1 1 4 species delete gone masslimit 0 9 delete_rate_limit 0 8", "both must be 1 or more"),
    ("fix s all reaxff/species 1 1 4 species element C H", "'element' has too few values"),
    ("fix s all reaxff/species 1 1 4 species angles 3", "unknown keyword of fix reaxff/species 'angles'"),
    ("fix b all reaxff/bonds 0 bonds", "every 0 steps"),
    ("fix b all reaxff/bonds 1 nowhere/bonds", "cannot write 'nowhere/bonds'"),
    ("pair_style lj/cut 5.0\npair_coeff * * 0.1 3.0\nfix b all reaxff/bonds 1 bonds\nrun 0",
     "needs bond orders, which pair_style reaxff has")])
def test_bad_input_is_refused(line: str, cause: str, tmp_path: Path) -> None:
    text = script("cho", "cloud", "fix q all qeq/reaxff 1 0.0 10.0 1e-6 reaxff", run="")
    if line.startswith("pair_style"):
        text = "\n".join(row for row in text.splitlines() if "reax" not in row and "thermo_style" not in row)
    with pytest.raises(InputError) as caught:
        run_everlet(f"{text}\n{line}\n", {"cloud": TEXT}, tmp_path)
    assert cause in str(caught.value)


def test_bond_orders_from_python(tmp_path: Path) -> None:
    text = script("cho", "cloud", QEQ.format(high="10.0"), run="fix b all reaxff/bonds 1 bonds\nrun 0\n")
    (tmp_path / "cloud").write_text(TEXT)
    lmp(tmp_path, text)
    with working_in(tmp_path):
        sim = Simulation(device="serial", screen="none").commands(text.replace("fix b all reaxff/bonds 1 bonds\n", ""))
        pairs, orders = sim.bond_orders()
    [(_, atoms)] = frames(tmp_path / "bonds")
    expected = {(id, partner): order for id, (_, found, _) in atoms.items() for partner, order in found.items() if id < partner}
    strong = orders > 0.3
    assert len(expected) > 10 and {tuple(pair) for pair in pairs[strong].tolist()} == set(expected)
    for pair, order in zip(pairs[strong].tolist(), orders[strong], strict=True):
        assert abs(order - expected[tuple(pair)]) < 0.00051
    total = np.bincount(pairs.ravel(), np.repeat(orders, 2))
    np.testing.assert_allclose([total[id] for id in atoms], [numbers[-3] for _, _, numbers in atoms.values()], atol=0.00051)


def test_computes_of_bonds(tmp_path: Path) -> None:
    ref = both(tmp_path, "group some id 1:30\ncompute a some reaxff/atom\ncompute b some reaxff/atom bonds yes\n"
                         "dump a all custom 2 atoms id c_a[1] c_a[2] c_a[3] c_b[3]\ndump_modify a sort id format float %.10g\n"
                         "dump b all local 2 bonds index c_b[1] c_b[2] c_b[3]\ndump_modify b format float %.10g\nrun 4\n")
    mine, theirs = (parse_dump((where / "atoms").read_text()) for where in (tmp_path, ref))
    assert mine.keys() == theirs.keys() and max(frame["c_a[3]"].sum() for frame in theirs.values()) > 10
    for step, frame in theirs.items():
        for word, values in frame.items():
            np.testing.assert_allclose(mine[step][word], values, rtol=0, atol=1e-8, err_msg=word)
    tables = []
    for where in (tmp_path, ref):
        blocks = (where / "bonds").read_text().split("ITEM: ENTRIES")[1:]
        tables.append([sorted(tuple(map(float, line.split()[1:])) for line in block.splitlines()[1:] if line[:1].isdigit()
                              and len(line.split()) == 4) for block in blocks])
    assert len(tables[0]) == len(tables[1]) == 3
    for one, other in zip(*tables, strict=True):
        np.testing.assert_allclose(np.array(one), np.array(other), rtol=0, atol=1e-8)
