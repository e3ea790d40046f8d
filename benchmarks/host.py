"""Work of the host beside lmp: loops of scripts, short runs, long scripts, files of many atoms, output during a run.

    python benchmarks/host.py [loops] [runs] [lines] [files] [outputs] [--repeat 3] [--atoms 1000000] [--json FILE]

loops     Monte-Carlo moves of single atoms in 2-d, as scripts write them: 1 000 turns of 13 lines with a run of one step each;
          and 1 000 turns of displace_atoms and `run 0`, 864 atoms in 3-d
runs      `run 0` of 864 atoms, from Python
lines     a script of 1 000 lines of all kinds, up to and with `run 0`
files     dump custom, atom, xyz, write_data, read_data, read_dump of many atoms: CPU time of a run with and without them
outputs   a melt of 32 000 atoms with nvt, thermo rows, msd, rdf and dumps beside plain nve, one core

Times are CPU seconds (user and system) of whole processes: others may use the machine. Everlet and lmp take turns; medians.
Start-up is measured by the same script with one turn, or without the files, and counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

EVERLET = [sys.executable, "-m", "everlet", "--threads", "1", "-log", "log.everlet", "-in"]
LMP = ["lmp", "-log", "log.lammps", "-in"]

LOOP = """variable iter loop {turns}
variable deltamove equal 0.1
variable kT equal 0.05
variable seed equal 582783
units lj
atom_modify map array sort 0 0.0
dimension 2
lattice hex 1.0
region box block 0 10 0 5 -0.5 0.5
create_box 1 box
create_atoms 1 box
mass 1 1.0
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
pair_modify shift yes
neighbor 0.3 bin
neigh_modify delay 0 every 1 check yes
variable e equal pe
run 0
variable emin equal $e
variable px atom x+0.2*random(-1.0,1.0,${{seed}})
set group all x v_px
run 0
variable elast equal $e
thermo_style custom step v_emin v_elast pe
run 0
variable naccept equal 0
variable increment equal v_naccept+1
variable irandom equal floor(atoms*random(0.0,1.0,${{seed}})+1)
variable rn equal random(0.0,1.0,${{seed}})
variable boltzfactor equal "exp(atoms*(v_elast - v_e) / v_kT)"
variable xnew equal x[v_i]+v_deltamove*random(-1.0,1.0,${{seed}})
variable ynew equal y[v_i]+v_deltamove*random(-1.0,1.0,${{seed}})
variable xi equal x[v_i]
variable yi equal y[v_i]
label loop
variable i equal ${{irandom}}
variable x0 equal ${{xi}}
variable y0 equal ${{yi}}
set atom $i x ${{xnew}}
set atom $i y ${{ynew}}
run 1 pre no post no
if "$e <= ${{elast}}" then "variable elast equal $e" "variable naccept equal ${{increment}}" &
   elif "${{rn}} <= ${{boltzfactor}}" "variable elast equal $e" "variable naccept equal ${{increment}}" &
   else "set atom $i x ${{x0}}" "set atom $i y ${{y0}}"
next iter
jump SELF loop
print "energy $e, accepted ${{naccept}}"
"""
BOX = """units lj
lattice fcc 0.8442
region box block 0 {n} 0 {n} 0 {n}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop all
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
"""
DISPLACE = BOX.format(n=6) + """group one id 5
variable iter loop {turns}
run 0
label loop
displace_atoms one move $(0.01*random(-1,1,4711)) 0 0 units box
run 0
next iter
jump SELF loop
"""
# what a file costs: the script with it less the script without it
FILES = {
    "dump custom": "dump d all custom 1 file.dump id type x y z vx vy vz\nrun 0\n",
    "dump atom": "dump d all atom 1 file.dump\nrun 0\n",
    "dump xyz": "dump d all xyz 1 file.dump\nrun 0\n",
    "write_data": "run 0\nwrite_data file.data\n",
}
READ = {
    "read_data": "units lj\nread_data given.data\nrun 0\n",
    "read_dump": "run 0\nread_dump given.dump 0 x y z vx vy vz\n",
}
WATCHED = """fix 1 all nvt temp 1.44 1.44 0.5
thermo 100
compute m all msd
compute r all rdf 100
fix a all ave/time 100 1 100 c_r[*] file rdf.txt mode vector
thermo_style custom step temp pe press c_m[4]
dump d all custom 1000 file.dump id type x y z
"""


def spent(command: list[str], folder: Path) -> float:
    """CPU seconds of a process and its children."""
    with open(folder / "out.txt", "w") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, env=environment())
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed:\n" + (folder / "out.txt").read_text()[-2000:])
    return usage.ru_utime + usage.ru_stime


def environment() -> dict[str, str]:
    """Everlet as it is when installed: modules are compiled, output has its buffers."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")}
    here, compiled = str(Path(__file__).parent.parent), str(Path(tempfile.gettempdir()) / "everlet-bytecode")
    return {**kept, "OMP_NUM_THREADS": "1", "PYTHONPATH": here, "PYTHONPYCACHEPREFIX": compiled}


