"""Data files of both programs, compared; and small systems of molecules for tests."""

from __future__ import annotations

import re
from pathlib import Path

from everlet import Simulation
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
    """Run a script in both programs and compare the data files that it writes."""
    names = re.findall(r"write_data (\S+)", script)
    assert names
    lmp(folder, re.sub(r"write_data (\S+)", r"write_data ref.\1", script))
    sim = Simulation(device="serial", screen="none", log="none")
    sim.commands(script)
    for name in names:
        same_files(folder / name, folder / f"ref.{name}")
    return sim
