"""Data files of both programs, compared; and small systems of molecules for tests."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from everlet import Simulation
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp

LINKED = ("Bonds", "Angles", "Dihedrals", "Impropers")
WATER = """water
3 atoms
2 bonds
1 angles

Coords

1 0 0 0
2 0.8164966 0.5773503 0
3 -0.8164966 0.5773503 0

Types

1 1
2 2
3 2

Charges

1 -0.8476
2 0.4238
3 0.4238

Bonds

1 1 1 2
2 1 1 3

Angles

1 1 2 1 3
"""


def water_box(edge: float, *masses: float) -> str:
    """The beginning of a script: an empty cube for molecules of water, and for atoms of other types."""
    return (f"units real\natom_style full\nregion b block 0 {edge} 0 {edge} 0 {edge}\ncreate_box {len(masses)} b bond/types 1 "
            "angle/types 1 extra/bond/per/atom 2 extra/angle/per/atom 1 extra/special/per/atom 3\n"
            + "".join(f"mass {kind} {mass}\n" for kind, mass in enumerate(masses, 1)))


def sections(path: Path) -> dict[str, list[list[str]]]:
    """Header and sections as words; atoms in the order of ids, links in the order of their atoms without numbers."""
    found: dict[str, list[list[str]]] = {"": []}
    current = ""
    for line in path.read_text().splitlines()[1:]:
        words = line.partition("#")[0].split()
        if re.fullmatch(r"Masses|Atoms|Velocities|\w+ (Coeffs|Type Labels)|Bonds|Angles|Dihedrals|Impropers", " ".join(words)):
            current = " ".join(words)
            found[current] = []
        elif words and (current or words[0] != "0" or "hi" in line):  # lines such as '0 dihedrals' may be left out
            found[current].append(words)
    for title, rows in found.items():
        if title in ("Atoms", "Velocities"):
            rows.sort(key=lambda words: int(words[0]))
        elif title in LINKED:
            found[title] = sorted(words[1:] for words in rows)
    return found


def same_word(a: str, b: str) -> bool:
    if a == b:
        return True
    try:
        return abs(float(a) - float(b)) <= 2e-13 * max(1.0, abs(float(a)))
    except ValueError:
        return False


def same_files(ours: Path, theirs: Path) -> None:
    """Data files say the same; numbers to round-off."""
    own, other = sections(ours), sections(theirs)
    assert sorted(own) == sorted(other)
    for title, rows in other.items():
        assert len(own[title]) == len(rows), title
        for mine, wanted in zip(own[title], rows, strict=True):
            assert len(mine) == len(wanted) and all(map(same_word, mine, wanted)), (title, mine, wanted)


def same_data(script: str, folder: Path) -> Simulation:
    """Run a script in both programs and compare the data files that it writes and, if it runs, the last thermo row."""
    names = re.findall(r"write_data (\S+)", script)
    assert names
    log = lmp(folder, re.sub(r"write_data (\S+)", r"write_data ref.\1", script))
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(script)
    for name in names:
        same_files(folder / name, folder / f"ref.{name}")
    if "\nrun " in script:
        for (word, mine), (_, wanted) in zip(sim.thermo.table().items(), parse_log(log)[-1].items(), strict=True):
            np.testing.assert_allclose(mine, wanted, rtol=1e-10, atol=1e-10, err_msg=word)
    return sim


def mixed(path: Path, edge: float = 12.0, seed: int = 7) -> None:
    """A data file of style full: rings of five with a tail of two, chains of four, triangles and lone atoms, across faces."""
    rng = np.random.default_rng(seed)
    ring = [(k, (k + 1) % 5) for k in range(5)] + [(0, 5), (5, 6)]
    shapes = [(7, ring), (4, [(0, 1), (1, 2), (2, 3)]), (3, [(0, 1), (1, 2), (2, 0)]), (1, [])]
    atoms: list[str] = []
    tables: dict[str, list[list[int]]] = {title: [] for title in LINKED}
    for molecule in range(16):
        size, bonds = shapes[molecule % 4]
        first, near = len(atoms) + 1, {k: [b if a == k else a for a, b in bonds if k in (a, b)] for k in range(size)}
        centre = rng.uniform(0.0, edge, 3)
        for k in range(size):
            angle = 2.0 * np.pi * k / 5.0
            reach = 0.85 if k < 5 else 0.85 + 0.95 * (k - 4)
            turn = 0.0 if k >= 5 else angle
            x = centre + [reach * np.cos(turn), reach * np.sin(turn), 0.1 * k] + rng.uniform(-0.05, 0.05, 3)
            flags = np.floor(x / edge).astype(int)
            x -= flags * edge
            number = molecule + 1 if size > 1 else 0
            atoms.append(f"{len(atoms) + 1} {number} {1 + k % 2} {(-1) ** k * 0.3:g} {x[0]:.12g} {x[1]:.12g} {x[2]:.12g} "
                         f"{flags[0]} {flags[1]} {flags[2]}")
        tables["Bonds"] += [[1 + (a + b) % 2, first + a, first + b] for a, b in bonds]
        angles = [(a, b, c) for b in near for a in near[b] for c in near[b] if a < c]
        tables["Angles"] += [[1 + sum(one) % 2, *(first + k for k in one)] for one in angles[: len(angles) - (size == 7)]]
        turns = [(a, b, c, d) for b, c in bonds for a in near[b] for d in near[c] if a != c and d != b and a != d]
        tables["Dihedrals"] += [[1 + sum(one) % 2, *(first + k for k in one)] for one in turns[: len(turns) - 2 * (size == 7)]]
        tables["Impropers"] += [[1, *(first + k for k in (b, *near[b]))] for b in near if len(near[b]) == 3]
    lines = ["mixed", "", f"{len(atoms)} atoms", "2 atom types"]
    for title, types in zip(LINKED, (2, 2, 2, 1), strict=True):
        lines += [f"{len(tables[title])} {title.lower()}", f"{types} {title.lower()[:-1]} types"]
    lines += [f"0 {edge} {a}lo {a}hi" for a in "xyz"] + ["", "Masses", "", "1 1", "2 2.5", "", "Atoms # full", "", *atoms]
    for title, rows in tables.items():
        lines += ["", title, "", *(f"{k + 1} {' '.join(map(str, row))}" for k, row in enumerate(rows))]
    path.write_text("\n".join(lines) + "\n")
