"""A quick look at a GPU: the melt on every device, side by side. Run by hand: python tests/gpu/smoke.py"""

import sys
import time

from everlet import Simulation

SCRIPT = """
units lj
lattice fcc 0.8442
region box block 0 {n} 0 {n} 0 {n}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 100
thermo_modify format float %.15g
"""


def main() -> None:
    for device, n, precision in (("serial", 10, "double"), ("cuda", 10, "double"), ("cuda", 10, "mixed"),
                                 ("cuda", 40, "double"), ("cuda", 80, "double"), ("cuda", 80, "mixed")):
        begin = time.perf_counter()
        sim = Simulation(device=device, precision=precision)
        sim.commands(SCRIPT.format(n=n) + "run 100")
        first = time.perf_counter() - begin
        begin = time.perf_counter()
        sim.commands("run 200")
        seconds = time.perf_counter() - begin
        row = sim.thermo.history[1]
        atoms = sim.engine.system.natoms
        print(f"{device} {precision} {atoms}: first run {first:.2f} s, then {atoms * 200 / seconds / 1e6:.1f} M atom-steps/s; "
              f"step 0 {sim.thermo.history[0]['epair']:.15g}, step 100 {row['etotal']:.15g} {row['press']:.12g} "
              f"phases { {k: round(v, 3) for k, v in sim.engine.loop.timers.seconds.items()} }")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
