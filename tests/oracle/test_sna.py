"""Computes of bispectrum components against the reference: values of atoms in dumps, and tables for fits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.reference import lmp, table
from tests.scripts import WARM_METAL

ATOMS = """units metal
lattice bcc 3.2
region box {region}
create_box {types} box
create_atoms 1 box
mass * 20.0
group some id 1 3 5:9
{more}""" + WARM_METAL
BLOCK = "block 0 2 0 2 0 2"
# types, twojmax, keywords; kernels of the first ones are those of tests of the pair style
CASES = {
    "plain": (1, 4, ""),
    "types": (2, 4, ""),
    "odd": (2, 3, "bzeroflag 0"),
    "rmin0": (2, 4, "rmin0 1.1"),
    "no-switch": (2, 4, "switchflag 0"),
    "normal": (2, 4, "bnormflag 1"),
    "inner": (2, 4, "switchinnerflag 1 sinner 2.2 2.5 dinner 0.3 0.4"),
    "quadratic": (2, 2, "quadraticflag 1"),
    "quadratic-zero-off": (2, 2, "quadraticflag 1 bzeroflag 0 bnormflag 1"),
    "chem": (2, 2, "chem 2 1 0"),
    "chem-all": (2, 2, "chem 2 0 1 wselfallflag 1"),
    "chem-quadratic": (2, 2, "chem 2 0 1 quadraticflag 1"),
    "chem-three": (2, 2, "chem 3 2 0 bnormflag 1"),
    "chem-one-type": (1, 2, "chem 2 1"),
    "chem-one-element": (2, 2, "chem 1 0 0"),
    "six": (1, 6, ""),
    "bik": (2, 4, "bikflag 1"),
    "bik-quadratic": (2, 2, "bikflag 1 quadraticflag 1"),
    "gradients": (2, 4, "bikflag 1 dgradflag 1"),
}
SLOW = ("odd", "chem-three", "six", "chem-all")  # to compile


def script(types: int, twojmax: int, keywords: str, group: str = "all", before: str = "", region: str = BLOCK) -> str:
    """A warm crystal with the four computes; those of atoms only where they take the keywords."""
    more = "set group all type/fraction 2 0.5 993\n" if types > 1 else ""
    numbers = f"4.6 0.99363 {twojmax} {'0.5 0.54 1.0 0.7' if types > 1 else '0.5 1.0'} {keywords}"
    styles = {"s": "snap"} if "bikflag" in keywords else {"b": "sna/atom", "d": "snad/atom", "v": "snav/atom", "s": "snap"}
    computes = "".join(f"compute {id} {group} {style} {numbers}\n" for id, style in styles.items())
    return before + ATOMS.format(types=types, region=region, more=more) + computes + (
        "dump 1 all custom 4 values.dump id c_b[*] c_d[*] c_v[*]\ndump_modify 1 sort id format float %.17g\n"
        if "b" in styles else "")


def last_table(path: Path) -> np.ndarray:
    """Of fix ave/time in vector mode."""
    lines = path.read_text().splitlines()[3:]
    count = int(lines[0].split()[1])
    return np.array([line.split()[1:] for line in lines[-count:]], float)


def agree(found: np.ndarray, expected: np.ndarray, limit: float) -> None:
    """Each column in the scale of its largest number."""
    assert found.shape == expected.shape
    scale = np.abs(expected).max(axis=0)
    np.testing.assert_array_less(np.abs(found - expected).max(axis=0), limit * scale + 1e-13)


def both(folder: Path, text: str, steps: int, device: str = "serial") -> None:
    limit = 1e-11 if steps == 0 else 1e-9
    (folder / "lmp").mkdir()
    tables = f"fix 9 all ave/time 1 1 {max(steps, 1)} c_s[*] mode vector file table format ' %.17g'\n"
    lmp(folder / "lmp", f"{text}thermo_style custom step pe c_s[1][1]\n{tables}run {steps}\n")
    sim = Simulation(device=device, log="none")
    sim.commands(text.replace("values.dump", str(folder / "values.dump")) +
                 f"thermo_style custom step pe c_s[1][1] c_s[3][2]\n{tables.replace('file table', f'file {folder}/table')}"
                 f"run {steps}\n"
                 "variable here equal c_s[3][2]\n")
    found = sim.engine.system.computes["s"].array()
    agree(found, last_table(folder / "lmp" / "table"), limit)
    np.testing.assert_array_equal(last_table(folder / "table"), found)
    assert sim.thermo.history[-1]["c_s[3][2]"] == sim.engine.variables.evaluate("here") == found[2, 1]
    if "values.dump" in text:
        expected, mine = (last_frame(place / "values.dump") for place in (folder / "lmp", folder))
        assert list(mine) == list(expected)
        agree(np.array(list(mine.values())).T, np.array(list(expected.values())).T, limit)
    sim.close()


def last_frame(path: Path) -> dict[str, np.ndarray]:
    text = path.read_text()
    last = path.with_name("last.dump")
    last.write_text(text[text.rindex("ITEM: TIMESTEP") :])
    return table(last)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.all if name in SLOW else ()) for name in CASES])
def test_keywords_agree_with_the_reference(name: str, tmp_path: Path) -> None:
    both(tmp_path, script(*CASES[name]), 0)


@pytest.mark.parametrize("name, before, region", [
    ("group", "", BLOCK),
    ("slab", "boundary p s s\n", "block 0 3 0 2 0 2"),
    ("tilted", "", "prism 0 2 0 2 0 2 1.0 -1.0 1.0"),
    ("small", "", "block 0 1 0 3 0 2"),
])
def test_while_a_run_goes_on(name: str, before: str, region: str, tmp_path: Path) -> None:
    """Atoms have left the box since lists were made: vectors to neighbours are the same, and so are positions."""
    both(tmp_path, script(2, 4, "", "some" if name == "group" else "all", before, region), 4)
