"""What random scripts do to their atoms, and what they write: groups, set, displace_atoms, velocity, thermo, runs."""

from __future__ import annotations

import platform
from typing import Any

from tests.oracle.random_scripts import DUMP, MORE, THERMO, number

# On such CPUs the reference's compiler joins multiplications with additions. Positions that commands move may then differ in
# the last bit, and streams of `loop geom` are seeded by those bits.
FUSED = platform.machine() in ("aarch64", "arm64")


def edits(w: Any) -> None:
    """Up to four commands that change atoms or name some of them."""
    known = [group, group, group, change, change, displace, displace, displace, delete, replicate]
    for _ in range(w.r.choice((0, 1, 2, 3, 4))):
        w.r.choice(known)(w)


def lattice_units(w: Any) -> str:
    """The keyword units, where the script's places are not in lattice spacings."""
    return "units box" if w.spot == "box" else w.r.choice(("", "units lattice"))


def region(w: Any) -> str:
    name = w.region()
    if w.spot == "box":
        at = len(w.lines) - 1
        if " union " not in w.lines[at] and " intersect " not in w.lines[at]:
            w.lines[at] += " units box"
    return str(name)


def group(w: Any) -> None:
    r, name = w.r, f"g{len(w.groups)}"
    how = r.choice(("type", "id", "region", "subtract", "union", "intersect", "compare"))
    others = w.groups[1:]
    if how in ("subtract", "union", "intersect") and not others:
        how = "id"
    if how == "type":
        w.say("group", name, "type", r.randint(1, w.types))
    elif how == "id":
        w.say("group", name, "id", f"{r.randint(1, 9)}:{r.randint(10, 40)}:{r.randint(1, 3)}", r.randint(1, 20))
    elif how == "compare":
        w.say("group", name, "id", r.choice(("<", ">", "<=", ">=", "!=")), r.randint(2, 30))
    elif how == "region":
        w.say("group", name, "region", region(w))
    elif how == "subtract":
        w.say("group", name, "subtract all", r.choice(others))
    else:
        w.say("group", name, how, r.choice(others), r.choice(w.groups))
    w.groups.append(name)


def change(w: Any) -> None:
    r = w.r
    kind = r.randint(1, w.types)
    which = r.choice((f"type {kind}", f"group {w.group()}", f"atom {r.randint(1, 5)}*{r.randint(6, 30)}", "group all"))
    speed = w.L / w.dt / 1000.0
    how = r.choice(("type", "type/fraction", "type/fraction", "vx", "image", "x"))
    if how == "type":
        w.say("set", which, "type", r.randint(1, w.types))
    elif how == "type/fraction":
        w.say("set", which, "type/fraction", r.randint(1, w.types), w.n(0.1, 0.9), w.seed())
    elif how == "vx":
        w.say("set", which, "vx", w.n(-speed, speed), "vy", w.n(-speed, speed))
    elif how == "image":
        flags = [r.choice(("NULL", "1", "-2")) if k == "p" and (j < 2 or not w.flat) else "NULL"
                 for j, k in enumerate(w.kinds)]
        w.say("set", which, "image", *flags)
    else:
        w.say("variable place atom", f"x+{w.n(0.0, 0.05 * w.L)}")
        w.say("set", which, "x v_place")


def displace(w: Any) -> None:
    r = w.r
    step = 1.0 if w.spot == "lattice" else w.L
    how = r.choice(("move", "ramp", "random", "random", "rotate"))
    flat = ["0"] if w.flat else [w.n(-0.3 * step, 0.3 * step)]
    if how == "move":
        w.say("displace_atoms", w.group(), "move", w.n(-step, step), w.n(-step, step), *flat, lattice_units(w))
        w.close = True
    elif how == "ramp":
        low, high = w.edges[1]
        w.say("displace_atoms", w.group(), "ramp x", w.n(-0.2 * step, 0), w.n(0, 0.2 * step), "y", number(low),
              number(high), lattice_units(w))
        w.close = w.close or w.chance(0.5)
    elif how == "random":
        size = [w.n(0.0, 0.08 * step) for _ in range(3)]
        if w.flat:
            size[2] = "0"
        w.say("displace_atoms", w.group(), "random", *size, w.seed(), lattice_units(w))
    else:
        axis = ("0", "0", "1") if w.flat or w.chance(0.5) else tuple(str(r.randint(-2, 3)) for _ in range(2)) + ("1",)
        point = [number(0.5 * (a + b)) if w.chance(0.6) else number(step) for a, b in w.edges[:2]]
        w.say("displace_atoms", w.group(), "rotate", *point, "0", *axis, w.n(-90, 90), lattice_units(w))
        w.close = True


