"""Inner energies of dissipative particles in time."""

from __future__ import annotations

from everlet.errors import InputError, no_arguments
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, f64, local, parallel_for, portable
from everlet.state.atom_styles import need_field
from everlet.state.system import System


@local
@portable
def gain(i, cond: f64[:], mech: f64[:], cond_rate: f64[:], mech_rate: f64[:], half: f64):
    cond[i] += half * cond_rate[i]
    mech[i] += half * mech_rate[i]


GAIN = Kernel(gain)


@fix_style("dpd/energy")
class DPDEnergy(Fix):
    """fix ID all dpd/energy: u_cond and u_mech of pair style dpd/fdt/energy, in halves of steps, with velocities. All atoms."""

    steady = True
    reads, writes = ("cond", "mech", "cond_rate", "mech_rate"), ("cond", "mech")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "fix", "dpd/energy")
        need_field(system.atoms, "theta", "fix dpd/energy")
        if group != "all":
            raise InputError("fix dpd/energy is for group all", "use fix ID all dpd/energy")

    def kernels(self) -> list[Kernel]:
        return [GAIN]

    def init(self) -> None:
        if not any(fix.style.startswith("eos/") for fix in self.system.fixes.values()):
            raise InputError(f"fix {self.id} dpd/energy needs temperatures of energies", "add fix eos/cv or eos/table")

    def initial_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, GAIN, atoms.view("cond", modify=True), atoms.view("mech", modify=True),
                     atoms.view("cond_rate"), atoms.view("mech_rate"), 0.5 * system.dt)

    def final_integrate(self) -> None:
        self.initial_integrate()
