"""pair style mliap without the reference code: what models are, slopes, shares of atoms, bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.forces.manybody.components.files import read_model
from everlet.forces.manybody.components.models import Network, components_of
from tests.oracle.test_mliap import SNA, network
from tests.refusals import told
from tests.tables import rows
from tests.unit.test_snap import BOX, CUT, atoms, write

DESCRIPTOR = f"""rcutfac {CUT}
twojmax 2
nelems 2
elems A B
radelems 0.5 0.54
welems 1.0 0.6
"""


def simulate(pair: str, elements: str = "A B", device: str = "serial", threads: int = 0) -> Simulation:
    types = len(elements.split())
    sim = Simulation(device=device, threads=threads, log="none")
    sim.commands(f"units metal\nboundary p p p\nregion box block 0 {BOX[0]} 0 {BOX[1]} 0 {BOX[2]} units box\n"
                 f"create_box {types} box\nmass * 10.0\n"
                 + "\n".join(f"create_atoms {k % types + 1} single {a:.17g} {b:.17g} {c:.17g} units box"
                             for k, (a, b, c) in enumerate(atoms()))
                 + f"\nneighbor 0.5 bin\n{pair}\ncompute e all pe/atom\ncompute s all stress/atom NULL virial\n"
                 "compute t all reduce sum c_e c_s[*]\nthermo_style custom step pe c_t[*]\nrun 0")
    return sim


def with_network(folder: Path, layers: str = "tanh 4 relu 3 sigmoid 2") -> str:
    (folder / "my.model").write_text(network(5, layers))
    (folder / "my.descriptor").write_text(DESCRIPTOR)
    return f"pair_style mliap descriptor sna {folder}/my.descriptor model nn {folder}/my.model\npair_coeff * * A B"


def state(sim: Simulation) -> tuple[float, np.ndarray, np.ndarray]:
    return float(sim.engine.system.energies["vdwl"]), sim.gather("f"), np.array(sim.engine.system.virial)


def test_linear_is_snap(tmp_path: Path) -> None:
    """The same numbers in files of both kinds: the same energies and forces, to the last bit."""
    found = write(tmp_path, 2, "bzeroflag 1", elements=2)
    (tmp_path / "my.model").write_text("2 6\n" + "\n".join(f"{v:.17g}" for values in found.values() for v in values) + "\n")
    (tmp_path / "my.descriptor").write_text(DESCRIPTOR)
    one = state(simulate(f"pair_style mliap model linear {tmp_path}/my.model descriptor sna {tmp_path}/my.descriptor\n"
                         "pair_coeff * * B A"))
    other = state(simulate(f"pair_style snap\npair_coeff * * {tmp_path}/my.snapcoeff {tmp_path}/my.snapparam B A"))
    assert one[0] == other[0]
    np.testing.assert_array_equal(one[1], other[1])


def forces_are_slopes(sim: Simulation, force: np.ndarray, places: tuple[tuple[int, int], ...], limit: float) -> None:
    """Of the energy, by differences: of these atoms along these axes."""
    x, step = sim.gather("x").copy(), 1e-5

    def moved(k: int, a: int, by: float) -> float:
        sim.set_array("x", np.where((np.arange(len(x)) == k)[:, None] & (np.arange(3) == a), x + by, x)[sim.array("id") - 1])
        sim.commands("run 0")
        return float(sim.engine.system.energies["vdwl"])

    for k, a in places:
        slope = (moved(k, a, step) - moved(k, a, -step)) / (2 * step)
        assert -slope == pytest.approx(force[k, a], abs=limit)


@pytest.mark.parametrize("device", ["reference", "serial", "cpu"])
def test_networks_on_devices(device: str, tmp_path: Path) -> None:
    """Forces are slopes of the energy; energies and virials of atoms add up; plain Python and threads agree."""
    pair = with_network(tmp_path)
    sim = simulate(pair, device=device, threads=2 if device == "cpu" else 0)
    energy, force, virial = state(sim)
    row = {name: values[-1] for name, values in sim.thermo.table().items()}
    assert row["c_t[1]"] == pytest.approx(energy, rel=1e-12) == row["pe"]
    pressures = [row[f"c_t[{k}]"] for k in range(2, 8)]
    np.testing.assert_allclose(pressures, -sim.engine.system.units.nktv2p * virial, rtol=1e-10, atol=1e-6)
    if device != "serial":
        for a, b in zip((energy, force, virial), state(simulate(pair)), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12)
        return
    forces_are_slopes(sim, force, ((0, 0), (3, 1), (5, 2)), 3e-9)


def test_a_network_is_what_its_file_says(tmp_path: Path) -> None:
    """Scales are in the first layer; parameters are bias and weights of each node."""
    (tmp_path / "my.model").write_text("1 6\nNET 1 2 tanh 1 linear 2\n 2.0\n 4.0\n 0.5 3.0\n 0.25 -1 7 8\n")
    model = read_model("nn", str(tmp_path / "my.model"), "metal")
    assert isinstance(model, Network) and model.components == 1 and model.layers == [("tanh", 1), ("linear", 2)]
    table = model.tables([0, -1])
    np.testing.assert_allclose(table["parameters"][1], [0.5 - 3 * 0.5, 0.75, 0.25, -1, 7, 8])
    assert not table["parameters"][2].any() and table["factors"].ravel().tolist() == [0, 1, 0]


def test_sizes_of_quadratic_models() -> None:
    assert [components_of(size) for size in (1, 3, 6, 496, 7, 495)] == [0, 1, 2, 30, -1, -1]


@pytest.mark.parametrize("kind, text, cause", rows(r"""
linear -> 1\n -> line 1: expected the number of elements
linear -> 1 2\n0.1\n -> coefficient 2 of 2 of element 1
linear -> 1 1\n0.1\n0.2\n -> line 3: '0.2' after the last of 1 elements
linear -> 1 1\nxyz\n -> line 2: 'xyz' is not a number
quadratic -> 1 5\n -> line 1: 5 numbers of each element are not those of a quadratic model
nn -> 1 2\n0.1\n0.2\n -> line 2: expected NET
nn -> 1 2\nNET 1 1 softplus 1\n -> line 2: unknown activation 'softplus'
nn -> 1 2\nNET 1 2 tanh 1\n -> line 2: NET with 1 components and 2 layers
nn -> 1 3\nNET 1 1 tanh 1\n -> line 2: this network has 2 parameters, and the head of the file says 3
nn -> 1 2\nNET 1 1 tanh 1\n0\n0\n1 1\n -> line 4: a scale of element 1 is 0
nn -> 1 2\nNET 1 1 tanh 1\n0\n1\n1\n -> the file ends after 1 of the 2 numbers of the parameters of element 1
nn -> # UNITS: electron\n1 2\nNET 1 1 tanh 1\n0\n1\n1 1\n -> is for units electron
"""))
def test_bad_models_are_refused_with_their_line(kind: str, text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text(text)
    with told(cause):
        read_model(kind, str(tmp_path / "bad"), "metal")


@pytest.mark.parametrize("pair, cause", rows("""
model linear {0}/m descriptor sna {0}/d -> is for 5 components, and
model linear {0}/one descriptor sna {0}/d -> is for 1 elements, and
model linear {0}/m descriptor soap {0}/d -> unknown descriptor of pair_style mliap 'soap'
model cubic {0}/m descriptor sna {0}/d -> unknown model of pair_style mliap 'cubic'
model linear {0}/m -> usage: pair_style mliap model
model linear {0}/m model sna {0}/d -> two words model
modell linear {0}/m descriptor sna {0}/d -> unknown word of pair_style mliap 'modell'
model linear {0}/good descriptor sna {0}/q -> quadraticflag 1
model linear {0}/good descriptor sna {0}/d -> element 'X' is not in
"""))
def test_what_does_not_fit_is_refused(pair: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "m").write_text("2 6\n" + "0.1\n" * 12)
    (tmp_path / "good").write_text("2 15\n" + "0.1\n" * 30)
    (tmp_path / "one").write_text("1 15\n" + "0.1\n" * 15)
    (tmp_path / "d").write_text(SNA)
    (tmp_path / "q").write_text(SNA + "quadraticflag 1\n")
    with pytest.raises(InputError) as caught:
        simulate(f"pair_style mliap {pair.format(tmp_path)}\npair_coeff * * A X")
    assert cause in f"{caught.value} {caught.value.remedy}"


def test_restart_files_name_both_files(tmp_path: Path) -> None:
    sim = simulate(with_network(tmp_path))
    sim.commands(f"write_restart {tmp_path}/it")
    other = Simulation(device="serial", log="none")
    other.commands(f"read_restart {tmp_path}/it\nrun 0")
    for a, b in zip(state(sim), state(other), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("words, cause", rows("""