def beside(folder: Path, repeat: int, scripts: dict[str, str]) -> dict[str, dict[str, float]]:
    """Median CPU seconds of each script for both programs, in turns; the first turn compiles and is not counted."""
    for name, text in scripts.items():
        (folder / f"in.{name}").write_text(text)
    times: dict[str, dict[str, list[float]]] = {name: {"everlet": [], "lmp": []} for name in scripts}
    for turn in range(repeat + 1):
        for name in scripts:
            for program, command in (("everlet", EVERLET), ("lmp", LMP)):
                seconds = spent([*command, f"in.{name}"], folder)
                if turn:
                    times[name][program].append(seconds)
    return {name: {program: statistics.median(found) for program, found in by.items()} for name, by in times.items()}


def less(folder: Path, repeat: int, whole: str, part: str, label: str) -> dict[str, object]:
    """What the first script costs more than the second one."""
    found = beside(folder, repeat, {"whole": whole, "part": part})
    row: dict[str, object] = {"what": label}
    for program in ("everlet", "lmp"):
        row[f"{program} start"] = found["part"][program]
        row[program] = found["whole"][program] - found["part"][program]
    row["ratio"] = row["everlet"] / row["lmp"]  # type: ignore[operator]
    return row


def loops(folder: Path, args: argparse.Namespace) -> list[dict[str, object]]:
    return [less(folder, args.repeat, text.format(turns=1000), text.format(turns=1), label)
            for label, text in (("Monte-Carlo loop, 1000 turns", LOOP), ("displace_atoms, run 0, 1000 turns", DISPLACE))]


def runs(folder: Path, args: argparse.Namespace) -> list[dict[str, object]]:
    from everlet import Simulation

    rows: list[dict[str, object]] = []
    for label, settings in (("", "every 1 check yes"), (", lists made anew", "every 20 check no")):
        sim = Simulation(threads=1).commands(BOX.format(n=6) + f"neigh_modify delay 0 {settings}\n")
        times = []
        for _ in range(200):
            begin = time.process_time()
            sim.run(0)
            times.append(time.process_time() - begin)
        rows.append({"what": f"run 0 of 864 atoms{label}", "everlet": statistics.median(times)})
    return rows


def lines(folder: Path, args: argparse.Namespace) -> list[dict[str, object]]:
    many = "".join(f"variable a{k} equal {k}*2+sqrt({k})\nvariable b{k} index one two\n"
                   f"region r{k} block 0 {k % 5 + 1} 0 2 0 2\n"
                   f"group g{k % 20} region r{k}\nprint 'line {k} of ${{a{k}}}'\n" for k in range(200))
    return [less(folder, args.repeat, BOX.format(n=4) + many + "run 0\n", BOX.format(n=4) + "run 0\n", "script of 1000 lines")]


def files(folder: Path, args: argparse.Namespace) -> list[dict[str, object]]:
    box = BOX.format(n=round((args.atoms / 4) ** (1 / 3)))
    (folder / "in.given").write_text(box + "run 0\nwrite_data given.data\n"
                                     "write_dump all custom given.dump id type x y z vx vy vz modify sort id\n")
    spent([*LMP, "in.given"], folder)
    found = [less(folder, args.repeat, box + text, box + "run 0\n", what) for what, text in FILES.items()]
    rest = "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\n"
    found.append(less(folder, args.repeat, READ["read_data"].replace("run 0\n", rest + "run 0\n"), box + "run 0\n",
                      "read_data instead of create_atoms"))
    return [*found, less(folder, args.repeat, box + READ["read_dump"], box + "run 0\n", "read_dump")]


def outputs(folder: Path, args: argparse.Namespace) -> list[dict[str, object]]:
    box, steps = BOX.format(n=20), 1000
    found = beside(folder, args.repeat, {
        "plain": f"{box}fix 1 all nve\nthermo {steps}\nrun {steps}\n", "watched": f"{box}{WATCHED}run {steps}\n",
        "start": f"{box}fix 1 all nve\nrun 0\n", "start2": f"{box}{WATCHED}run 0\n"})
    row: dict[str, object] = {"what": f"nvt, thermo, msd, rdf, dump: {steps} steps beside plain nve"}
    for program in ("everlet", "lmp"):
        plain = found["plain"][program] - found["start"][program]
        watched = found["watched"][program] - found["start2"][program]
        row |= {f"{program} plain": plain, program: watched, f"{program} speed kept": plain / watched}
    return [row]


PARTS: dict[str, Callable[[Path, argparse.Namespace], list[dict[str, object]]]] = {
    "loops": loops, "runs": runs, "lines": lines, "files": files, "outputs": outputs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=" ".join(PARTS))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--atoms", type=int, default=1_000_000)
    parser.add_argument("--json", default="")
    args = parser.parse_args()
    rows = []
    for part in args.parts:
        with tempfile.TemporaryDirectory() as folder:
            for row in PARTS[part](Path(folder), args):
                rows.append(row)
                print("  ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{value}" for key, value in row.items()),
                      flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
