"""What fit_snap.py and fit_ace.py share: frames of copper, run by the potential that is learned, and a table of errors."""

import sys

import everlet
from everlet.tools import potential

STEPS = int(sys.argv[1]) if sys.argv[1:2] and sys.argv[1].isdigit() else 400
MELT = """
    units metal
    lattice fcc {a}
    region box block 0 2 0 2 0 2
    create_box 1 box
    create_atoms 1 box
    mass 1 63.546
    pair_style eam/alloy
    pair_coeff * * Cu.eam.alloy Cu
    velocity all create {t} {seed}
    fix 1 all nvt temp {t} {t} 0.1
"""


def frames(seed, count=6):
    """Crystals and liquids of several densities; energy, forces and virial are those of the potential."""
    potential.main(["johnson", "Cu", "--output", "Cu.eam.alloy"])
    for a in (3.50, 3.61, 3.75):
        for t in (300.0, 900.0, 2000.0):
            sim = everlet.Simulation(device="cpu", threads=1, tune=False).commands(MELT.format(a=a, t=t, seed=seed))
            for _ in range(count):
                sim.run(STEPS // count)
                yield everlet.Configuration.of(sim)


def table(fit, new, coefficients):
    """Errors of what was fitted, and of new frames; with --plot a picture of the forces of these."""
    print(f"{len(fit.values)} rows of {fit.frame[-1] + 1} frames, {coefficients.size} coefficients\n")
    print("                    rmse        mae        max     spread")
    for title, design in ("fitted", fit), ("new", new):
        for name, error in design.errors(coefficients).items():
            unit = "eV/A" if name == "force" else "eV/atom"
            print(f"{title:7}{name:8}" + "".join(f"{error[key]:11.2e}" for key in ("rmse", "mae", "max", "spread")), unit)
    if "--plot" in sys.argv:
        import matplotlib.pyplot as plt

        rows = new.kind == 1
        plt.plot(new.values[rows], new.predicted(coefficients)[rows], ".", markersize=2)
        plt.axline((0.0, 0.0), slope=1.0, color="black", linewidth=0.5)
        plt.xlabel("force, embedded atoms (eV/A)")
        plt.ylabel("force, fitted (eV/A)")
        plt.savefig("parity.png", dpi=150)
