"""Rigid bodies."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.rigid.barostat import BarostatBodies
from everlet.fixes.rigid.base import RigidBodies
from everlet.fixes.rigid.nose_hoover import ThermalBodies
from everlet.state.operation import Gives
from everlet.state.system import System


@fix_style("rigid")
class Rigid(RigidBodies):
    """fix ID group rigid molecule|single|group N ID … [force BODIES X Y Z] [torque BODIES X Y Z] [reinit yes]
    [infile FILE]

    Atoms move as bodies, each with the sums of forces and torques of its atoms: every molecule, all atoms of the group, or
    those of N groups. force, torque: `off` holds bodies back in a direction. Frames turn by Richardson's iteration
    (kernels.py). infile: masses and moments of bodies (infile.py). Use neigh_modify exclude molecule/intra,
    so that forces inside of bodies are not computed.
    """

    name = "rigid"


@fix_style("rigid/small")
class RigidSmall(RigidBodies):
    """fix ID group rigid/small molecule [reinit yes] [mol TEMPLATE]: as fix rigid, for many molecules. mol: copies of it that
    fix deposit brings are bodies, too (arrivals.py)."""

    name, small = "rigid/small", True


@fix_style("rigid/nve")
class RigidNve(RigidBodies):
    """fix ID group rigid/nve …: as fix rigid; frames turn by rotations that keep phase space, and energies drift less."""

    name, symplectic = "rigid/nve", True


@fix_style("rigid/nve/small")
class RigidNveSmall(RigidBodies):
    """fix ID group rigid/nve/small molecule [reinit yes]; f_ID is not available."""

    name, symplectic, small = "rigid/nve/small", True, True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.gives = Gives()


ENSEMBLES: tuple[tuple[str, type[RigidBodies], str], ...] = (
    ("nvt", ThermalBodies, "temp TSTART TSTOP TDAMP [tparam LINKS LOOPS 3|5] [keywords]"),
    ("npt", BarostatBodies, "temp … iso|aniso|x|y|z PSTART PSTOP PDAMP … [keywords]"),
    ("nph", BarostatBodies, "iso|aniso|x|y|z PSTART PSTOP PDAMP … [keywords]"),
)
for ensemble, base, words in ENSEMBLES:
    for name, bodies in ((f"rigid/{ensemble}", "molecule|single|group N ID …"), (f"rigid/{ensemble}/small", "molecule")):
        parts = {"name": name, "small": bodies == "molecule", "__module__": __name__,
                 "__doc__": f"fix ID group {name} {bodies} {words}"}
        fix_style(name)(type("".join(word.title() for word in name.split("/")), (base,), parts))
