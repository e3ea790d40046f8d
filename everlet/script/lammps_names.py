"""Names that LAMMPS knows, so that an error can say "not available yet" instead of "unknown".

Accelerated variants (/omp, /kk, …) are left out: `base_name` (state/host_side.py) takes the ending off.
"""

from __future__ import annotations

COMMANDS = frozenset("""
    angle_coeff angle_style angle_write atom_modify atom_style balance bond_coeff bond_style bond_write boundary box
    change_box clear comm_modify comm_style compute compute_modify create_atoms create_bonds create_box delete_atoms
    delete_bonds dielectric dihedral_coeff dihedral_style dihedral_write dimension displace_atoms dump dump_modify
    dynamical_matrix echo fitpod fix fix_modify geturl group group2ndx hyper if improper_coeff improper_style include
    info jump kim kim_init kim_interactions kim_param kim_property kim_query kspace_modify kspace_style label labelmap
    lattice log mass mdi message min_modify min_style minimize molecule ndx2group neb neb/spin neigh_modify neighbor
    newton next package pair_coeff pair_modify pair_style pair_write partition plugin prd print processors python quit
    read_data read_dump read_restart region region2vmd replicate rerun reset_atom_ids reset_atoms reset_ids
    reset_mol_ids reset_timestep restart run run_style server set shell special_bonds suffix tad temper temper/grem
    temper/npt thermo thermo_modify thermo_style third_order timer timestep uncompute undump unfix units variable
    velocity write_coeff write_data write_dump write_restart
""".split())

