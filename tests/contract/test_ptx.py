"""Every kernel compiles for a GPU, whether there is one or not: Python to PTX, by each compiler that is installed.

What is compiled is what the engine itself compiles ahead of a run, asked of a GPU on paper.
"""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import everlet
from everlet.comm import kernels as ghosts
from everlet.comm import members as member_comm
from everlet.comm import mpi, send_kernels
from everlet.comm.serial import COPY, PLACE_MANY
from everlet.computes import of_members
from everlet.computes.temperatures import temp
from everlet.dumps.picture import loops as picture
from everlet.errors import InputError
from everlet.fixes.barostats import deform, press_berendsen
from everlet.fixes.charges import condensed, fitted, matrix_loops
from everlet.fixes.charges import matrix as couplings
from everlet.fixes.charges import solver as charges
from everlet.fixes.constraints import cluster_loops, enforce2d, solver_loops
from everlet.fixes.forces.crossterms import kernels as crossterms
from everlet.fixes.integrators import gjf_loops
from everlet.fixes.integrators.nose_hoover import chain, motion
from everlet.fixes.members import deform as member_deform
from everlet.fixes.members import fire, npt_loops
from everlet.fixes.members import langevin as member_langevin
from everlet.fixes.members import velocities as member_velocities
from everlet.fixes.rigid import ensemble_loops as ensemble
from everlet.fixes.rigid import kernels as rigid
from everlet.fixes.walls import energy as wall_energy
from everlet.fixes.walls import wall_morse, wall_reflect
from everlet.forces import clearing
from everlet.forces.bonded import breaking_loops, one_four_loops
from everlet.forces.kspace import ewald_loops, fourier_loops, mesh, pppm_loops, slab
from everlet.forces.manybody.eam import schemes as embedded_schemes
from everlet.forces.manybody.reaxff import kernels as reaxff_kernels
from everlet.forces.manybody.snap import scheme as snap_scheme
from everlet.forces.models import finding
from everlet.forces.models import loops as model_loops
from everlet.forces.models import scheme as model_scheme
from everlet.forces.pair import charged_places, loops, self_loop, sites, virial_loop
from everlet.forces.pair.one_four import bare
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes import lists as list_schemes
from everlet.forces.pair.schemes.base import pair_scheme, scheme_on
from everlet.forces.pair.schemes.lists import team_shape
from everlet.forces.pair.single_loops import single_pair
from everlet.io import number_loops, text_loops, xtc_loops
from everlet.lab import layout_loops
from everlet.lab.studies import product_loops
from everlet.lu import loops as lu
from everlet.neighbor import again, exclusions, moving_loops
from everlet.neighbor import cells as bins
from everlet.neighbor import kernels as rows
from everlet.neighbor.rows import PACK
from everlet.perf import kernels as measuring
from everlet.perf import micro_loops
from everlet.portable import Kernel, Serial, Space, cache, copies, portable, segments, sums
from everlet.portable import programs as launching
from everlet.portable.backends.cuda import found as gpu
from everlet.run.engine import Engine
from everlet.run.minimisers import loops as downhill
from everlet.script.parser import Script
from everlet.state import clock, ranmar
from tests import ace_reference
from tests.contract.styles import CHARGED, ENTRIES, write_table
from tests.contract.systems import CPU_ONLY, LISTS, OTHERS, crystal_box, scattered, simulate
from tests.oracle.test_uf3 import made_up as made_up_splines
from tests.unit import test_portable_random as random_kernels
from tests.unit.test_extrapolation import write_graded
from tests.unit.test_snap import write

