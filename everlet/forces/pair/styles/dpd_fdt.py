"""Dissipative particles given by their noise; friction follows: gamma = sigma^2 / (2 k_B theta).

    F = [a w - gamma w^2 (n.u) + sigma w xi / sqrt(dt)] n,  E = a r_c w^2 / 2,  w = 1 - r/r_c, u = v_i - v_j

Noise is that of styles/dpd.py: by seed, ids and step.
"""

from __future__ import annotations

from typing import Any, ClassVar

from everlet.errors import InputError, arguments, number
from everlet.forces.pair import fdt_loops
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.quantities import Quantity
from everlet.forces.pair.styles.dpd import Noisy, force
from everlet.state.atom_styles import need_field
from everlet.state.atoms import Atoms

noise, conduction = Quantity("force time^1/2"), Quantity("energy temperature/time")


class ByNoise(Noisy):
    loop = fdt_loops.fdt_loop
    heats: ClassVar[bool] = False
    split = False  # fix shardlow has friction, noise and energies

    def configure(self, args: list[str]) -> None:
        words = [*([] if self.heats else ["T"]), "cutoff", "seed"]
        arguments(args, len(words), len(words), f"pair_style {self.name} {' '.join(words)}")
        self.temperature = 1.0 if self.heats else number(args[0], "a temperature")
        if self.temperature <= 0.0:
            raise InputError(f"pair style {self.name}: a temperature {args[0]}", "give a number above zero")
        self.reach_and_seed(args)

    def table(self, cut: float, a: float, sigma: float, kappa: float = 0.0) -> dict[str, float]:
        if sigma < 0.0 or kappa < 0.0:
            raise InputError(f"pair style {self.name}: sigma {sigma:g} and kappa {kappa:g}", "give 0 or more")
        return {"a": a, "sigma": sigma, "kappa": kappa, "inverse": 1.0 / cut if cut else 0.0, "cut": cut}

    def parameters(self, values: dict[str, float]) -> dict[str, float]:
        return self.table(values["cut"], values["a"], values["sigma"], values.get("kappa", 0.0))

    def init(self) -> None:
        super().init()
        self.split = any(fix.style == "shardlow" for fix in self.system.fixes.values())

    def statics(self) -> dict[str, Any]:
        return {"HEAT": self.heats and not self.split, "SPLIT": self.split}

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        system = self.system
        own = [system.atoms.view(name, modify=name != "theta") if self.heats else system.box_view()
               for name in ("theta", "cond_rate", "mech_rate")]
        near = atoms.view("theta") if self.heats else own[0]
        return (*self.noise(atoms), system.units.boltz, 1.0 / self.temperature, near, system.masses_view(), system.mass_kind(),
                system.units.ftm2v, *own[1:])


@pair_style("dpd/fdt")
class DPDFdt(ByNoise):
    """F = [a w - gamma w^2 (n.u) + sigma w xi / sqrt(dt)] n at one temperature, gamma = sigma^2 / (2 k_B T).

    pair_style dpd/fdt T r_c SEED
    pair_coeff I J a sigma [r_c]              a: force
    """

    coeffs = {"a": force, "sigma": noise}


@pair_style("dpd/fdt/energy")
class DPDFdtEnergy(ByNoise):
    """The same with inner energies of atoms: gamma = sigma^2/(4 k_B) (1/theta_i + 1/theta_j),

    u_mech: half of the work of friction and noise each; u_cond: kappa w^2 (1/theta_i - 1/theta_j) + sqrt(2 k_B kappa) w xi'
    / sqrt(dt). fix dpd/energy adds them up in time, fix eos/cv makes temperatures of them. With fix shardlow both styles have
    the force a w alone.

    pair_style dpd/fdt/energy r_c SEED
    pair_coeff I J a sigma kappa [r_c]        a: force
    """

    coeffs = {"a": force, "sigma": noise, "kappa": conduction}
    heats = True

    def init(self) -> None:
        need_field(self.system.atoms, "theta", f"pair style {self.name}")
        fixes = {fix.style for fix in self.system.fixes.values()}
        if not fixes & {"dpd/energy", "shardlow"}:
            raise InputError(f"pair style {self.name} needs a fix that adds up energies",
                             "use fix dpd/energy or fix shardlow, and fix eos/cv")
        super().init()
