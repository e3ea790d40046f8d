"""pair style mliap against the reference: published files, networks of several elements and layers, sub-styles."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.manybody.snap.index import labels
from everlet.forces.potential_file import find
from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.reference import lmp
from tests.oracle.test_cases import DEVICES, cache  # noqa: F401  (a fixture)
from tests.oracle.test_sna import ATOMS, BLOCK, agree, last_table
from tests.oracle.test_snap import LIMITS

# name, model and its file, descriptor and its file, elements (one per type), lattice
FILES = [
    ("Ta06A", "linear Ta06A.mliap.model", "sna Ta06A.mliap.descriptor", "Ta", "bcc 3.316"),
    ("Ta06A-nn", "nn Ta06A.nn.mliap.model", "sna Ta06A.mliap.descriptor", "Ta", "bcc 3.316"),
    ("Cu-nn", "nn Cu.nn.mliap.model", "sna Cu.snap.mliap.descriptor", "Cu", "fcc 3.615"),
    ("W-quadratic", "quadratic W.quadratic.mliap.model", "sna W.quadratic.mliap.descriptor", "W", "bcc 3.1803"),
    ("WBe", "linear WBe_Wood_PRB2019.mliap.model", "sna WBe_Wood_PRB2019.mliap.descriptor", "Be W Be", "bcc 3.1803"),
    ("Si-nn", "nn Si.nn.mliap.model", "so3 Si.nn.mliap.descriptor", "Si", "diamond 5.431"),
    ("NiMo", "linear Ni_Mo.mliap.model", "so3 Ni_Mo.mliap.descriptor", "Ni Mo", "fcc 3.6"),
    ("InP_JCPA2020", "linear InP_JCPA2020.mliap.model", "sna InP_JCPA2020.mliap.descriptor", "P In", "diamond 5.83"),
]
# of published files, in which they are laid over zbl
INCLUDED = {"Ta06A.nn.mliap": (1, "bcc 3.316"), "WBe_Wood_PRB2019.mliap": (2, "bcc 3.1803")}


def case(pair: str, types: int, lattice: str, steps: int = 6) -> Case:
    lines = ["units metal", f"lattice {lattice}", "region box block 0 3 0 2 0 2", f"create_box {types} box",
             "create_atoms 1 box", *(f"mass {k} {20 + 10 * k}" for k in range(1, types + 1)),
             *(f"set group all type/fraction {k} {1 / k:.4f} {991 + k}" for k in range(2, types + 1)),
             "displace_atoms all random 0.12 0.12 0.12 2377", pair, "velocity all create 300.0 87287", "neighbor 1.0 bin",
             "fix 1 all nve", "timestep 0.0002"]
    return Case("mliap", "\n".join(lines), f"run {steps}", steps // 2, [], columns=COLUMNS)


def of_files(model: str, descriptor: str, elements: str, lattice: str) -> Case:
    pair = f"pair_style mliap model {model} descriptor {descriptor}\npair_coeff * * {elements}"
    return case(pair, len(elements.split()), lattice)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("row", FILES, ids=[row[0] for row in FILES])
def test_files_agree_with_the_reference(row: tuple[str, ...], device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    one = of_files(*row[1:])
    expected = run_lmp(one.full_script(), {}, cache)
    found = run_everlet(one.full_script(), {}, tmp_path / "run", device=device)
    compare(found, expected, LIMITS.get(row[0], Tolerances(1e-11, 1e-10)))


def test_words_after_the_last_type_are_for_no_atoms(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    _, model, descriptor, element, lattice = FILES[0]
    pair = f"pair_style mliap model {model} descriptor {descriptor}\npair_coeff * * {element} {element} Xx"
    script = case(pair, 1, lattice, 2).full_script()
    compare(run_everlet(script, {}, tmp_path / "run"), run_lmp(script, {}, cache), Tolerances(1e-11, 1e-10))


@pytest.mark.parametrize("file", INCLUDED)
def test_published_files_are_included(file: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    types, lattice = INCLUDED[file]
    one, files = case(f"include {file}", types, lattice), {file: find(file).read_text()}
    expected = run_lmp(one.full_script(), files, cache)
    compare(run_everlet(one.full_script(), files, tmp_path / "run"), expected, Tolerances(1e-11, 1e-10))


def network(components: int, layers: str, elements: int = 2) -> str:
    """A model file with random numbers."""
    rng = np.random.default_rng(len(layers))
    words = layers.split()
    widths = [components, *map(int, words[1::2])]
    count = sum((a + 1) * b for a, b in itertools.pairwise(widths))

    def lines(values: np.ndarray) -> str:
        return "\n".join(" ".join(f"{value:.17g}" for value in values[k : k + 7]) for k in range(0, len(values), 7))

    blocks = [lines(values) for _ in range(elements) for values in (
        rng.uniform(-1, 1, components), rng.uniform(20, 50, components), rng.uniform(-1, 1, count))]
    return f"# a network\n{elements} {count}\nNET {components} {len(words) // 2} {layers}\n\n" + "\n\n".join(blocks) + "\n"


SNA = """# two elements
rcutfac 4.6
twojmax 4
nelems 2
elems A B
radelems 0.5 0.54
welems 1.0 0.7
"""
SO3 = """# two elements
rcutfac 4.3
nmax 3
lmax 3
alpha 1.5
nelems 2
elems A B
radelems 0.5 0.6
welems 1.0 0.7
"""
NETWORKS = {
    "one": ("linear 1", ""),
    "deep": ("sigmoid 5 relu 4 tanh 3 linear 1", "bzeroflag 0\n"),
    "relu": ("relu 9 sigmoid 1", "switchflag 0\n"),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", NETWORKS)
def test_networks_agree_with_the_reference(name: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    layers, flags = NETWORKS[name]
    files = {"my.model": network(len(labels(4)), layers), "my.descriptor": SNA + flags}
    one = of_files("nn my.model", "sna my.descriptor", "B A", "bcc 3.2")
    expected = run_lmp(one.full_script(), files, cache)
    found = run_everlet(one.full_script(), files, tmp_path / "run", device=device)
    compare(found, expected, Tolerances(1e-11, 1e-10))


def test_power_spectra_agree_with_the_reference(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    """Weights, radii whose sums are more than 1, a network; types without an element."""
    files = {"my.model": network(24, "tanh 4 sigmoid 1"), "my.descriptor": SO3}
    pair = ("pair_style hybrid/overlay lj/cut 5.0 mliap model nn my.model descriptor so3 my.descriptor\n"
            "pair_coeff * * lj/cut 0.01 2.4\npair_coeff * * mliap B NULL A")
    one = case(pair, 3, "bcc 3.2")
    expected = run_lmp(one.full_script(), files, cache)
    compare(run_everlet(one.full_script(), files, tmp_path / "run"), expected, Tolerances(1e-11, 1e-10))


def test_types_without_an_element(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    """Networks give energies other than 0 for components that are all 0: those of such types must not count."""
    files = {"my.model": network(len(labels(4)), "sigmoid 3 sigmoid 1"), "my.descriptor": SNA}
    pair = ("pair_style hybrid/overlay lj/cut 5.0 mliap model nn my.model descriptor sna my.descriptor\n"
            "pair_coeff * * lj/cut 0.01 2.4\npair_coeff * * mliap A NULL B")
    one = case(pair, 3, "bcc 3.2")
    expected = run_lmp(one.full_script(), files, cache)
    compare(run_everlet(one.full_script(), files, tmp_path / "run"), expected, Tolerances(1e-11, 1e-10))


TABLES = {"sna": ("linear", SNA), "sna-1": ("linear", SNA), "so3": ("linear", SO3),
          "sna-products": ("quadratic", SNA.replace("twojmax 4", "twojmax 2") + "chemflag 1\n")}


@pytest.mark.parametrize("name", TABLES)
def test_tables_for_fits(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (model, text), (kind, _, rest) = TABLES[name], name.partition("-")
    flag = int(rest == "1")
    (tmp_path / "my.descriptor").write_text(text)
    monkeypatch.chdir(tmp_path)
    lines = (ATOMS.format(types=2, region=BLOCK, more="set group all type/fraction 2 0.5 993\n")
             + f"compute s all mliap descriptor {kind} my.descriptor model {model} gradgradflag {flag}\n")
    lmp(tmp_path, lines + "fix 9 all ave/time 1 1 1 c_s[*] mode vector file table format ' %.17g'\nrun 0\n")
    sim = Simulation(device="serial", log="none")
    sim.commands(lines + "thermo_style custom step pe c_s[1][2]\nrun 0")
    agree(sim.engine.system.computes["s"].array(), last_table(tmp_path / "table"),
          1e-10 if kind == "so3" else 1e-11)  # tables of functions are exact to 2e-13 of the largest of them