PAIR_STYLES = frozenset("""
    adp agni aip/water/2dm airebo airebo/morse amoeba atm beck body/nparticle body/rounded/polygon
    body/rounded/polyhedron bop born born/coul/dsf born/coul/dsf/cs born/coul/long born/coul/long/cs born/coul/msm
    born/coul/wolf born/coul/wolf/cs born/gauss bpm/spring brownian brownian/poly buck buck/coul/cut buck/coul/long
    buck/coul/long/cs buck/coul/msm buck/long/coul/long buck/mdf buck6d/coul/gauss/dsf buck6d/coul/gauss/long colloid
    comb comb3 cosine/squared coul/ctip coul/cut coul/cut/dielectric coul/cut/global coul/cut/soft coul/debye coul/diel
    coul/dsf coul/exclude coul/long coul/long/cs coul/long/dielectric coul/long/soft coul/msm coul/shield
    coul/slater/cut coul/slater/long coul/streitz coul/tt coul/wolf coul/wolf/cs dispersion/d3 dpd dpd/coul/slater/long
    dpd/ext dpd/ext/tstat dpd/fdt dpd/fdt/energy dpd/tstat drip dsmc e3b eam eam/alloy eam/cd eam/cd/old eam/fs eam/he
    edip edip/multi edpd eff/cut eim exp6/rx extep gauss gauss/cut gayberne gran/hertz/history gran/hooke
    gran/hooke/history granular gw gw/zbl harmonic/cut hbond/dreiding/lj hbond/dreiding/lj/angleoffset
    hbond/dreiding/morse hbond/dreiding/morse/angleoffset hdnnp hippo hybrid hybrid/molecular hybrid/overlay
    hybrid/scaled ilp/graphene/hbn ilp/tmd kim kolmogorov/crespi/full kolmogorov/crespi/z lcbop lebedeva/z lennard/mdf
    lepton lepton/coul lepton/sphere line/lj list lj/charmm/coul/charmm lj/charmm/coul/charmm/implicit
    lj/charmm/coul/long lj/charmm/coul/long/soft lj/charmm/coul/msm lj/charmmfsw/coul/charmmfsh lj/charmmfsw/coul/long
    lj/class2 lj/class2/coul/cut lj/class2/coul/cut/soft lj/class2/coul/long lj/class2/coul/long/cs
    lj/class2/coul/long/soft lj/class2/soft lj/cubic lj/cut lj/cut/coul/cut lj/cut/coul/cut/dielectric
    lj/cut/coul/cut/soft lj/cut/coul/debye lj/cut/coul/debye/dielectric lj/cut/coul/dsf lj/cut/coul/long
    lj/cut/coul/long/cs lj/cut/coul/long/dielectric lj/cut/coul/long/soft lj/cut/coul/msm lj/cut/coul/msm/dielectric
    lj/cut/coul/wolf lj/cut/dipole/cut lj/cut/dipole/long lj/cut/dipole/sf lj/cut/soft lj/cut/sphere lj/cut/thole/long
    lj/cut/tip4p/cut lj/cut/tip4p/long lj/cut/tip4p/long/soft lj/expand lj/expand/coul/long lj/expand/sphere lj/gromacs
    lj/gromacs/coul/gromacs lj/long/coul/long lj/long/coul/long/dielectric lj/long/dipole/long lj/long/tip4p/long lj/mdf
    lj/pirani lj/relres lj/sdk lj/sdk/coul/long lj/sdk/coul/msm lj/sf lj/sf/dipole/sf lj/smooth lj/smooth/linear
    lj/spica lj/spica/coul/long lj/spica/coul/msm lj/switch3/coulgauss/long lj96/cut local/density lubricate
    lubricate/poly lubricateU lubricateU/poly mdpd mdpd/rhosum meam meam/c meam/ms meam/spline meam/sw/spline mesocnt
    mesocnt/viscous mesont/tpm mgpt mie/cut mliap mm3/switch3/coulgauss/long momb morse morse/smooth/linear morse/soft
    multi/lucy multi/lucy/rx nb3b/harmonic nb3b/screened nm/cut nm/cut/coul/cut nm/cut/coul/long nm/cut/split
    oxdna/coaxstk oxdna/excv oxdna/hbond oxdna/stk oxdna/xstk oxdna2/coaxstk oxdna2/dh oxdna2/excv oxdna2/hbond
    oxdna2/stk oxdna2/xstk oxrna2/coaxstk oxrna2/dh oxrna2/excv oxrna2/hbond oxrna2/stk oxrna2/xstk pace
    pace/extrapolation pedone peri/eps peri/lps peri/pmb peri/ves pod polymorphic python quip rann reax
    rebo rebomos resquared rheo rheo/solid saip/metal sdpd/taitwater/isothermal smd/hertz smd/tlsph smd/tri_surface
    smd/ulsph smtbq snap soft sph/heatconduction sph/idealgas sph/lj sph/rhosum sph/taitwater sph/taitwater/morris
    spin/dipole/cut spin/dipole/long spin/dmi spin/exchange spin/exchange/biquadratic spin/magelec spin/neel srp
    srp/react sw sw/angle/table sw/mod table table/rx tdpd tersoff tersoff/mod tersoff/table tersoff/zbl
    thole threebody/table tip4p/cut tip4p/long tip4p/long/soft tracker tri/lj uf3 ufm vashishta/table wf/cut
    ylz yukawa yukawa/colloid zbl zero
""".split())

