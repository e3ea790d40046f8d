"""Readers of text get damaged files: each is an error with a cause and a remedy, or read; never a traceback, nor a hang."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from everlet import EverletError, InputError, Simulation
from tests.oracle.harness import working_in
from tests.tables import rows

START = """units lj
atom_style bond
region box block 0 9 0 9 0 9
create_box 1 box bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 4
create_atoms 1 random 12 4711 box
mass 1 1.0
pair_style lj/cut 2.5
pair_coeff * * 0.001 0.5
bond_style harmonic
bond_coeff 1 1.0 1.0
"""
WRITE = """dump 1 all custom 1 some.dump id type x y z vx vy vz ix iy iz
dump 2 all xyz 1 some.xyz
dump 3 all custom 1 some.dump.gz id x y z
fix 1 all nve
run 2
write_data some.data
"""
MOLECULE = """# two atoms
2 atoms
1 bonds

Coords

1 0 0 0
2 0 0 1

Types

1 1
2 1

Bonds

1 1 1 2
"""
ATOMS = "# values\n" + 2 * ("12\n" + "".join(f"{k} {0.5 * k}\n" for k in range(1, 13)))
LINES = "1.5\n2.5 # comment\n\n3.5\n"
READERS = {  # file, and the lines that read it
    "some.data": "clear\nunits lj\natom_style bond\nbond_style harmonic\npair_style lj/cut 2.5\nread_data some.data",
    "some.dump": "read_dump some.dump 1 x y z vx vy vz ix iy iz box yes replace yes",
    "some.dump.gz": "read_dump some.dump.gz 2 x y z",
    "some.xyz": "read_dump some.xyz 1 x y z box no timestep no format xyz",
    "again.dump": "rerun again.dump dump x y z box yes",
    "some.mol": "molecule m some.mol\ncreate_atoms 0 single 1 1 1 mol m 4711",
    "some.atomfile": "variable a atomfile some.atomfile\nset group all x v_a\nnext a\nset group all y v_a",
    "some.list": "variable a file some.list\nprint ${a}\nnext a\nprint ${a}",
    "some.coeff": "include some.coeff",
}
WORDS = ("", "-1", "0", "1e999", "nan", "99999999999999999999", "x", "ITEM:", "1.5", "\x00", "é", "#", "atoms", "Atoms",
         "1 1 1 1 1 1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("texts")
    with working_in(made):
        sim = Simulation(device="serial", log="none", screen="none", tune=False)
        sim.commands(START + WRITE)
        sim.close()
        Path("again.dump").write_bytes(Path("some.dump").read_bytes())
        for name, text in (("some.mol", MOLECULE), ("some.atomfile", ATOMS), ("some.list", LINES),
                           ("some.coeff", "pair_coeff 1 1 1.0 1.0\nbond_coeff 1 2.0 1.0\n")):
            Path(name).write_text(text)
    return made


def damaged(text: bytes, draw: random.Random) -> bytes:
    """Cut, with lines lost, doubled or moved, with words changed, or with a byte that is another one."""
    lines, kind = text.split(b"\n"), draw.randrange(6)
    at = draw.randrange(len(lines))
    if kind == 0:
        return text[: draw.randrange(len(text))]
    if kind == 1:
        place = draw.randrange(len(text))
        return text[:place] + bytes([draw.randrange(256)]) + text[place + 1:]
    if kind == 2:
        return b"\n".join(lines[:at] + lines[at + 1:])
    if kind == 3:
        return b"\n".join(lines[:at] + [lines[draw.randrange(len(lines))]] + lines[at:])
    words = lines[at].split()
    if words:
        words[draw.randrange(len(words))] = draw.choice(WORDS).encode()
    return b"\n".join([*lines[:at], b" ".join(words), *lines[at + 1:]])


@pytest.mark.parametrize("name", READERS)
def test_damaged(name: str, folder: Path) -> None:
    whole, draw, refused = (folder / name).read_bytes(), random.Random(name), 0
    with working_in(folder):
        for number in range(40):
            text = whole if not number else damaged(whole, draw)
            if name.endswith(".gz") and number % 2:
                text = gzip.compress(damaged(gzip.decompress(whole), draw))
            Path(name).write_bytes(text)
            sim = Simulation(device="serial", log="none", screen="none", tune=False)
            try:
                sim.commands(START + READERS[name])
            except EverletError as error:
                assert number and error.cause and error.remedy, error
                refused += 1
            finally:
                sim.close()
    (folder / name).write_bytes(whole)
    assert refused > 1


@pytest.mark.parametrize("section, row, cause", rows("""
Shake Flags -> x -> Shake Flags: expected a whole number, found 'x'
Shake Flags -> 1.5 -> Shake Flags: expected a whole number, found '1.5'
Shake Flags -> 7 -> Shake Flags: '7' of atom 1 are not 1 numbers from 0 to 4
Shake Atoms -> 1 2 -> Shake Atoms: '1 2' of atom 1 are not 3 numbers from 1 to 3
Shake Atoms -> 1 2 nan -> Shake Atoms: expected a whole number, found 'nan'
Shake Bond Types -> 1 1 0 -> Shake Bond Types: '1 1 0' of atom 1 are not 3 numbers
Coords -> nan 0 0 -> Coords: expected a number, found 'nan'
Charges -> inf -> Charges: expected a number, found 'inf'
Molecules -> ² -> Molecules: expected a whole number, found '²'
"""))
def test_sections_of_molecule_files(section: str, row: str, cause: str, tmp_path: Path) -> None:
    rows = {"Coords": "0 0 0", "Types": "1", "Charges": "0", "Molecules": "1", "Shake Flags": "1", "Shake Atoms": "1 2 3",
            "Shake Bond Types": "1 1 1"}
    text = "a title\n\n3 atoms\n"
    for title, usual in rows.items():
        text += f"\n{title}\n\n" + "".join(f"{k} {row if title == section and k == 1 else usual}\n" for k in (1, 2, 3))
    (tmp_path / "mol").write_text(text)
    sim = Simulation(device="serial").commands("atom_style full\nregion r block 0 9 0 9 0 9\ncreate_box 1 r\n")
    with pytest.raises(InputError) as caught:
        sim.commands(f"molecule m {tmp_path / 'mol'}")
    line = text.splitlines().index(section) + 3
    assert f"mol, line {line}: section {cause}" in caught.value.cause and caught.value.remedy