SCRIPT = """
units {units}
newton {newton}
region box {region} units box
create_box {types} box
mass * 1.0
{pair}
fix 1 all nve
compute 1 all ke
"""
NEARBY = "compute 2 all pe/atom\ncompute 3 all coord/atom cutoff 2.0\ncompute 4 all rdf 10\ncompute 5 all adf 10\n"
# styles of many atoms, by name: pair_style and pair_coeff; files come with the reference
MANY = {
    "eam": ("eam", "* * Cu_u3.eam"),
    "eam/alloy": ("eam/alloy", "* * CuNi.eam.alloy Cu Ni"),
    "sw": ("sw", "* * Si.sw Si Si"),
    "sw-pairs": ("sw threebody off", "* * Si.sw Si Si"),
    "tersoff": ("tersoff", "* * SiC.tersoff Si C"),
    "tersoff/mod/c": ("tersoff/mod/c", "* * Si.tersoff.modc Si Si"),
    "vashishta": ("vashishta", "* * InP.vashishta In P"),
    "tersoff/mod": ("tersoff/mod", "* * Si.tersoff.mod Si Si"),
    "tersoff/zbl": ("tersoff/zbl", "* * SiC.tersoff.zbl Si C"),
    "hybrid": ("hybrid/overlay tersoff lj/cut 3.0", "* * tersoff Si.tersoff Si Si\npair_coeff * * lj/cut 0.1 2.0"),
    "uf3": ("uf3 3", "* * Nb.uf3 Nb Nb"),
    "snap": ("snap", "* * InP_JCPA2020.snapcoeff InP_JCPA2020.snapparam In P"),
    "pace": ("pace", "* * Cu-PBE-core-rep.ace Cu NULL"),
    "snap-quadratic": ("snap", "* * Mo_Zuo_JPCA2020.quadratic.snapcoeff Mo_Zuo_JPCA2020.quadratic.snapparam Mo Mo"),
    "mliap": ("mliap model linear InP_JCPA2020.mliap.model descriptor sna InP_JCPA2020.mliap.descriptor", "* * In P"),
    "mliap-so3": ("mliap model linear Ni_Mo.mliap.model descriptor so3 Ni_Mo.mliap.descriptor", "* * Ni Mo"),
    "mliap-network": ("mliap model nn Cu.nn.mliap.model descriptor sna Cu.snap.mliap.descriptor", "* * Cu Cu"),
}
DOUBLE_ONLY = ("snap", "snap-quadratic", "mliap", "mliap-so3", "mliap-network", "pace")
FIXES = ("nvt temp 1.0 1.0 0.1", "npt temp 1.0 1.0 0.1 tri 1.0 1.0 1.0", "temp/berendsen 1.0 1.0 0.1",
         "langevin 1 1 0.1 4711 zero yes tally yes", "setforce 0 NULL 0", "setforce v_a 0 0", "addforce 1 0 0",
         "addforce v_a 0 0", "efield 1 0 0", "efield v_a 0 0",
         "spring tether 1 0 0 0 0", "spring/self 1", "recenter 0 0 0", "viscous 1", "nve/noforce", "nve/limit 0.1",
         "aveforce 0 0 0", "drag 0 0 0 1 1",
         "indent 1 sphere 0 0 0 1", "indent 1 plane x 0 lo", "move linear NULL 0 0", "move rotate 0 0 0 0 0 1 1",
         "temp/rescale 1 1 1 0.1 1", "temp/csvr 1 1 0.1 4711")  # besides nve
COMPUTES = ("temp/partial 1 1 0", "com", "msd com no")  # besides ke
REGIONS = {"orthogonal": "block 0 9 0 9 0 9", "tilted": "prism 0 9 0 9 0 9 1 2 3"}
FULL = ("full", "on")
CLUSTERS = "8x8"  # a shape whose kernels are not those of the default
ON_GPU = [*LISTS, *(visit for visit in OTHERS if visit[0] not in CPU_ONLY)]
EXTERNAL = re.compile(r"\.extern\s+\.func.*")
DOUBLE_ARITHMETIC = re.compile(r"\b(?:mul|fma|mad|div|sqrt|rcp|rsqrt)[.\w]*\.f64\b")


class Paper(Space):
    """A GPU on paper: kernels are made for it, none is run."""

    name = "paper"
    target = "cuda"


PAPER = Paper()
# what a model is handed and what becomes of its answer: a model is the user's
MODEL = [finding.NUMBER, finding.SPECIES, finding.ENDS, finding.PAD, model_scheme.NOTE,
         Kernel(model_loops.share_edges, team=finding.TEAM),
         *(Kernel(model_loops.add_forces, statics=(("ADD", adds),)) for adds in (False, True)),
         *(Kernel(body, team=finding.TEAM, statics=(("DENSE", dense), ("TEAMS", True))) for dense in (False, True)
           for body in (model_loops.count_edges, model_loops.list_edges)),
         *(Kernel(model_loops.give_forces, 7 * tally, team=finding.TEAM,
                  statics=(("EV", tally), ("EXACT", tally), ("STEPS", 2.0**36))) for tally in (False, True))]