def delete(w: Any) -> None:
    if w.chance(0.5) and len(w.groups) > 1:
        w.say("delete_atoms group", w.r.choice(w.groups[1:]), w.r.choice(("", "compress no", "compress yes")))
    else:
        w.say("delete_atoms region", region(w))
    if w.chance(0.3):
        w.say("reset_atoms id")


def replicate(w: Any) -> None:
    if any(line.startswith("replicate") for line in w.lines):
        return
    copies = [w.r.choice((1, 1, 2)) if kind == "p" or w.chance(0.1) else 1 for kind in w.kinds]
    if w.flat:
        copies[2] = 1
    if copies == [2, 2, 2]:
        copies[0] = 1
    w.say("replicate", *copies)


def velocities(w: Any) -> None:
    r = w.r
    speed = w.L / w.dt / 1000.0
    for k in range(r.choice((0, 1, 1, 1, 2, 3))):
        how = r.choice(("create", "set", "scale", "ramp", "zero"))
        how = r.choice(("create", "create", "create", "set", "ramp")) if k == 0 else how
        group = "all" if w.chance(0.7) else w.group()
        if how == "create":
            words: list[object] = []
            if w.chance(0.4):
                words += ["dist", r.choice(("uniform", "gaussian"))]
            for key, part in (("mom", 0.3), ("rot", 0.3), ("sum", 0.15)):
                if w.chance(part):
                    words += [key, r.choice(("yes", "no"))]
            if w.chance(0.6):
                loop = r.choice(("all", "geom", "geom", "local"))
                words += ["loop", "all" if FUSED and loop == "geom" else loop]
            w.say("velocity", group, "create", w.n(0.1 * w.T, 2.0 * w.T), w.seed(), *words)
        elif how == "set":
            parts = [r.choice(("NULL", w.n(-speed, speed))) for _ in range(3)]
            if w.flat:
                parts[2] = r.choice(("0", "NULL"))
            w.say("velocity", group, "set", *parts, r.choice(("", "units box", "sum yes")))
        elif how == "scale":
            w.say("velocity", group, "scale", w.n(0.1 * w.T, 2.0 * w.T))
        elif how == "ramp":
            low, high = w.edges[0]
            w.say("velocity", group, "ramp", r.choice(("vx", "vy")), w.n(-speed, 0), w.n(0, speed), "x", number(low),
                  number(high), "units box" if w.spot == "box" else "", r.choice(("", "sum yes")))
        else:
            w.say("velocity", group, "zero", r.choice(("linear", "angular")))


def computes(w: Any) -> None:
    """Computes and variables; their names tell what their numbers are compared with."""
    w.extra = []
    if w.chance(0.3):
        w.say("compute tg", w.group(), "temp")
        w.say("compute eg", w.group(), "ke")
        w.extra += ["c_tg", "c_eg"]
    if w.chance(0.2):
        w.say("compute ep all pe")
        w.say("compute pp all pressure thermo_temp", w.r.choice(("", "virial", "ke")))
        w.extra += ["c_ep", "c_pp", "c_pp[1]", "c_pp[4]"]
    if w.chance(0.25):
        g = w.group()
        formula = w.r.choice((f"gyration({g})", f"bound({g},xmax)", f"abs(xcm({g},y))+lx", "lx+ly*2^2/4", "vol^(1/3)",
                              "ternary(step>3,lx,ly)", f"bound({g},ymin)+lz", "sqrt(lx*ly)", "lx*ramp(1,2)"))
        w.say("variable l equal", formula)
        w.extra.append("v_l")
    if w.chance(0.2):
        g = w.group()
        w.say("variable e equal", w.r.choice((f"ke({g})", "pe+ke", "etotal*atoms", f"ke(all)*count({g})/count(all)",
                                              f"mass({g})*temp")))
        w.extra.append("v_e")
    if w.chance(0.15):
        w.say("compute rr", w.group(), "reduce", w.r.choice(("sum", "max", "ave")), w.r.choice(("vx", "x", "fy")))
        w.extra.append("c_rr")