FIX_STYLES = frozenset("""
    accelerate/cos acks2/reax acks2/reaxff adapt adapt/fep add/heat addforce addtorque alchemy amoeba/bitorsion
    amoeba/pitorsion append/atoms atc atom/swap ave/atom ave/chunk ave/correlate ave/correlate/long ave/grid ave/histo
    ave/histo/weight ave/moments ave/spatial ave/spatial/sphere ave/time aveforce balance bocs bond/break bond/create
    bond/create/angle bond/react bond/swap box/relax brownian brownian/asphere brownian/sphere charge/regulation
    client/md cmap colvars controller damping/cundall deform deform/pressure deposit dpd/energy drag drude
    drude/transform/direct drude/transform/inverse dt/reset edpd/source efield efield/lepton efield/tip4p ehex
    electrode/conp electrode/conq electrode/thermo electron/stopping electron/stopping/fit enforce2d eos/cv eos/table
    eos/table/rx evaporate external ffl filter/corotate flow/gauss freeze gcmc gjf gld gle gravity grem halt heat
    heat/flow hmc hyper/global hyper/local imd indent ipi langevin langevin/drude langevin/eff langevin/spin latte
    lb/fluid lb/momentum lb/pc lb/rigid/pc/sphere lb/viscous lineforce manifoldforce mdi/qm mdi/qmmm meso/move mol/swap
    momentum momentum/chunk move msst mvv/dpd mvv/edpd mvv/tdpd neb neb/spin neighbor/swap nonaffine/displacement nph
    nph/asphere nph/body nph/eff nph/sphere nphug npt npt/asphere npt/body npt/cauchy npt/eff npt/sphere npt/uef numdiff
    numdiff/virial nve nve/asphere nve/asphere/noforce nve/body nve/bpm/sphere nve/dot nve/dotc/langevin nve/eff
    nve/limit nve/line nve/manifold/rattle nve/noforce nve/sphere nve/spin nve/tri nvk nvt nvt/asphere nvt/body nvt/eff
    nvt/manifold/rattle nvt/sllod nvt/sllod/eff nvt/sphere nvt/uef oneway orient/bcc orient/eco orient/fcc pafi pair
    phonon pimd pimd/langevin pimd/langevin/bosonic pimd/nvt pimd/nvt/bosonic planeforce plumed poems polarize/bem/gmres
    polarize/bem/icc polarize/functional pour precession/spin press/berendsen press/langevin print propel/self
    property/atom python python/invoke python/move qeq/comb qeq/ctip qeq/dynamic qeq/fire
    qeq/rel/reaxff qeq/slater qmmm qtpie/reaxff rattle
    recenter restrain rheo rheo/oxidation rheo/pressure rheo/thermal rheo/viscosity rhok rigid
    rigid/meso rigid/nph rigid/nph/small rigid/npt rigid/npt/small rigid/nve rigid/nve/small rigid/nvt
    rigid/nvt/small rigid/small rx saed/vtk set setforce setforce/spin sgcmc shake shardlow smd smd/adjust_dt
    smd/integrate_tlsph smd/integrate_ulsph smd/move_tri_surf smd/setvel smd/wall_surface sph sph/stationary spring
    spring/chunk spring/rg spring/self srd store/force store/state tdpd/source temp/berendsen temp/csld temp/csvr
    temp/rescale temp/rescale/eff tfmc tgnpt/drude tgnvt/drude thermal/conductivity ti/spring tmd ttm ttm/grid ttm/mod
    tune/kspace vector viscosity viscous viscous/sphere wall/body/polygon wall/body/polyhedron wall/colloid wall/ees
    wall/flow wall/gran wall/gran/region wall/harmonic wall/lepton wall/lj1043 wall/lj126 wall/lj93 wall/morse
    wall/piston wall/reflect wall/reflect/stochastic wall/region wall/region/ees wall/srd wall/table widom
""".split())