# kernels that no run on a GPU asks for by itself: what ends reductions and counts steps, what threads on CPUs need, what
# several ranks need, and what measures a machine's speed
UNASKED = [*MODEL, self_loop.SELF, self_loop.SELF_PERATOM, virial_loop.VIRIAL, charged_places.PLACE,
           sums.ADD_UP, clock.ADVANCE, clock.NOTE_READY, clearing.CLEAR, *random_kernels.KERNELS, ranmar.DRAW,
           copies.CLEAR, copies.SUM, copies.ADD, sites.FIND, sites.SITE, sites.PUT, sites.TAKE, *sites.SHARE.values(),
           Kernel(loops.refill, statics=(("APART", 8), ("PAD", 1))), Kernel(measuring.copy), Kernel(measuring.copy_four),
           Kernel(measuring.multiply_adds, statics=(("CHAINS", 8),)),
           Kernel(measuring.multiply_adds, precision="single", statics=(("CHAINS", 4),)),
           Kernel(measuring.chained_multiply_adds), Kernel(measuring.chained_multiply_adds, precision="single"),
           Kernel(micro_loops.chains, statics=(("CHAINS", 2), ("OPERATION", micro_loops.screened))),
           *(Kernel(body, statics=(("CHAINS", 2),), team=team) for body, team in (
               (micro_loops.fused_chains, 1), (micro_loops.lookup_chains, 1), (micro_loops.sum_chains, 32))),
           *(Kernel(body, team=32) for body in (micro_loops.read, micro_loops.read_by_index, micro_loops.write)),
           *(Kernel(body) for body in (micro_loops.whole_numbers, micro_loops.count, micro_loops.nothing)),
           text_loops.PUT_ROWS, number_loops.READ_ROWS, xtc_loops.PACK, xtc_loops.UNPACK, picture.SPHERES, picture.STICKS,
           downhill.PRODUCTS, downhill.POWERS, downhill.LARGEST, downhill.KEEP_START, downhill.GO_ALONG, downhill.TURN,
           downhill.GO_BACK, downhill.PUSH, downhill.GLIDE, downhill.CARRY,
           reaxff_kernels.COUNT_GHOST, reaxff_kernels.FILL_GHOST, mpi.AT_HOME,
           wall_reflect.BOUNCE, deform.STRETCH, *gjf_loops.FIRST.values(), *gjf_loops.LAST.values(), gjf_loops.EXCHANGE,
           Kernel(wall_energy.push_off, sums=4, statics=(("LAW", wall_morse.morse),)),
           *charges.FEW, charges.GUESS, charges.REMEMBER, *fitted.KERNELS, charges.advance(PAPER), charges.multiply(PAPER),
           product_loops.product(PAPER),
           couplings.HOMES, couplings.pack(True, False),
           *(couplings.fill(body) for body in (matrix_loops.point_charges, matrix_loops.tapered,
                                                     matrix_loops.soft_bonds)), *condensed.all_kernels(PAPER),
           enforce2d.FLATTEN, press_berendsen.DILATE, crossterms.LOOK, crossterms.FORCES, crossterms.TALLIED,
           cluster_loops.LEAD, cluster_loops.GATHER, solver_loops.MEND, solver_loops.FREE, cluster_loops.VIRIAL,
           cluster_loops.SPRINGS,
           *solver_loops.solvers(False), *solver_loops.solvers(True),
           rigid.BEGIN, rigid.WRAP, rigid.FORCES, *rigid.MOVE, *rigid.TURN, *rigid.steps(False), *rigid.steps(True),
           exclusions.NAME, breaking_loops.CUT_OWN, breaking_loops.CUT_LINK, breaking_loops.FIND_HELD,
           ensemble.ADVANCE, ensemble.FINISH, ensemble.CHAINS, ensemble.DILATE, ensemble.DILATE_BODY, ensemble.KINETIC,
           *(Kernel(body) for body in (*mpi.BODIES, send_kernels.add_forces, send_kernels.pack_words,
                                       send_kernels.pack_values, send_kernels.add_values, send_kernels.add_rows)), COPY[0]]


# of batches: loops of all systems at once, and sums of each
ROWS = (("HALF", False), ("BRANCH", True), ("PAD", 16), ("GRAIN", 16), ("DENSE", False), ("BLOCK", 1024), ("SPILL", 16),
        ("MANY", True))
UNASKED += [segments.ADD_SEGMENTS, replace(of_members.SHARES, ranged=True), replace(temp.KINETIC, ranged=True),
            member_comm.WRAP, member_comm.KEEP, member_comm.REACH, member_comm.SET_DUE, member_comm.BUILT,
            member_deform.DEFORM, member_deform.FOLLOW, member_deform.REACH, moving_loops.MARK_MEMBERS,
            npt_loops.FOLLOW, npt_loops.MOVE, replace(npt_loops.KICK, ranged=True),
            Kernel(ghosts.count_images, statics=(("UPPER", False), ("MANY", True))),
            Kernel(ghosts.fill_images, statics=(("UPPER", False), ("MANY", True), ("LISTED", False))), PLACE_MANY[0],
            bins.ASSIGN[True], PACK[True], Kernel(rows.build_list, precision="single", statics=ROWS, team=8),
            motion.MOVE_MANY, motion.KICK_MANY, motion.RESCALE_MANY, chain.chain_kernel(3, many=True),
            member_langevin.FORCE, member_velocities.DRAW, replace(fire.POWERS, ranged=True), fire.TURN, fire.GLIDE, fire.POOL]