def output(w: Any) -> None:
    r = w.r
    style = r.choice(("custom", "custom", "custom", "custom", "one", "multi", "yaml"))
    if style == "custom":
        words = THERMO if w.chance(0.5) else [word for word in THERMO if word in ("temp", "pe", "press") or w.chance(0.6)]
        words = [*words, *(word for word in MORE if w.chance(0.1)), *w.extra]
        w.say("thermo_style custom step", *words)
    else:
        w.say("thermo_style", style)
    words = ["format float %.15g"]
    if w.chance(0.3):
        words.append(f"norm {r.choice(('yes', 'no'))}")
    leaving = w.close and "".join(w.kinds) != "p" * 3
    if w.chance(0.85 if leaving else 0.15):
        words.append(f"lost {r.choice(('warn', 'warn', 'warn', 'error'))}")
    w.say("thermo_modify", *words)
    w.say("thermo", r.choice((1, 2, 3, 5, 7)))
    if w.chance(0.2):
        w.say("dump d1", w.group(), "custom", r.choice((1, 2, 3)), "t.dump", DUMP, r.choice(("", "xs ys", "ysu zsu", "mass")))
        w.say("dump_modify d1 sort id format float %.15g")


def between(w: Any) -> None:
    """Changes between runs; none of them draws from positions, whose last bits are not the same after steps."""
    r = w.r
    how = r.choice(("group", "delete", "type", "mass", "thermo", "skin", "fix", "create", "timestep", "shift", "restart"))
    if how == "group":
        group(w)
        w.say("velocity", w.groups[-1], "set", w.n(-w.L / w.dt / 1000.0, 0.0), "NULL NULL units box")
    elif how == "delete":
        w.say("delete_atoms group", w.group(), r.choice(("", "compress no")))
    elif how == "type":
        w.say("set atom", f"1*{r.randint(2, 9)}", "type", r.randint(1, w.types))
    elif how == "mass":
        w.say("mass", r.randint(1, w.types), w.n(w.M, 2.0 * w.M))
    elif how == "thermo":
        w.say("thermo_style custom step temp etotal press pe", *(word for word in MORE if w.chance(0.2)))
        w.say("thermo_modify format float %.15g lost warn norm", r.choice(("yes", "no")))
    elif how == "skin":
        w.say("neighbor", w.n(0.1 * w.L, 0.4 * w.L), "bin")
    elif how == "fix":
        w.say("unfix 1")
        w.say("fix 1", w.group(), "nve")
    elif how == "create":
        w.say("create_atoms", r.randint(1, w.types), "single", *(number(0.5 * (a + b) + 0.0173 * w.L) if k < 2 or not w.flat
                                                                else "0" for k, (a, b) in enumerate(w.edges)))
    elif how == "timestep":
        w.say("timestep", number(0.3 * w.dt))
    elif how == "shift":
        w.say("pair_modify shift", r.choice(("yes", "no")))
    else:
        w.say("write_restart w.restart")  # reset_atoms id follows the order of storage, which is another after a run


def runs(w: Any) -> None:
    r = w.r
    steps = r.choice((0, 0, 1, 2, 3, 5, 8, 10))
    words = ["run", str(steps)]
    if w.chance(0.1) and steps:
        words += ["every", str(max(1, steps // 2)), "NULL" if w.chance(0.5) else '"variable zz equal step"']
    elif w.chance(0.1):
        words.append("upto")
    w.say(*words)
    for _ in range(r.choice((0, 0, 0, 1, 2))):
        how = r.choice(("run", "pre", "upto", "reset", "velocity", "move", "between", "between"))
        if how == "run":
            w.say("run", r.randint(0, 5), r.choice(("", "post no", "start 0")))
        elif how == "pre":
            w.say("run", r.randint(0, 5), "pre no", r.choice(("", "post no")))
        elif how == "upto":
            w.say("run", r.randint(5, 25), "upto")
        elif how == "reset":
            if any(line.startswith("dump ") for line in w.lines) and w.chance(0.9):
                w.say("undump d1")
            w.say("reset_timestep", r.randint(0, 100))
            w.say("run", r.randint(0, 3))
        elif how == "velocity":
            w.say("velocity all scale", w.n(0.1 * w.T, 2.0 * w.T))
            w.say("run", r.randint(0, 3))
        elif how == "between":
            between(w)
            w.say("run", r.randint(0, 3))
        else:
            flat = "0" if w.flat else number(0.2 * w.L)
            w.say("displace_atoms all move", number(0.3 * w.L), number(-0.7 * w.L), flat, "units box")
            w.say("run", r.randint(0, 3))
    w.say("write_dump all custom final.dump", DUMP, "modify sort id format float %.15g")
    if w.chance(0.2) and not any("lost" in line for line in w.lines):  # the reference refuses to write after a loss
        w.say("write_data final.data")