all mliap model linear descriptor sna {0}/d gradgradflag 2 -> gradgradflag is 2
all mliap model nn descriptor sna {0}/d -> unknown model of compute mliap 'nn'
all mliap model linear descriptor sna {0}/d model linear -> model is given twice
all mliap model linear gradgradflag 1 descriptor sna -> descriptor is not complete
all mliap model linear gradgradflag 1 gradflag 1 -> unknown keyword of compute mliap 'gradflag'
some mliap model linear descriptor sna {0}/d -> is for all atoms
all mliap model linear descriptor sna {0}/one -> has 1 elements (A), and there are 2 atom types
all mliap model linear descriptor sna {0}/q -> quadraticflag 1
"""))
def test_computes_that_do_not_fit_are_refused(words: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "d").write_text(SNA)
    (tmp_path / "q").write_text(SNA + "quadraticflag 1\n")
    (tmp_path / "one").write_text("rcutfac 4\ntwojmax 2\nelems A\nradelems 0.5\nwelems 1\n")
    sim = Simulation(device="serial", log="none")
    sim.commands("units metal\nregion box block 0 9 0 9 0 9\ncreate_box 2 box\ngroup some type 1")
    with pytest.raises(InputError) as caught:
        sim.commands(f"compute m {words.format(tmp_path)}")
    assert cause in f"{caught.value} {caught.value.remedy}"