BLOCKS = (("T", 32), ("R", 4), ("U", 4))
POINTS = (("P", 5), ("ODD", True), ("PITCH", 8))
UNASKED += [Kernel(ewald_loops.axis_tables, statics=BLOCKS[:1]), Kernel(ewald_loops.add_chunks),
            Kernel(ewald_loops.structure_factors, team=32, statics=(*BLOCKS, ("CHUNK", 1024))),
            Kernel(ewald_loops.weights, 7, statics=(*BLOCKS[1:], ("EV", True))), Kernel(ewald_loops.own_energies),
            Kernel(ewald_loops.forces, statics=(*BLOCKS, ("V", 1))), Kernel(ewald_loops.of_atoms, statics=BLOCKS),
            slab.SUM, slab.PUSH, slab.OWN, sites.FIND, sites.SITE, sites.PUT, sites.TAKE, *sites.SHARE.values(),
            Kernel(pppm_loops.spread, team=8, statics=(*POINTS, ("PART", True), ("EXACT", True))), mesh.FOLD, mesh.PICK,
            Kernel(pppm_loops.read_off, team=8, statics=POINTS), Kernel(fourier_loops.self_forces, 6),
            Kernel(fourier_loops.influence, statics=(("P", 5), ("TILTED", True))),
            Kernel(fourier_loops.component, statics=(("TILTED", True),))]
UNASKED += [Kernel(pppm_loops.interpolate, team=8, statics=(*POINTS, ("IK", ik))) for ik in (False, True)]
UNASKED += [Kernel(fourier_loops.solve, 7, statics=(("IK", ik), ("EV", True), ("TILTED", ik))) for ik in (False, True)]
UNASKED += [again.STAY_NEAR, *lu.kernels("double", 0, 0).values(), lu.kernels("double", 0, 0, "diagonal")["residual"]]
UNASKED += [Kernel(body) for body in (layout_loops.one_value, layout_loops.all_values, layout_loops.values_in_random_order)]


class Asked(Exception):
    """Carries the kernels that a set-up would compile."""


def kernels_of(name: str, scheme: str, newton: str, precision: str, shape: str = "orthogonal",
               table: Path | str = "", space: Space = PAPER, clusters: str = "") -> list[Kernel]:
    """All kernels of a run with this pair style; with lj/cut also the one that `everlet check` uses."""
    pair = "pair_style {}\npair_coeff {}".format(*MANY[name]) if name in MANY else ENTRIES[name].script(table)
    lines = SCRIPT.format(units="metal" if name in MANY else "lj", newton=newton, region=REGIONS[shape], types=2, pair=pair)
    return kernels_for(lines, scheme, precision, space, clusters, name == "lj/cut")


STRESSES = "compute s all stress/atom NULL\n"


def kernels_of_reaxff(space: Space = PAPER, more: str = "") -> list[Kernel]:
    """All kernels of a run with a reactive force field that has hydrogen bonds, inner walls and dispersion."""
    lines = SCRIPT.format(units="real\natom_style charge", newton="on", region=REGIONS["orthogonal"], types=2, pair=(
        "pair_style reaxff NULL checkqeq no lgvdw yes\npair_coeff * * ffield.reax.lg O H"))
    return kernels_for(lines + more, "full", "double", space)


def kernels_of_soft_bonds() -> list[Kernel]:
    """Those of a reactive force field that differ where potentials of atoms count."""
    lines = SCRIPT.format(units="real\natom_style charge", newton="on", region=REGIONS["orthogonal"], types=2, pair=(
        "pair_style reaxff NULL\npair_coeff * * acks2_ff.water O H\nfix q all acks2/reaxff 1 0.0 10.0 1e-6 reaxff"))
    return [kernel for kernel in kernels_for(lines, "full", "double") if ("POTENTIALS", True) in kernel.statics]


def kernels_for(lines: str, scheme: str, precision: str, space: Space = PAPER, clusters: str = "", check: bool = False
                ) -> list[Kernel]:
    """All kernels of a run of this script."""
    engine = Engine(space, precision)
    engine.options.update({"scheme": scheme, **({"shape": clusters} if clusters else {})})
    engine.script = Script(engine)
    engine.script.text(lines, "paper")
    engine.system.atoms.append(x=np.ones((1, 3)), type=1, id=1)

    def asked(space: Space, kernels: list[Kernel]) -> None:
        raise Asked(kernels)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("everlet.run.step.warm", asked)
        with pytest.raises(Asked) as caught:
            engine.setup()
    found: list[Kernel] = caught.value.args[0]
    if check:
        numbers = Parameters(engine.system.pair, engine.space, precision)
        found.append(Kernel(loops.evaluate, 0, precision, numbers.fields, statics=numbers.statics))
    return found


