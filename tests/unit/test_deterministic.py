"""package everlet deterministic: what cannot repeat its sums is refused, the rest gives the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.portable.backends import traits_of
from everlet.portable.spaces import cores
from tests.scripts import crystal, melt

MELT = melt("0 8 0 4 0 4", "1.44 87287 loop geom") + """
fix 1 all nve
"""


def forces(threads: int, extra: str) -> np.ndarray:
    sim = Simulation(device="cpu", threads=threads)
    sim.commands(MELT + f"package everlet {extra}deterministic on\nrun 30\n")
    order = np.argsort(sim.engine.system.atoms.read("id"))
    return sim.engine.system.atoms.read("f")[order]


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
@pytest.mark.parametrize("extra", ["", "scheme half ", "scheme full "])
def test_any_number_of_threads_gives_the_same_bits(extra: str) -> None:
    assert np.array_equal(forces(1, extra), forces(2, extra))


def test_sums_of_copies_are_refused() -> None:
    with pytest.raises(InputError, match="depend on the number of threads"):
        forces(1, "scheme half accumulate duplicated ")


def test_atomic_sums_are_refused_on_a_gpu() -> None:
    with pytest.raises(InputError, match="in no fixed order"):
        pair_scheme["half"].repeatable(traits_of("cuda"), {"accumulate": None})


SALT = crystal("0 6 0 6 0 6", "sc 1.0", first="atom_style charge") + """
mass 1 1.0
variable q atom 0.7*(id%7-3)
set group all charge v_q
displace_atoms all random 0.1 0.1 0.1 4711
pair_style coul/long 2.0
pair_coeff * *
kspace_style pppm 1e-4
kspace_modify gewald 1.2 mesh 12 12 12
fix 1 all nve
"""


def pushed(threads: int, package: str, order: list[int]) -> np.ndarray:
    """Forces of a mesh alone, with atoms in this order in memory."""
    sim = Simulation(device="cpu", threads=threads)
    sim.commands(SALT + f"{package}\nrun 0")
    assert sim.engine.loop is not None
    atoms = sim.engine.system.atoms
    for name in ("x", "q"):
        values = atoms.edit(name)
        values[:] = values[order]
    atoms.edit("f")[:] = 0.0
    sim.engine.loop.evaluator.terms[-1].compute(None, sim.engine.loop.evaluator.comm)
    return atoms.read("f")[np.argsort(order)].copy()


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
def test_charges_of_a_mesh_add_up_in_any_order() -> None:
    """Charges are rounded for that, far below what they are compared to."""
    forward, backward = list(range(216)), list(range(216))[::-1]
    exact = [pushed(threads, "package everlet deterministic on", order)
             for threads, order in ((1, forward), (1, backward), (2, forward))]
    assert np.array_equal(exact[0], exact[1]) and np.array_equal(exact[0], exact[2])
    plain = [pushed(1, "", order) for order in (forward, backward)]
    assert not np.array_equal(*plain)
    assert 0.0 < np.abs(exact[0] - plain[0]).max() < 1e-11 * np.abs(plain[0]).max()


SILICON = crystal("0 4 0 3 0 3", "{lattice}", units="metal") + """
mass 1 28.0
velocity all create 1500.0 4711 loop all
{pair}
fix 1 all nve
neighbor 0.3 bin
thermo 20
thermo_modify hash yes
"""
MANY = {"meam": ("fcc 3.52", "pair_style meam\npair_coeff * * library.meam Ni4 Ni.meam Ni4"),
        "sw": ("diamond 5.431", "pair_style sw\npair_coeff * * Si.sw Si"),
        "tersoff": ("diamond 5.43", "pair_style tersoff\npair_coeff * * Si.tersoff Si"),
        "uf3": ("bcc 3.3", "pair_style uf3 3\npair_coeff * * Nb.uf3 Nb"),
        "eim": ("bcc 3.5", "pair_style eim\npair_coeff * * Li ffield.eim Li"),
        "meam/spline": ("diamond 5.431", "pair_style meam/spline\npair_coeff * * Si_1.meam.spline Si"),
        "snap": ("bcc 3.18", "pair_style snap\npair_coeff * * W_2940_2017_2.snapcoeff W_2940_2017_2.snapparam W")}


def rows(name: str, threads: int, package: str) -> dict[str, np.ndarray]:
    sim = Simulation(device="cpu", threads=threads, log="none", screen="none")
    lattice, pair = MANY[name]
    sim.commands(SILICON.format(lattice=lattice, pair=pair) + f"{package}\nrun 60\n")
    found = sim.thermo.table()
    sim.close()
    return found


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
@pytest.mark.parametrize("name", MANY)
def test_forces_that_threads_add_up(name: str) -> None:
    """Rounded so that sums are exact, which changes next to nothing; energies too are the same bits."""
    one, two = (rows(name, threads, "package everlet deterministic on") for threads in (1, 2))
    assert np.array_equal(one["hash"], two["hash"]) and len(set(one["hash"])) == 4
    for word, values in one.items():
        assert np.array_equal(values, two[word]), word
    usual = rows(name, 1, "")
    assert usual["hash"][0] == one["hash"][0] and usual["hash"][-1] != one["hash"][-1]  # positions differ in last digits
    np.testing.assert_allclose(one["press"], usual["press"], rtol=1e-8)
