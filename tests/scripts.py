"""Beginnings of scripts that many tests share."""

from __future__ import annotations

MELT = "fcc 0.8442"
TWO_CHARGES = """
set group all type/fraction 2 0.4 991
set type 1 charge 0.7
set type 2 charge -1.1
mass * 1.0
displace_atoms all random 0.1 0.1 0.1 2377
"""
SUMS_OF_ATOMS = """
compute pa all pe/atom
compute sa all stress/atom NULL
compute e all reduce sum c_pa
compute s all reduce sum c_sa[1] c_sa[2] c_sa[3] c_sa[4] c_sa[5] c_sa[6]
thermo_style custom step temp pe press pxx pyy pzz pxy pxz pyz c_e c_s[*]
"""
WARM_METAL = """displace_atoms all random 0.12 0.12 0.12 2377
pair_style lj/cut 6.0
pair_coeff * * 0.01 2.5
neighbor 1.0 bin
velocity all create 2000.0 8728
fix move all nve
timestep 0.001
"""
SHOCKED = """
units metal
atom_style dpd
lattice fcc 10.0
region box block {box}
create_box 1 box
create_atoms 1 box
mass 1 125.9
set group all dpd/theta 100
set atom 1*50 dpd/theta {warm}
velocity all create 3000 87287
pair_style dpd/fdt/energy 8.6 245455
pair_coeff 1 1 0.075 0.05 3.2e-2
neighbor 2.0 bin
"""


def crystal(box: str, lattice: str = MELT, *, units: str = "lj", types: int = 1, first: str = "") -> str:
    """Atoms of type 1 on the sites of a box: the edges of a block, or `prism …`. `first`: commands that come before it.
    The text begins on a line of its own."""
    shape = box if box.startswith("prism") else f"block {box}"
    return "\n".join(["", f"units {units}", *first.splitlines(), f"lattice {lattice}", f"region box {shape}",
                      f"create_box {types} box", "create_atoms 1 box", ""])


def melt(box: str, velocity: str = "1.44 87287 loop all", lattice: str = MELT, *, cutoff: float = 2.5, types: int = 1,
         first: str = "") -> str:
    """Moving Lennard-Jones atoms of mass 1, ready for fixes."""
    return f"""{crystal(box, lattice, types=types, first=first)}mass * 1.0
velocity all create {velocity}
pair_style lj/cut {cutoff}
pair_coeff * * 1.0 1.0
"""


def charges(edge: float, *places: str) -> str:
    """A cube with single charges, of mass 20: a type and a place each."""
    atoms = "".join(f"create_atoms {place.split()[0]} single {place.split(maxsplit=1)[1]}\n" for place in places)
    return (f"units real\natom_style charge\nregion box block 0 {edge:g} 0 {edge:g} 0 {edge:g}\ncreate_box 2 box\n"
            f"{atoms}mass * 20.0\nset type 1 charge 0.8\n")