def ptx(kernel: Kernel) -> str:
    """The kernel's PTX, compiled now or by an earlier test."""
    path = kernel.program("cuda").path
    if not cache.built(path):
        cache.build(path)
    return path.with_suffix(".ptx").read_text()


def reduces_angles(kernel: Kernel) -> bool:
    """Its physics uses sine or cosine, which bring large angles into range in double."""
    pair = dict(kernel.statics)["pair"]
    text = ast.unparse(pair.scope().get("formula", pair).tree())
    return "sin(" in text or "cos(" in text


def compile_all(name: str, scheme: str, newton: str, precision: str, shape: str, table: Path | str,
                pair_only: bool = False) -> None:
    for kernel in kernels_of(name, scheme, newton, precision, shape, table):
        loop = "pair" in dict(kernel.statics) and kernel.body is not loops.evaluate
        if pair_only and not loop:
            continue
        text = ptx(kernel)
        assert text.count(".visible .entry") == 1
        assert not EXTERNAL.search(text), f"{kernel.body.__name__} calls {EXTERNAL.findall(text)}"
        if loop and precision == "mixed":
            assert ".f32" in text
            # in a list's loop only sums are double; with tallies, energies are shared out once per atom
            if kernel.body is loops.neighbor_loop and not kernel.sums and not reduces_angles(kernel):
                assert not DOUBLE_ARITHMETIC.search(text), DOUBLE_ARITHMETIC.findall(text)


def cases() -> list[Any]:
    """Every style with full lists in mixed precision, whose text is checked most; three of them in double precision too; one
    with all lists and schemes; the rest under the mark `all`.
    """
    found = []
    for name in ENTRIES:
        for precision in ("double", "mixed", "single"):
            for scheme, newton in ON_GPU:
                if precision not in pair_scheme[scheme].precisions:
                    continue
                if (scheme, newton) == FULL:
                    usual = precision == "mixed" or (precision == "double" and name in ("lj/cut", "morse", "table-spline"))
                else:
                    usual = name == "lj/cut" and (precision == "double" or (precision == "mixed" and scheme == "clusters"))
                shape = "tilted" if name == "morse" else "orthogonal"
                marks = [] if usual else [pytest.mark.all]
                found.append(pytest.param(name, scheme, newton, precision, shape, marks=marks))
    return found


@pytest.mark.parametrize("name, scheme, newton, precision, shape", cases())
def test_kernels_compile_to_ptx(name: str, scheme: str, newton: str, precision: str, shape: str, table: Path) -> None:
    compile_all(name, scheme, newton, precision, shape, table)


@pytest.mark.parametrize("team, ahead", [(8, 8), *(pytest.param(*one, marks=pytest.mark.all) for one in
                                                   ((1, 1), (2, 2), (4, 2), (16, 4)))])
def test_snap_with_teams_and_products_of_any_number(team: int, ahead: int, tmp_path: Path) -> None:
    write(tmp_path, 2)
    files = f"{tmp_path / 'my.snapcoeff'} {tmp_path / 'my.snapparam'}"
    lines = SCRIPT.format(units="metal", newton="on", region=REGIONS["orthogonal"], types=1,
                          pair=f"package everlet team {team} ahead {ahead}\npair_style snap\npair_coeff * * {files} A")
    found = [one for one in kernels_for(lines, "full", "double")
             if one.name in ("team_neighbours", "team_forces", "multiply_tile")]
    assert {one.team for one in found} == {team, snap_scheme.BLOCK} and len(found) == 4
    for kernel in found:
        text = ptx(kernel)
        assert text.count(".visible .entry") == 1 and not EXTERNAL.search(text)


def kernels_of_pace(folder: Path) -> list[Kernel]:
    """Of two species, whose nearest neighbours switch the expansion off, or with grades."""
    (folder / "my.yace").write_text(ace_reference.text(ace_reference.made_up(inner="zbl")))
    write_graded(folder, {"Al": np.eye(8), "Ni": np.eye(3)})
    found = []
    for pair in (f"pair_style pace\npair_coeff * * {folder / 'my.yace'} Al Ni",
                 f"pair_style pace/extrapolation\npair_coeff * * {folder / 'my.yaml'} {folder / 'my.asi'} Al Ni"):
        found += kernels_for(SCRIPT.format(units="metal", newton="on", region=REGIONS["orthogonal"], types=2, pair=pair),
                             "full", "double")
    return found


def test_kernels_of_pace_compile_to_ptx(tmp_path: Path) -> None:
    for kernel in kernels_of_pace(tmp_path):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


