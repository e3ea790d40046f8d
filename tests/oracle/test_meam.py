"""MEAM against the reference: files that come with it, and made-up parameters for every lattice and option."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import InputError, Simulation
from tests.oracle.harness import COLUMNS, Case, Tolerances, compare, run_everlet, run_lmp
from tests.oracle.test_cases import DEVICES, cache  # noqa: F401  (a fixture)

EXACT = Tolerances(1e-11, 1e-10)
SEVEN = "Mo Co Ni V Fe Al Cr"
# name: style, lattice, how far atoms are displaced, pair_coeff
FILES = {
    "Ni": ("meam", "fcc 3.52", 0.12, "library.meam Ni4 Ni.meam Ni4"),
    "SiC": ("meam", "diamond 4.36", 0.1, "library.meam Si C SiC.meam C Si"),
    "HGa": ("meam/ms", "fcc 4.3", 0.1, "library.msmeam H Ga4 HGa.msmeam Ga4 H"),
    "Cu": ("meam", "fcc 3.62", 0.12, "library.meam Cu Cu.meam Cu"),
    "Si": ("meam", "diamond 5.431", 0.2, "library.meam Si C NULL Si"),
    "AlSiMgCuFe": ("meam", "fcc 3.9", 0.15, "library.meam AlS SiS MgS CuS FeS AlSiMgCuFe.meam CuS AlS FeS MgS SiS"),
    "CoNiFe": ("meam", "fcc 3.56", 0.15, f"library_2nn.meam {SEVEN} MoCoNiVFeAlCr_2nn.meam Co Ni Fe"),
    "Ga": ("meam/ms", "fcc 4.3", 0.1, "library.msmeam H Ga4 HGa.msmeam Ga4"),
}


def case(name: str) -> Case:
    """A small warm crystal; types take turns in a diamond, else they are at random."""
    style, lattice, far, line = FILES[name]
    words = line.split()
    at = next(k for k in range(1, len(words)) if words[k] == "NULL" or "." in words[k])
    types = len(words) - at - 1
    atoms = "create_atoms 1 box " + " ".join(f"basis {k} 2" for k in range(5, 9) if types == 2 and "diamond" in lattice)
    kinds = [f"set group all type/fraction {k} {1 / k:.4f} {991 + k}" for k in range(2, types + 1) if "diamond" not in lattice]
    lines = ["units metal", f"lattice {lattice}", "region box block 0 3 0 2 0 2", f"create_box {types} box", atoms, *kinds,
             f"displace_atoms all random {far} {far} {far} 2377 units box", f"pair_style {style}", f"pair_coeff * * {line}",
             "velocity all create 600.0 87287", "neighbor 2.0 bin", "fix 1 all nve", "timestep 0.0005"]
    return Case(name, "\n".join(lines), "run 10", 5, [], columns=COLUMNS)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", list(FILES))
def test_files_agree_with_the_reference(name: str, device: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    script = case(name).full_script()
    compare(run_everlet(script, {}, tmp_path, device=device), run_lmp(script, {}, cache), EXACT)


def test_plain_python_and_threads(cache: Path, tmp_path: Path) -> None:  # noqa: F811
    small = case("SiC").script.replace("0 3 0 2 0 2", "0 1 0 1 0 1").replace("neighbor 2.0", "neighbor 1.0")
    script = Case("small", small, "run 1", 1, [], columns=COLUMNS).full_script()
    expected = run_lmp(script, {}, cache)
    compare(run_everlet(script, {}, tmp_path / "plain", device="reference"), expected, EXACT)
    compare(run_everlet(script, {}, tmp_path / "threads", device="cpu", threads=2), expected, EXACT)


# what a file of parameters says, of two elements of library.meam
PAIRS = {
    **{lattice: f"lattce(1,2) = '{lattice}'\nre(1,2) = {re}" for lattice, re in (
        ("fcc", 2.7), ("bcc", 2.6), ("hcp", 2.7), ("dim", 2.2), ("dia", 2.35), ("dia3", 2.35), ("sc", 2.5), ("lin", 2.3),
        ("b1", 2.5), ("b2", 2.6), ("l12", 2.7), ("c11", 2.6), ("ch4", 2.3), ("zig", 2.4), ("tri", 2.4))},
    "bent": "lattce(1,2) = zig\ntheta(2,1) = 110\nre(1,2) = 2.4\nCmin(1,1,2) = 0.1\nCmin(2,2,1) = 0.2",
    "bent more": "lattce(1,2) = tri\ntheta(1,2) = 110\nre(1,2) = 2.4\nCmin(1,1,2) = 0.1",
    "cutoffs": "rc = 5.0\ndelr = 1.5\nCmax(1,2,1) = 4.0\nCmin(1,1,2) = 0.5\nCmin(2,1,2) = 0.1\nrho0(2) = 2.0",
    "mixed alpha": "alpha(1,2) = 5.0\ndelta(1,2) = 0.3\nattrac(1,1) = 0.1\nrepuls(1,2) = 0.05\nzbl(2,1) = 0",
    "rose 1": "erose_form = 1\nattrac(1,2) = 0.05\nrepuls(1,2) = 0.1", "rose 2": "erose_form = 2\nattrac(1,2) = 0.05",
    "weights 2": "ialloy = 2\naugt1 = 0", "background": "bkgd_dyn = 1\nemb_lin_neg = 1",
}
SECOND = ("fcc", "bcc", "dia", "b1", "b2", "l12", "zig", "tri", "bent", "bent more")
CHOICES = {**PAIRS, **{f"{key}, second": PAIRS[key] + "\nnn2(1,2) = 1\nnn2(1,1) = 1\nCmin(2,2,2) = 0.8\nCmin(1,1,2) = 0.6"
                       "\nCmin(1,1,1) = 0.7\nnn2(2,2) = 1" for key in SECOND},
           "weights 1": "ialloy = 1", "weights 1, l12": "ialloy = 1\nlattce(1,2) = l12",
           "mixture": "mixture_ref_t = 1", "mixture, weights 1": "mixture_ref_t = 1\nialloy = 1"}


def small(line: str, types: int, lattice: str = "diamond 5.2") -> str:
    kinds = "set group all type/fraction 2 0.5 991\n" if types == 2 else ""
    return (f"units metal\nlattice {lattice}\nregion box block 0 2 0 2 0 1\ncreate_box {types} box\ncreate_atoms 1 box\n{kinds}"
            f"displace_atoms all random 0.1 0.1 0.1 2377 units box\npair_style meam\npair_coeff * * {line}\nneighbor 2.0 bin\n"
            "fix 1 all nve")


@pytest.mark.parametrize("name", list(CHOICES))
def test_lattices_and_options(name: str, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    """Si and Cu at random in a diamond, as if their alloy had that lattice."""
    script = Case(name, small("library.meam SiS CuS my.meam SiS CuS", 2), "run 0", 1, [], columns=COLUMNS).full_script()
    files = {"my.meam": f"rc = 4.2\n{CHOICES[name]}\n"}
    compare(run_everlet(script, files, tmp_path), run_lmp(script, files, cache), EXACT)


@pytest.mark.parametrize("ibar", [0, 1, 3, 4, -5])
def test_forms_of_g(ibar: int, cache: Path, tmp_path: Path) -> None:  # noqa: F811
    """One element whose angular densities are strong."""
    strong = -80.0 if ibar in (0, 4) else -4.0
    library = f"X hcp 12 22 47.88 4.7 2.7 1.0 3.0 1.0 2.92 4.87 0.66 1 5.0 -9.0 {strong} 1 {ibar}\n"
    files = {"my.library": library, "my.meam": "rc = 5.0\ngsmooth_factor = 20\n"}
    script = Case("form", small("my.library X my.meam X", 1, "fcc 4.1"), "run 0", 1, [], columns=COLUMNS).full_script()
    compare(run_everlet(script, files, tmp_path), run_lmp(script, files, cache), EXACT)


@pytest.mark.parametrize("line, library, parameters, cause", [
    ("my.library X my.meam Y", "", "", "'Y' of an atom type is not among X"),
    ("my.library X X my.meam X", "", "", "name each once"), ("my.library X nowhere X", "", "", "none of nowhere X is a file"),
    ("my.library Y my.meam Y", "", "", "element 'Y' is not in"), ("my.library X my.meam X", "more", "", "has 1 of 19 words"),
    ("my.library X my.meam X", "", "Rc = 4", "unknown parameter of meam 'Rc'"),
    ("my.library X my.meam X", "", "Ec(1) = 4", "Ec takes 2 numbers"),
    ("my.library X my.meam X", "", "rho0(2) = 4", "1 elements"),
    ("my.library X my.meam X", "", "Cmax(1,1,1) = 1", "not above Cmin"),
    ("my.library X my.meam X", "", "ialloy = 3", "ialloy is 3"),
    ("my.library X my.meam X", "", "lattce(1,1) = b1", "of two elements"),
    ("my.library X my.meam X", "", "rc = 0", "more than 0"),
])
def test_refusals(line: str, library: str, parameters: str, cause: str, tmp_path: Path,
                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.library").write_text(f"X fcc 12 28 58.7 5.1 2.4 1 6 2 3.52 4.4 1.1 1 3.6 -1.6 3.7 1 0\n{library}\n")
    Path("my.meam").write_text(f"{parameters}\n")
    sim = Simulation(device="reference", log="none", screen="none")
    with pytest.raises(InputError) as error:
        sim.commands(small(line, 1).replace("my.library", str(tmp_path / "my.library")))
    assert cause in f"{error.value.cause} {error.value.remedy}"
