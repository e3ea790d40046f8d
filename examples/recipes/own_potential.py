"""A potential of one's own: its energy in a few lines, its force by differentiation, in use like any other.

    python examples/recipes/own_potential.py

What one learns: a style in a file of its own (here this one), loading it, and comparing forces with differences of energies.
"""

import numpy as np

import everlet as ev
from everlet.forces.pair.quantities import energy, inverse_length, length
from everlet.portable import exp, sqrt


@ev.pair_style("soft/well")
class SoftWell(ev.PairStyle):
    """E = D [(1 - exp(-a (r - r0)))² - 1] for r < r_c, a potential of Morse, written as its energy alone."""

    coeffs = dict(depth=energy, alpha=inverse_length, r0=length)
    example = dict(depth=1.0, alpha=4.0, r0=1.1)

    def table(self, depth: float, alpha: float, r0: float) -> dict[str, float]:
        return dict(d=depth, a=alpha, r0=r0)

    @ev.portable
    def energy(r2, p):
        rest = 1.0 - exp(-p.a * (sqrt(r2) - p.r0))
        return p.d * (rest * rest - 1.0)


def main() -> None:
    draw = np.random.default_rng(2)
    grid = np.array(list(np.ndindex(4, 4, 4))) * 1.15
    with ev.Simulation(units="lj") as sim:
        sim.create(grid + draw.normal(0, 0.04, grid.shape), cell=[4.6, 4.6, 4.6])
        sim.pair = ev.pair.soft_well(2.2, depth=1.0, alpha=4.0, r0=1.1)
        own, forces, x = sim.energy, sim.forces, sim.positions
        for row, axis in ((0, 0), (17, 1), (63, 2)):  # forces are slopes of the energy
            sides = []
            for sign in (1, -1):
                moved = x.copy()
                moved[row, axis] += sign * 1e-5
                sim.positions = moved
                sides.append(sim.energy)
            assert np.isclose(-(sides[0] - sides[1]) / 2e-5, forces[row, axis], rtol=1e-6, atol=1e-7)
        sim.positions = x
        sim.pair = ev.pair.morse(2.2).coeff("*", "*", 1.0, 4.0, 1.1)  # ours
        print(f"energy {own:.6f}, of pair_style morse {sim.energy:.6f}")
        assert np.isclose(own, sim.energy, rtol=1e-12) and np.allclose(sim.forces, forces, atol=1e-10)

        sim.pair = ev.pair.soft_well(2.2, depth=1.0, alpha=4.0, r0=1.1).modify(shift=True)  # no jump at the cutoff
        sim.set_temperature(0.2, seed=1)
        sim.fix.nve()
        sim.thermo.every = 50
        sim.run(300)
        drift = np.ptp(sim.thermo["etotal"])
        print(f"energy is conserved to {drift:.1e} of {abs(sim.thermo['etotal'][0]):.2f} per atom")
        assert drift < 1e-2


if __name__ == "__main__":
    main()