@pytest.mark.parametrize("precision", ["double", pytest.param("mixed", marks=pytest.mark.all)])
@pytest.mark.parametrize("name, scheme", [(name, "full") for name in MANY] + [("eam", "half")])
def test_many_body_kernels_compile_to_ptx(name: str, scheme: str, precision: str) -> None:
    if precision == "mixed" and name in DOUBLE_ONLY:
        with pytest.raises(InputError, match="not accurate enough in mixed precision"):
            kernels_of(name, scheme, "on", precision)
        return
    for kernel in kernels_of(name, scheme, "on", precision):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


def test_splines_with_any_knots_compile_to_ptx(tmp_path: Path) -> None:
    """Those of uf3 at equal distances are among the files above."""
    (tmp_path / "my.uf3").write_text(made_up_splines(False))
    lines = SCRIPT.format(units="metal", newton="on", region=REGIONS["orthogonal"], types=2,
                          pair=f"pair_style uf3 3\npair_coeff * * {tmp_path / 'my.uf3'} A B")
    found = [kernel for kernel in kernels_for(lines, "full", "double") if kernel.name in ("neighbor_loop", "threebody_loop")]
    assert len(found) == 4
    for kernel in found:
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


def nearby(name: str, precision: str) -> list[Kernel]:
    """The kernels of computes over neighbours."""
    pair = "pair_style {}\npair_coeff {}".format(*MANY[name]) if name in MANY else ENTRIES[name].script("")
    lines = SCRIPT.format(units="metal", newton="on", region=REGIONS["tilted"], types=2, pair=pair)
    found = kernels_for(lines + NEARBY, "full" if name in ("tersoff", "snap", "pace") else "half", precision)
    names = ("peratom_loop", "density_loop", "embed_peratom", "count_near", "count_distances", "count_angles", "share_loop",
             "share_energies")
    return [kernel for kernel in found if kernel.name in names or ("SHARES", True) in kernel.statics]


@pytest.mark.parametrize("name, precision, count", [("lj/cut", "double", 4), ("lj/cut", "mixed", 4), ("eam/alloy", "double", 7),
                                                    ("tersoff", "double", 4), ("snap", "double", 4), ("pace", "double", 5)])
def test_computes_over_neighbours_compile_to_ptx(name: str, precision: str, count: int) -> None:
    found = nearby(name, precision)
    assert len(found) == count
    for kernel in found:
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


@pytest.mark.parametrize("team", [4, *(pytest.param(team, marks=pytest.mark.all) for team in (1, 2, 8, 16))])
@pytest.mark.parametrize("scheme, newton", [("half", "on"), FULL, *(pytest.param(*one, marks=pytest.mark.all) for one in
                                                                    (("half", "off"), ("full", "off")))])
def test_teams_compile_to_ptx(scheme: str, newton: str, team: int) -> None:
    """package everlet team N, for a loop without and with tallies."""
    ahead = team_shape(Paper(), 1, team)[1]
    loops_made = [kernel for kernel in kernels_of("lj/cut", scheme, newton, "double") if kernel.body is loops.neighbor_loop]
    assert len(loops_made) == 2
    for kernel in loops_made:
        statics = tuple((name, ahead if name == "AHEAD" else value) for name, value in kernel.statics)
        assert ".visible .entry" in ptx(replace(kernel, team=team, statics=statics))


@pytest.mark.parametrize("precision", ["double", pytest.param("mixed", marks=pytest.mark.all)])
@pytest.mark.parametrize("shape", [CLUSTERS, *(pytest.param(shape, marks=pytest.mark.all) for shape in ("4x1", "8x4", "4x4"))])
def test_cluster_shapes_compile_to_ptx(shape: str, precision: str) -> None:
    found = [ptx(kernel) for kernel in kernels_of("lj/cut", "clusters", "on", precision, clusters=shape)
             if ("CI", int(shape[0])) in kernel.statics]
    assert len(found) == (6 if shape[2:] != "1" else 5)
    assert sum("shfl" in text for text in found) == 2 and sum("vote" in text for text in found) == 1


def kernels_of_fix(words: str) -> list[Kernel]:
    """All kernels of a run with this fix."""
    lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["tilted"], types=2, pair=ENTRIES["lj/cut"].script(""))
    variable = "variable a equal 1.0\n" if "v_a" in words else ""
    charges = "atom_style charge\n" if "efield" in words else ""
    return kernels_for(charges + lines.replace("fix 1 all nve", f"{variable}fix 1 all {words}"), "full", "double")


def kernels_with_charges(name: str, scheme: str, precision: str, space: Space = PAPER) -> list[Kernel]:
    """All kernels of a run with a style of charges."""
    lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["tilted"], types=2, pair=CHARGED[name].script())
    return kernels_for(f"atom_style charge\n{lines}", scheme, precision, space)


LINKS = """bond_style fene
bond_coeff 1 30.0 1.5 1.0 1.0
angle_style charmm
angle_coeff 1 20.0 110.0 5.0 1.5
dihedral_style charmm
dihedral_coeff 1 2.0 3 180 0.0
improper_style umbrella
improper_coeff 1 3.0 40.0
"""


