"""Kernels of runs on a GPU that is not there (portable/dry.py), and their PTX.

Kernels that no such run launches are in UNASKED.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from everlet.comm import kernels as ghosts
from everlet.comm import members as member_comm
from everlet.comm import mpi, send_kernels
from everlet.comm.serial import COPY, PLACE_MANY
from everlet.computes import of_members
from everlet.computes.temperatures import temp
from everlet.dumps.picture import loops as picture
from everlet.errors import EverletError
from everlet.fixes.charges import condensed, fitted, matrix_loops
from everlet.fixes.charges import matrix as couplings
from everlet.fixes.charges import solver as charges
from everlet.fixes.constraints import cluster_loops, enforce2d, solver_loops
from everlet.fixes.forces.crossterms import kernels as crossterms
from everlet.fixes.integrators.nose_hoover import chain, motion
from everlet.fixes.members import deform as member_deform
from everlet.fixes.members import fire, npt_loops
from everlet.fixes.members import langevin as member_langevin
from everlet.fixes.members import velocities as member_velocities
from everlet.fixes.thermostats import eos_table, shardlow_loops
from everlet.fixes.walls.energy import push_off
from everlet.fixes.walls.wall_table import WallTable
from everlet.forces import clearing
from everlet.forces.bonded import breaking_loops, one_four_loops, tabulated
from everlet.forces.kspace import fourier_loops, pppm_loops, slab
from everlet.forces.listed import loops as listed_loops
from everlet.forces.manybody.reaxff import kernels as reaxff_kernels
from everlet.forces.models import finding
from everlet.forces.models import loops as model_loops
from everlet.forces.models import scheme as model_scheme
from everlet.forces.pair import charged_places, loops, self_loop, sites, virial_loop
from everlet.forces.pair.one_four import bare
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.single_loops import single_pair
from everlet.io import number_loops, text_loops, xtc_loops
from everlet.lab import layout_loops
from everlet.lab.studies import product_loops
from everlet.lu import loops as lu
from everlet.neighbor import again, exclusions, moving_loops
from everlet.neighbor import cells as bins
from everlet.neighbor import kernels as rows
from everlet.neighbor.rows import PACK
from everlet.neighbor.sorting import SORTERS
from everlet.perf import kernels as measuring
from everlet.perf import micro_loops
from everlet.portable import Kernel, Space, cache, copies, fft_kernels, portable, scan, segments, sums
from everlet.portable.dry import Dry
from everlet.run.engine import Engine
from everlet.run.minimisers import loops as downhill
from everlet.script.parser import Script
from everlet.state import clock, ranmar
from tests import ace_reference
from tests.contract.styles import CHARGED, ENTRIES
from tests.contract.systems import CPU_ONLY, LISTS, OTHERS
from tests.unit import test_portable_random as random_kernels
from tests.unit.test_extrapolation import write_graded

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
NO_START = "the temperature is 0", "has no atoms", "have not converged"
STEPS = "thermo 2\nrun 5"
NEARBY = "compute 2 all pe/atom\ncompute 3 all coord/atom cutoff 2.0\ncompute 4 all rdf 10\ncompute 5 all adf 10\n"
# styles of many atoms, by name: pair_style and pair_coeff; files come with the reference
MANY = {
    "eam": ("eam", "* * Cu_u3.eam"),
    "eam/alloy": ("eam/alloy", "* * CuNi.eam.alloy Cu Ni"),
    "sw": ("sw", "* * Si.sw Si Si"),
    "sw-pairs": ("sw threebody off", "* * Si.sw Si Si"),
    "tersoff": ("tersoff", "* * SiC.tersoff Si C"),
    "tersoff/mod/c": ("tersoff/mod/c", "* * Si.tersoff.modc Si Si"),
    "eam/he": ("eam/he", "* * PdHHe.eam.he Pd He"),
    "adp": ("adp", "* * AlCu.adp Al Cu"),
    "eim": ("eim", "* * Na Cl ffield.eim Na Cl"),
    "extep": ("extep", "* * BN.extep B N"),
    "polymorphic": ("polymorphic", "* * GaN_tersoff.poly Ga N"),
    "polymorphic-atoms": ("polymorphic", "* * CuTa_eam.poly Cu Ta"),
    "meam/spline": ("meam/spline", "* * TiO.meam.spline Ti O"),
    "agni": ("agni", "* * Al_prb.agni Al NULL"),
    "meam/sw/spline": ("meam/sw/spline", "* * Ti.meam.sw.spline Ti NULL"),
    "sw/mod": ("sw/mod", "* * tmd.sw.mod Mo S"),
    "nb3b/screened": ("nb3b/screened", "* * PSiO.nb3b.screened P Si"),
    "meam": ("meam", "* * library.meam Si C SiC.meam Si C"),
    "meam/ms": ("meam/ms", "* * library.msmeam H Ga4 HGa.msmeam H Ga4"),
    "rebo": ("rebo", "* * CH.rebo C H"),
    "airebo": ("airebo 3.0", "* * CH.airebo C H"),
    "airebo/morse": ("airebo/morse 3.0 1 0", "* * CH.airebo-m C H"),
    "atm": ("atm 4.0 4.0", "* * * 0.1"),
    "vashishta": ("vashishta", "* * InP.vashishta In P"),
    "gw": ("gw", "* * SiC.gw Si C"),
    "vashishta/table": ("vashishta/table 200 0.5", "* * InP.vashishta In P"),
    "edip/multi": ("edip/multi", "* * SiC.edip Si C"),
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
DOUBLE_ONLY = ("snap", "snap-quadratic", "mliap", "mliap-so3", "mliap-network", "pace", "meam", "meam/ms", "adp",
               "eim", "extep", "agni", "rebo", "airebo", "airebo/morse")
FIXES = ("nvt temp 1.0 1.0 0.1", "npt temp 1.0 1.0 0.1 tri 1.0 1.0 1.0", "temp/berendsen 1.0 1.0 0.1",
         "langevin 1 1 0.1 4711 zero yes tally yes", "setforce 0 NULL 0", "setforce v_a 0 0", "addforce 1 0 0",
         "addforce v_a 0 0", "efield 1 0 0", "efield v_a 0 0",
         "spring tether 1 0 0 0 0", "spring/self 1", "recenter 0 0 0", "viscous 1", "nve/noforce", "nve/limit 0.1",
         "aveforce 0 0 0", "drag 0 0 0 1 1", "lineforce 1 0 0",
         "electron/stopping/fit 1 0 0 1 0 0", "spring/rg 1 1", "ti/spring 1 9 0",
         "indent 1 sphere 0 0 0 1", "indent 1 plane x 0 lo", "move linear NULL 0 0", "move rotate 0 0 0 0 0 1 1",
         "temp/rescale 1 1 1 0.1 1", "temp/csvr 1 1 0.1 4711")  # besides nve
COMPUTES = ("temp/partial 1 1 0", "com", "msd com no")  # besides ke
REGIONS = {"orthogonal": "block 0 9 0 9 0 9", "tilted": "prism 0 9 0 9 0 9 1 2 3"}
LJ = "pair_style lj/cut 2.5\npair_coeff * * 1 1"
TWO = "create_atoms 1 single 2 2 2\ncreate_atoms 2 single 3 3 3\n"


def _with(pair: str, rest: str, style: str = "atomic", region: str = "orthogonal") -> str:
    return SCRIPT.format(units="lj", newton=f"on\natom_style {style}", region=REGIONS[region], types=2, pair=pair) + TWO + rest


def _long(solver: str, region: str = "orthogonal") -> str:
    return _with("pair_style lj/cut/coul/long 2.5\npair_coeff * * 1 1", f"set type 1 charge 1\nset type 2 charge -1\n{solver}\n"
                 "compute 2 all pe/atom\ncompute 3 all stress/atom NULL\nthermo_style custom step pe press\n", "charge", region)


def _fix(words: str, integrates: bool = False) -> str:
    lines = _with(LJ, f"fix 2 all {words}\n")
    return lines.replace("fix 1 all nve\n", "") if integrates else lines


# what runs of other kinds launch
MORE = {
    "ewald/disp": _long("kspace_style ewald/disp 1e-4").replace("lj/cut/coul/long 2.5", "lj/long/coul/long long long 2.5"),
    "ewald": _long("kspace_style ewald 1e-4"), "ewald, tilted": _long("kspace_style ewald 1e-4", region="tilted"),
    "pppm/disp": _long("kspace_style pppm/disp 1e-4\nkspace_modify gewald/disp 1 mesh/disp 8 8 8").replace(
        "lj/cut/coul/long 2.5", "lj/long/coul/long long long 2.5"),
    "pppm": _long("kspace_style pppm 1e-4"),
    "pppm/stagger": _long("kspace_style pppm/stagger 1e-4"),
    "pppm ik, tilted": _long("kspace_style pppm 1e-4\nkspace_modify diff ik", region="tilted"),
    **{f"msm, {edge}": _long("kspace_style msm 1e-2\nkspace_modify order 4 mesh 4 4 2").replace("coul/long", "coul/msm")
       .replace("region box", f"boundary {edge}\nregion box") for edge in ("p p p", "f f f")},
    "respa": _long("kspace_style ewald 1e-4\nrun_style respa 3 2 2 inner 1 1.2 1.5 middle 2 1.6 2 outer 3"),
    "slab": _long("kspace_style pppm 1e-4\nkspace_modify slab 3.0").replace("region box", "boundary p p f\nregion box"),
    "deform": _fix("deform 1 x scale 1.1 remap v"), "press/berendsen": _fix("press/berendsen iso 1 1 1"),
    "wall/reflect": _fix("wall/reflect xlo EDGE").replace("region box", "boundary f p p\nregion box"),
    "wall/piston": _fix("wall/piston zlo vel 1").replace("region box", "boundary p p s\nregion box"),
    "wall/morse": _fix("wall/morse xlo EDGE 1 1 1 2").replace("region box", "boundary f p p\nregion box"),
    "mvv/dpd": _fix("mvv/dpd 0.65", integrates=True),
    "gle": _fix(f"gle 1 1 1 4711 {Path(__file__).parent / 'gle.matrix'}", integrates=True),
    "langevin/drude": _with(LJ, "fix 2 all drude N N\nfix 3 all langevin/drude 1 1 99 1 1 99\n", "full").replace(
        "create_box 2 box", "create_box 2 box bond/types 1").replace(
            "fix 1 all nve", "bond_style zero\nbond_coeff *\nfix 1 all nve"),
    "gld": _fix("gld 1 1 2 4711 pprony 1 1 2 2", integrates=True),
    "gjf": _fix("gjf 1 1 1 4711", integrates=True), "gjf half": _fix("gjf 1 1 1 4711 vel vhalf", integrates=True),
    "rigid/nve": _fix("rigid/nve single", integrates=True), "rigid/nvt": _fix("rigid/nvt single temp 1 1 1", integrates=True),
    "rigid/npt": _fix("rigid/npt single temp 1 1 1 iso 1 1 1", integrates=True), "rigid": _fix("rigid single", integrates=True),
    "brownian/poly": _with("pair_style brownian/poly 1 1 1 1.1 2 1 4711\npair_coeff * *", "set group all density 1\n",
                           "hybrid charge sphere"),
    "dpd/ext": _with("pair_style dpd/ext 1 1 4711\npair_coeff * * 1 1 1 1 1", ""),
    "spheres": _with(LJ, "set group all density 1\nfix 2 all langevin 1 1 1 4711\ncompute 2 all temp/sphere\n"
                     "compute 3 all erotate/sphere\ncompute 4 all contact/atom\ncompute 5 all reduce max c_4\n"
                     "thermo_style custom step c_2 c_3 c_5\n", "hybrid charge sphere")
    .replace("fix 1 all nve", "fix 1 all nve/sphere\nfix 3 all nvt temp 1 1 1"),
    **{style: _with(f"pair_style {style} 1000 NULL 50 NULL 0.5 1\npair_coeff * *", "set group all density 1\n"
                    "fix 2 all freeze\nfix 3 all viscous/sphere 1\nfix 5 all damping/cundall 1 1\n"
                    "fix 4 all gravity 1 chute 9\nthermo_style custom step f_4\n",
                    "hybrid charge sphere") for style in ("gran/hooke", "gran/hooke/history", "gran/hertz/history")},
    "granular": _with("pair_style granular\npair_coeff * * hooke 1000 50 tangential linear_history 300 1 0.5",
                      "set group all density 1\n"
                      "fix 2 all wall/gran granular hooke 9 1 tangential linear_nohistory 1 1 xplane 0 NULL\n",
                      "hybrid charge sphere").replace("region box", "boundary f p p\nregion box", 1),
    "granular, whole": _with(
        "pair_style granular\npair_coeff * * hooke 1000 50 tangential linear_history 300 1 0.5 twisting marshall",
        "set group all density 1\n"
        "fix 2 all wall/gran granular hooke 9 1 tangential linear_nohistory 1 1 twisting marshall xplane 0 NULL\n",
        "hybrid charge sphere").replace("region box", "boundary f p p\nregion box", 1),
    "hbond/dreiding": _with("pair_style hybrid/overlay lj/cut 2.5 hbond/dreiding/lj 4 2 2.5 90 "
                            "hbond/dreiding/morse 4 2 2.5 90\n"
                            "pair_coeff * * lj/cut 1 1\npair_coeff 1 1 hbond/dreiding/lj 2 i 1 1\n"
                            "pair_coeff 1 1 hbond/dreiding/morse 2 i 1 1 1", "compute 2 all pe/atom\n", "full").replace(
        "create_box 2 box", "create_box 2 box bond/types 1").replace(
            "fix 1 all nve", "bond_style zero\nbond_coeff *\nfix 1 all nve"),
    "shares of airebo": _with("pair_style airebo 3.0\npair_coeff * * CH.airebo C H",
                              "compute s all stress/atom NULL\n").replace("units lj", "units metal"),
    "lj/cut/sphere": _with("pair_style lj/cut/sphere 2\npair_coeff * * 1", "", "hybrid charge sphere"),
    "coul/shield": _with("pair_style coul/shield 2\npair_coeff * * 1", "", "full"),
    "lebedeva/z": _with("pair_style lebedeva/z 2\npair_coeff * * CC.Lebedeva C C", "").replace("units lj", "units metal"),
    "wall/gran": _with(LJ, "set group all density 1\nfix 2 all wall/gran hooke 1 1 1 1 1 1 xplane 0 NULL\n"
                       "fix 3 all wall/gran hooke/history 1 1 1 1 1 1 xplane 0 NULL\n"
                       "fix 4 all wall/gran hertz/history 1 1 1 1 1 1 xplane 0 NULL\n", "hybrid charge sphere")
    .replace("fix 1 all nve", "fix 1 all nvt/sphere temp 1 1 1").replace("region box", "boundary f p p\nregion box", 1),
    "rhok": _fix("rhok 1 0 0 1 1"),
    "driven": _fix("accelerate/cos 0.1\nfix 3 all flow/gauss 1 0 0\nfix 4 all store/force\nfix 5 all nvk", integrates=True),
    "wall/gran/region": _with(LJ, "set group all density 1\nregion w sphere 4 4 4 4\n"
                              "fix 2 all wall/gran/region hertz/history 1 1 1 1 1 1 region w\n", "hybrid charge sphere"),
    "heat of grains": _fix("property/atom temperature heatflow\nfix 3 all heat/flow constant 1\nfix 4 all add/heat linear 1 1\n"
                           "variable h atom x\nfix 5 all add/heat constant v_h\nfix 6 all add/heat quartic 1 1"),
    "wall/flow": _fix("wall/flow x 1 1 4711 1 2.0"),
    "brownian": _fix("brownian 1 4711 gamma_t 1\nfix 3 all propel/self velocity 1", integrates=True),
    "brownian/sphere": _with(
        LJ, "set group all density 1\nset group all dipole 0 0 1\nfix 2 all propel/self dipole 1\n"
        "fix 1 all brownian/sphere 1 4711 gamma_t 1 gamma_r 1 rng gaussian\n", "hybrid sphere dipole").replace(
            "fix 1 all nve\n", ""),
    "propel/self": _with(LJ, "set group all shape 1 1 1\nfix 2 all propel/self quat 1\n", "hybrid charge ellipsoid"),
    "msst": _fix("msst z 9", integrates=True),
    "points": _with(LJ, "", "hybrid charge sphere").replace("fix 1 all nve", "fix 1 all gjf 1 1 1 4711"),
    "ellipsoids": _with("pair_style gayberne 1 1 1 2.5\npair_coeff * * 1 1 1 1 1 1 1 1",
                        "set type 2 shape 1 1 1\ngroup long type 2\nfix 1 long nve/asphere\nfix 2 long nve/dot\n"
                        "compute t all temp/asphere\n"
                        "thermo_style custom step c_t\n", "hybrid charge ellipsoid").replace("fix 1 all nve\n", ""),
    "resquared": _with("pair_style resquared 2.5\npair_coeff * * 1 1 1 1 1 1 1 1", "set type 2 shape 1 1 1.5\n",
                       "hybrid charge ellipsoid"),
    "dpd/fdt/energy": _with("pair_style dpd/fdt/energy 2.5 4711\npair_coeff * * 1 1 1", "set group all dpd/theta 1\n"
                            "group warm type 1 2\nfix 2 all dpd/energy\nfix 3 warm eos/cv 1\n", "dpd"),
    "shardlow": _with("pair_style dpd/fdt/energy 2.5 4711\npair_coeff * * 1 1 1", "set group all dpd/theta 1\n"
                      "group warm type 1 2\nfix 3 warm eos/cv 1\n", "dpd").replace(
        "fix 1 all nve", "fix 2 all shardlow\nfix 1 all nve"),
    "ylz": _with("pair_style ylz 2.5\npair_coeff * * 1 1 1 1 1", "set group all shape 1 1 1\n", "hybrid charge ellipsoid"),
    "spins": _with("pair_style hybrid/overlay spin/exchange 2.5 spin/dmi 2.5 spin/magelec 2.5\n"
                   "pair_coeff * * spin/exchange exchange 2 1 1 1\npair_coeff * * spin/dmi dmi 2 1 0 0 1\n"
                   "pair_coeff * * spin/magelec magelec 2 1 0 0 1",
                   "set type 1 spin/atom 2 0 0 1\nfix 2 all langevin/spin 1 1 4711\n", "spin").replace(
        "units lj", "units metal").replace("fix 1 all nve", "fix 3 all precession/spin zeeman 1 0 0 1\nfix 1 all nve/spin"),
    "dipoles": _with("pair_style lj/sf/dipole/sf 2.5\npair_coeff * * 1 1", "set type 1 dipole 0 0 1\n", "hybrid sphere dipole")
    .replace("fix 1 all nve", "fix 1 all nve/sphere update dipole"),
    "angle dipole": _with(LJ, "set group all density 1\nset type 1 dipole 0 0 1\ncompute 2 all pe/atom\n"
                          "thermo_style custom step pe press\n", "hybrid sphere dipole angle").replace(
        "create_box 2 box", "create_box 2 box angle/types 1").replace(
            "fix 1 all nve", "angle_style dipole\nangle_coeff * 1 90\nfix 1 all nve"),
    "harmonic/restrain": _with(LJ, "compute 2 all pe/atom\nthermo_style custom step pe press\n", "full").replace(
        "create_box 2 box", "create_box 2 box bond/types 1").replace(
            "fix 1 all nve", "bond_style harmonic/restrain\nbond_coeff * 1\nfix 1 all nve"),
    "cg": _with(LJ, "min_style cg\nminimize 0 1e-9 3 9\n"),
    "fire": _with(LJ, "min_style fire\nminimize 0 1e-9 3 9\n"),
    "sd": _with(LJ, "min_style sd\nminimize 0 1e-9 3 9\n"),
    "hftn": _with(LJ, "min_style hftn\nminimize 0 1e-9 3 9\n"),
}
FULL = ("full", "on")
CLUSTERS = "8x8"  # a shape whose kernels are not those of the default
ON_GPU = [*LISTS, *(visit for visit in OTHERS if visit[0] not in CPU_ONLY)]
EXTERNAL = re.compile(r"\.extern\s+\.func.*")
DOUBLE_ARITHMETIC = re.compile(r"\b(?:mul|fma|mad|div|sqrt|rcp|rsqrt)[.\w]*\.f64\b")


PAPER = Dry("cuda")
# what a model is handed and what becomes of its answer: a model is the user's
MODEL = [finding.NUMBER, finding.SPECIES, finding.ENDS, finding.PAD, model_scheme.NOTE,
         Kernel(model_loops.share_edges, team=finding.TEAM),
         *(Kernel(model_loops.add_forces, statics=(("ADD", adds),)) for adds in (False, True)),
         *(Kernel(body, team=finding.TEAM, statics=(("DENSE", dense), ("TEAMS", True))) for dense in (False, True)
           for body in (model_loops.count_edges, model_loops.list_edges)),
         *(Kernel(model_loops.give_forces, 7 * tally, team=finding.TEAM,
                  statics=(("EV", tally), ("EXACT", tally), ("STEPS", 2.0**36))) for tally in (False, True))]
# kernels that no run above launches: what threads on CPUs need, what several ranks need, what measures a machine's speed
UNASKED = [*MODEL, *scan.KERNELS, *fft_kernels.KERNELS,
           *(Kernel(body) for body in (*SORTERS.values(), moving_loops.fit_to_box)),
           self_loop.SELF, self_loop.SELF_PERATOM, virial_loop.VIRIAL, charged_places.PLACE,
           sums.ADD_UP, clock.ADVANCE, clock.NOTE_READY, clearing.CLEAR, *random_kernels.KERNELS, ranmar.DRAW,
           copies.CLEAR, copies.SUM, copies.ADD, sites.FIND, sites.SITE, sites.PUT, sites.TAKE, *sites.SHARE.values(),
           Kernel(loops.refill, statics=(("APART", 8), ("PAD", 1))), Kernel(measuring.copy), Kernel(measuring.copy_four),
           measuring.adding(8), measuring.adding(4, "single"), measuring.adding(8, chained=True),
           measuring.adding(8, "single", chained=True),
           Kernel(micro_loops.chains, statics=(("CHAINS", 2), ("OPERATION", micro_loops.operation("erfc(x) + c")))),
           *(Kernel(body, statics=(("CHAINS", 2),), team=team) for body, team in (
               (micro_loops.lookup_chains, 1), (micro_loops.sum_chains, 32))),
           *(Kernel(body, team=32) for body in (micro_loops.read, micro_loops.read_by_index, micro_loops.write)),
           *(Kernel(body) for body in (micro_loops.whole_numbers, micro_loops.count, micro_loops.nothing)),
           text_loops.PUT_ROWS, number_loops.READ_ROWS, xtc_loops.PACK, xtc_loops.UNPACK, picture.SPHERES, picture.STICKS,
           downhill.KEEP_START, downhill.GO_ALONG, downhill.TURN, downhill.CARRY,
           reaxff_kernels.COUNT_GHOST, reaxff_kernels.FILL_GHOST, mpi.AT_HOME,
           *charges.FEW, charges.GUESS, charges.REMEMBER, *fitted.KERNELS, charges.advance(PAPER), charges.multiply(PAPER),
           product_loops.product(PAPER),
           couplings.HOMES, couplings.pack(True, False),
           *(couplings.fill(body) for body in (matrix_loops.point_charges, matrix_loops.tapered,
                                                     matrix_loops.soft_bonds)), *condensed.all_kernels(PAPER),
           enforce2d.FLATTEN, crossterms.LOOK, crossterms.FORCES, crossterms.TALLIED,
           cluster_loops.LEAD, cluster_loops.GATHER, solver_loops.MEND, solver_loops.FREE, cluster_loops.VIRIAL,
           cluster_loops.SPRINGS,
           *solver_loops.solvers(False), *solver_loops.solvers(True),
           exclusions.NAME, breaking_loops.CUT_OWN, breaking_loops.CUT_LINK, breaking_loops.FIND_HELD,
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
UNASKED += [Kernel(listed_loops.find_listed, statics=(("CHECK", True),)),
            *(Kernel(listed_loops.listed_loop, 7 * tally, statics=(
                ("EV", tally), ("SHARES", not tally), ("EXACT", tally), ("STEPS", 2.0**36), ("MANY", False)))
              for tally in (True, False))]
POINTS = (("P", 5), ("ODD", True), ("PITCH", 8))
UNASKED += [Kernel(pppm_loops.spread, team=8, statics=(*POINTS, ("PART", True), ("EXACT", True))), slab.OWN,
            Kernel(fourier_loops.self_forces, 6)]
UNASKED += [Kernel(push_off, sums=4, fields=WallTable.columns, statics=(("LAW", law), ("SIZED", False), ("TABLED", True)))
            for law in tabulated.FORMULAS.values()]
UNASKED += [eos_table.LOOK_UP, shardlow_loops.ADD_KICKS]
UNASKED += [again.STAY_NEAR, *lu.kernels("double", 0, 0).values(), lu.kernels("double", 0, 0, "diagonal")["residual"]]
UNASKED += [Kernel(body) for body in (layout_loops.one_value, layout_loops.all_values, layout_loops.values_in_random_order)]


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
    """All kernels of a run of this script, on a dry space: compiled ahead, or launched in its set-up and a few steps."""
    engine = Engine(Dry(space.target), precision)
    engine.options.update({"scheme": scheme, "tune": False, **({"shape": clusters} if clusters else {})})
    engine.script = Script(engine)
    engine.script.text(lines, "paper")
    engine.system.atoms.append(x=np.ones((1, 3)), type=1, id=1)
    try:
        engine.script.text(STEPS, "steps")
    except EverletError as error:  # kernels have found no temperature, mass or charges
        if not any(words in error.cause for words in NO_START):
            raise
    found = engine.space.notes.kernels()
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


def compile_all(name: str, scheme: str, newton: str, precision: str, shape: str, table: Path | str) -> None:
    for kernel in kernels_of(name, scheme, newton, precision, shape, table):
        loop = "pair" in dict(kernel.statics) and kernel.body is not loops.evaluate
        text = ptx(kernel)
        assert text.count(".visible .entry") == 1
        assert not EXTERNAL.search(text), f"{kernel.body.__name__} calls {EXTERNAL.findall(text)}"
        if loop and precision == "mixed":
            assert ".f32" in text
            # in a list's loop only sums are double; with tallies, energies are shared out once per atom
            if kernel.body is loops.neighbor_loop and not kernel.sums and not reduces_angles(kernel):
                assert not DOUBLE_ARITHMETIC.search(text), DOUBLE_ARITHMETIC.findall(text)


def kernels_of_pace(folder: Path) -> list[Kernel]:
    """Of two species, whose nearest neighbours switch the expansion off, or with grades."""
    (folder / "my.yace").write_text(ace_reference.text(ace_reference.made_up(inner="zbl")))
    write_graded(folder, {"Al": np.eye(8), "Ni": np.eye(3)})
    found = []
    for pair, asked in ((f"pair_style pace\npair_coeff * * {folder / 'my.yace'} Al Ni", "pace corerep 0"),
                        (f"pair_style pace/extrapolation\npair_coeff * * {folder / 'my.yaml'} {folder / 'my.asi'} Al Ni",
                         "pace/extrapolation gamma 0")):
        lines = SCRIPT.format(units="metal", newton="on", region=REGIONS["orthogonal"], types=2, pair=pair)
        found += kernels_for(f"{lines}fix 3 all pair 1 {asked}\n", "full", "double")
    return found


def nearby(name: str, precision: str) -> list[Kernel]:
    """The kernels of computes over neighbours."""
    pair = "pair_style {}\npair_coeff {}".format(*MANY[name]) if name in MANY else ENTRIES[name].script("")
    lines = SCRIPT.format(units="metal", newton="on", region=REGIONS["tilted"], types=2, pair=pair)
    found = kernels_for(lines + NEARBY, "half" if name.startswith("eam") else "full", precision)
    names = ("peratom_loop", "density_loop", "embed_peratom", "count_near", "count_distances", "count_angles", "share_loop",
             "share_energies", "edip_shares", "embedded_shares")
    return [kernel for kernel in found if kernel.name in names or ("SHARES", True) in kernel.statics]


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


ENDS = (("NP", 4), ("SIZE", 4), ("COUL", True))
ONE_FOUR = [Kernel(single_pair, fields=("cut2", "offset"), statics=(("pair", plain), ("NP", 2), ("COUL", False))),
            Kernel(one_four_loops.one_four_loop, 8, **BARE, statics=(("pair14", bare), *ENDS, ("EV", True), ("CHUNK", 1))),
            *(Kernel(one_four_loops.own_pairs, **BARE,
                     statics=(("pair14", bare), *ENDS, ("FORCE", False), ("PERATOM", True), ("EV", False), ("MANY", many)))
              for many in (False, True))]


def kernels_of_bonds(space: Space = PAPER) -> list[Kernel]:
    """All kernels of a run with links of all kinds, scaled special pairs, excluded pairs and energies of atoms."""
    lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["tilted"], types=2, pair=ENTRIES["lj/cut"].script(""))
    lines = lines.replace("newton on", "newton on\natom_style molecular\nspecial_bonds lj 0 0.5 1")
    lines = lines.replace("create_box 2 box", "create_box 2 box bond/types 1 angle/types 1 dihedral/types 1 improper/types 1")
    return kernels_for(f"{lines}{LINKS}neigh_modify exclude type 1 2\ncompute 2 all pe/atom\n", "full", "double", space)


def kernels_of_compute(words: str) -> list[Kernel]:
    """All kernels of a run with this compute."""
    lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["tilted"], types=2, pair=ENTRIES["lj/cut"].script(""))
    return kernels_for(f"{lines}compute 2 all {words}\n", "full", "double")