COMPUTE_STYLES = frozenset("""
    ackland/atom adf aggregate/atom angle angle/local angmom/chunk ave/sphere/atom basal/atom body/local bond bond/local
    born/matrix centro/atom centroid/stress/atom chunk/atom chunk/spread/atom cluster/atom cna/atom cnp/atom com
    com/chunk composition/atom contact/atom coord/atom count/type damage/atom dihedral dihedral/local dilatation/atom
    dipole dipole/chunk dipole/tip4p dipole/tip4p/chunk displace/atom dpd dpd/atom edpd/temp/atom efield/atom
    efield/wolf/atom entropy/atom erotate/asphere erotate/rigid erotate/sphere erotate/sphere/atom event/displace fabric
    fep fep/ta force/tally fragment/atom gaussian/grid/local global/atom group/group gyration gyration/chunk
    gyration/shape gyration/shape/chunk heat/flux heat/flux/tally heat/flux/virial/tally hexorder/atom hma improper
    improper/local inertia/chunk ke ke/atom ke/atom/eff ke/eff ke/rigid mesont mliap momentum msd msd/chunk msd/nongauss
    nbond/atom omega/chunk orientorder/atom pace pair pair/local pe pe/atom pe/mol/tally pe/tally plasticity/atom
    pod/atom pod/global pod/local podd/atom pressure pressure/alchemy pressure/cylinder pressure/uef property/atom
    property/chunk property/grid property/local ptm/atom rattlers/atom rdf reduce reduce/chunk reduce/region
    rheo/property/atom rigid/local saed slcsa/atom slice smd/contact/radius smd/damage smd/hourglass/error
    smd/internal/energy smd/plastic/strain smd/plastic/strain/rate smd/rho smd/tlsph/defgrad smd/tlsph/dt
    smd/tlsph/num/neighs smd/tlsph/shape smd/tlsph/strain smd/tlsph/strain/rate smd/tlsph/stress smd/triangle/vertices
    smd/ulsph/effm smd/ulsph/num/neighs smd/ulsph/strain smd/ulsph/strain/rate smd/ulsph/stress smd/vol sna/atom
    sna/grid sna/grid/local snad/atom snap snav/atom sph/e/atom sph/rho/atom sph/t/atom spin stress/atom
    stress/cartesian stress/cylinder stress/mop stress/mop/profile stress/spherical stress/tally tdpd/cc/atom temp
    temp/asphere temp/body temp/chunk temp/com temp/cs temp/deform temp/deform/eff temp/drude temp/eff temp/partial
    temp/profile temp/ramp temp/region temp/region/eff temp/rotate temp/sphere temp/uef ti torque/chunk vacf vacf/chunk
    vcm/chunk viscosity/cos voronoi/atom xrd
""".split())

DUMP_STYLES = frozenset("""
    adios atom atom/adios atom/gz atom/mpiio atom/zstd cfg cfg/gz cfg/mpiio cfg/uef cfg/zstd custom custom/adios
    custom/gz custom/mpiio custom/zstd dcd extxyz grid grid/vtk h5md image local local/gz local/zstd molfile movie
    netcdf netcdf/mpiio vtk xtc xyz xyz/gz xyz/mpiio xyz/zstd yaml
""".split())

REGION_STYLES = frozenset("""
    block cone cylinder ellipsoid intersect plane prism sphere union
""".split())

ATOM_STYLES = frozenset("""
    amoeba angle atomic body bond bpm/sphere charge dielectric dipole dpd edpd electron ellipsoid full hybrid line
    mdpd molecular oxdna peri rheo rheo/thermal smd sph sphere spin tdpd template tri
""".split())

LINK_STYLES = {
    "bond": frozenset("""
        bpm/rotational bpm/spring bpm/spring/plastic class2 fene fene/expand fene/nm gaussian gromos harmonic
        harmonic/restrain harmonic/shift harmonic/shift/cut hybrid lepton mesocnt mm3 morse nonlinear oxdna/fene oxdna2/fene
        oxrna2/fene quartic rheo/shell special table zero
    """.split()),
    "angle": frozenset("""
        amoeba charmm class2 class2/p6 cosine cosine/buck6d cosine/delta cosine/periodic cosine/shift cosine/shift/exp
        cosine/squared cosine/squared/restricted cross dipole fourier fourier/simple gaussian harmonic hybrid lepton mesocnt
        mm3 mwlc quartic sdk spica table zero
    """.split()),
    "dihedral": frozenset("""
        charmm charmmfsw class2 cosine/shift/exp cosine/squared/restricted fourier harmonic helix hybrid lepton
        multi/harmonic nharmonic opls quadratic spherical table table/cut zero
    """.split()),
    "improper": frozenset("""
        amoeba class2 cossq cvff distance distharm fourier harmonic hybrid inversion/harmonic ring sqdistharm umbrella zero
    """.split()),
}