BARE = {"fields": ("a", "b", "c", "d")}
@portable
def plain(r2, p, data):
    return p.offset * r2, p.offset - r2


ONE_FOUR = [Kernel(single_pair, fields=("cut2", "offset"), statics=(("pair", plain), ("NP", 2), ("COUL", False))),
            Kernel(one_four_loops.one_four_loop, 8, **BARE, statics=(("pair14", bare), ("NP", 4), ("EV", True), ("CHUNK", 1))),
            *(Kernel(one_four_loops.own_pairs, **BARE,
                     statics=(("pair14", bare), ("NP", 4), ("FORCE", False), ("PERATOM", True), ("EV", False), ("MANY", many)))
              for many in (False, True))]


def kernels_of_bonds(space: Space = PAPER) -> list[Kernel]:
    """All kernels of a run with links of all kinds, scaled special pairs, excluded pairs and energies of atoms."""
    lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["tilted"], types=2, pair=ENTRIES["lj/cut"].script(""))
    lines = lines.replace("newton on", "newton on\natom_style molecular\nspecial_bonds lj 0 0.5 1")
    lines = lines.replace("create_box 2 box", "create_box 2 box bond/types 1 angle/types 1 dihedral/types 1 improper/types 1")
    return kernels_for(f"{lines}{LINKS}neigh_modify exclude type 1 2\ncompute 2 all pe/atom\n", "full", "double", space)


def test_kernels_of_bonds_compile_to_ptx() -> None:
    names = {"clear_count", "fill_links", "link_loop", "find_special", "special_loop", "edit_row", "forget_rows", "note_ghosts",
             "note_owned"}
    found = [kernel for kernel in kernels_of_bonds() if kernel.name in names]
    assert {kernel.name for kernel in found} == names
    found += ONE_FOUR
    for kernel in found:
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name


def test_kernels_of_reaxff_compile_to_ptx() -> None:
    names = {"count_rows", "fill_rows", "own_homes", "count_bonds", "fill_bonds", "bond_orders", "sum_rows", "correct",
             "bond_terms", "atom_terms", "count_angles", "fill_angles", "angle_loop", "count_torsions", "fill_torsions",
             "torsion_loop", "count_hbonds", "fill_hbonds", "hbond_loop", "nonbonded_loop", "spread_under", "chain",
             "order_forces", "collect"}
    found = {kernel.name: kernel for kernel in kernels_of_reaxff() if kernel.name in names}
    assert set(found) == names
    soft = kernels_of_soft_bonds()
    assert {kernel.name for kernel in soft} == {"atom_terms", "nonbonded_loop"}
    shares = [kernel for kernel in kernels_of_reaxff(more=STRESSES)
              if ("SHARES", True) in kernel.statics or kernel.name == "lean"]
    assert {"lean", "chain", "order_forces"} <= {kernel.name for kernel in shares}
    for kernel in (*found.values(), *soft, *shares):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name


def kernels_of_compute(words: str) -> list[Kernel]:
    """All kernels of a run with this compute."""
    lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["tilted"], types=2, pair=ENTRIES["lj/cut"].script(""))
    return kernels_for(f"{lines}compute 2 all {words}\n", "full", "double")


@pytest.mark.parametrize("words", [*FIXES, *COMPUTES])
def test_kernels_of_fixes_and_computes_compile_to_ptx(words: str) -> None:
    for kernel in kernels_of_fix(words) if words in FIXES else kernels_of_compute(words):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name


@pytest.mark.parametrize("kernel", UNASKED, ids=lambda kernel: kernel.body.__name__)
def test_other_kernels_compile_to_ptx(kernel: Kernel) -> None:
    assert ".visible .entry" in ptx(kernel)


@pytest.mark.parametrize("precision, wanted, other", [("double", "f64", "f32"), ("single", "f32", "f64")])
def test_the_peak_is_one_of_fused_multiply_adds(precision: str, wanted: str, other: str) -> None:
    text = ptx(Kernel(measuring.chained_multiply_adds, precision=precision))
    assert len(re.findall(rf"fma\.rn\.{wanted}", text)) >= 8 and f"fma.rn.{other}" not in text


@pytest.mark.skipif(not gpu.installed("numba-cuda-mlir"), reason="numba-cuda-mlir is not installed")
@pytest.mark.parametrize("name, precision, pair_only", [
    ("lj/cut", "double", True),
    pytest.param("lj/cut", "mixed", False, marks=pytest.mark.all),
    pytest.param("morse", "mixed", True, marks=pytest.mark.all),
    pytest.param("table-spline", "double", True, marks=pytest.mark.all),
])
def test_kernels_compile_by_the_other_compiler(name: str, precision: str, pair_only: bool) -> None:
    """In a process of its own: which compiler is used is decided once."""
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "EVERLET_CUDA": "numba-cuda-mlir", "PYTHONPATH": root}
    code = "import sys; from tests.contract.test_ptx import other_compiler; other_compiler(*sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", code, name, precision, str(int(pair_only))], cwd=root, env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def other_compiler(name: str, precision: str, pair_only: str) -> None:
    assert gpu.compiler_name() == "numba-cuda-mlir"
    with tempfile.TemporaryDirectory() as folder:
        table = write_table(Path(folder) / "pairs.table")
        compile_all(name, *FULL, precision, "tilted", table, pair_only == "1")


@pytest.mark.parametrize("scheme", CPU_ONLY)
def test_schemes_for_cpus_are_refused_on_a_gpu(scheme: str) -> None:
    with pytest.raises(InputError, match=scheme):
        kernels_of("lj/cut", scheme, "on", "double")


def written_functions() -> dict[str, portable]:
    """All code (not physics) of the package that is marked portable, by module and name."""
    found = {}
    for module in pkgutil.walk_packages(everlet.__path__, "everlet."):
        scope = vars(importlib.import_module(module.name))
        for name, value in scope.items():
            if isinstance(value, portable) and value.body.__module__ == module.name and value.annotations():
                found[f"{module.name}.{name}"] = value
    return found


def test_no_kernel_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every portable function with typed parameters is part of a kernel of the tests above, or of a scheme for CPUs."""
    several = [kernels_of(name, *FULL, "double" if name in DOUBLE_ONLY else "mixed") for name in ("lj/cut", *MANY)]
    several += [kernels_of("eam", "half", "on", "double"), kernels_of_pace(tmp_path),
                *(nearby(name, "double") for name in ("eam/alloy", "tersoff", "snap", "pace")), *map(kernels_of_fix, FIXES),
                *map(kernels_of_compute, COMPUTES), kernels_of_bonds(),
                kernels_of_reaxff(), kernels_of_reaxff(more=STRESSES),
                kernels_with_charges("lj/cut/coul/dsf", "full", "double")]
    texts = [kernel.program("cuda").text for kernel in [*UNASKED, *ONE_FOUR, *sum(several, [])]]
    monkeypatch.setattr(embedded_schemes, "narrow", lambda space: space.target == "cpu")
    for style, scheme in (("eam", "half"), ("snap", "full"), ("pace", "full")):  # CPUs have loops of their own
        texts += [kernel.program("cpu").text for kernel in kernels_of(style, scheme, "on", "double", space=Serial())]
    monkeypatch.setattr(list_schemes, "narrow", lambda space: space.target == "cpu")
    texts += [kernel.program("cpu").text for kernel in [*kernels_of_bonds(Serial()), *kernels_with_charges(
        "lj/cut/coul/dsf", "half", "double", Serial())]]
    with monkeypatch.context() as patched:  # pairs of one type whose rows are short
        patched.setattr(list_schemes, "SHORT", 10**6)
        lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["orthogonal"], types=1,
                              pair="pair_style lj/cut 1.12\npair_coeff 1 1 1.0 1.0")
        texts += [kernel.program("cpu").text for kernel in kernels_for(lines, "half", "double", Serial())]
    for scheme, newton in LISTS + OTHERS:
        other = scheme_on(scheme, PAPER) is not pair_scheme[scheme]  # GPUs have a way of their own
        for space in (Serial() if scheme in CPU_ONLY or other else PAPER, *((PAPER,) if other else ())):
            shape = CLUSTERS if other and space is PAPER else ""
            texts += [kernel.program(space.target).text for kernel in
                      kernels_of("lj/cut", scheme, newton, "double", space=space, clusters=shape)]
    reached = {name.rstrip("_") for text in texts for name in re.findall(r"^def (\w+)\(", text, re.MULTILINE)}
    left = [place for place, function in written_functions().items() if function.__name__ not in reached]
    assert not left, f"compiled by no test: {', '.join(left)}"


def test_a_run_compiles_nothing_after_its_set_up(compiled: str) -> None:
    """Kernels missing from the list that is compiled ahead would escape these tests, and stop a run to compile."""
    here = scattered(crystal_box(), 24, seed=9)
    sim = simulate(here, ENTRIES["lj/cut"].script(), compiled,
                   "velocity all create 0.5 4711 loop all\nfix 1 all nve\nneighbor 0.05 bin\ntimestep 0.002\nrun 0")
    before = set(launching._programs)
    sim.commands("run 60")
    assert sim.engine.lists is not None and sim.engine.lists.decision.builds > 0
    assert set(launching._programs) == before
