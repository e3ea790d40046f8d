"""Commands that make and change systems, variables, groups and regions: many of them in each script, through lmp and here.

Each script prints lines `SAY …` and thermo rows; all numbers are compared. Rows of one script share one pair style, so that
few kernels are compiled.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.harness import Tolerances, compare, run_everlet, run_lmp

BOX = """units lj
atom_modify map array
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 2 box
"""
ATOMS = BOX + """create_atoms 1 box
mass * 1.0
set atom 1*90 type 2
group two type 2
group odd id 1:255:2
velocity all create 1.5 33333 loop all
"""
FORCES = """pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all nve
"""
SUMS = """variable s1 atom id*x
variable s2 atom type*y*vx
variable s3 atom z+ix+2*iy+4*iz+vz
compute ix all property/atom ix iy iz
variable s3 atom z+c_ix[1]+2*c_ix[2]+4*c_ix[3]+vz
compute s all reduce sum v_s1 v_s2 v_s3
thermo_style custom step atoms temp pe press pxx pxy c_s[1] c_s[2] c_s[3] vol xlo xhi ylo zhi xy xz yz
thermo_modify norm no format float %.17g
thermo 2
"""

VECTORS = ATOMS + FORCES + """
variable v vector [1,2.5,3]
variable w vector v_v*2+1
variable s vector sort(v_w)
variable r vector rsort(v_w)
print "SAY ${v} ${w} ${s} ${r} $(sum(v_w)) $(min(v_w)) $(max(v_w)) $(ave(v_w)) $(trap(v_w)) $(slope(v_w)) $(v_w[2])"
variable mixed vector v_v[2]+v_v^2>5
variable big vector [1e20,1e-5,123456789012,0.1]
print "SAY ${mixed} ${big} $(ternary(1,2,1/0)) $(ternary(v_v[1]>3,sqrt(-1),7))"
region part block 0 1.5 0 1.5 0 INF
variable g atom gmask(two)+2*rmask(part)+4*grmask(two,part)
print "SAY $(v_g[1]) $(v_g[17]) $(v_g[140])"
variable f atomfile sets.txt
variable f2 atom 2*next(f)
print "SAY $(v_f[1]) $(v_f[3]) $(v_f[4]) $(v_f2[3]) $(v_f[3])"
variable l file lines.txt
print "SAY $(next(l)) $l"
print "SAY $(extract_setting(world_size)) $(extract_setting(nlocal)) $(extract_setting(dimension)) $(extract_setting(ntypes))"
print "SAY $(is_active(newton,pair)) $(is_active(pair_style,lj/cut)) $(is_available(command,run))"
print "SAY $(is_available(feature,gzip)) $(is_file(lines.txt)) $(is_defined(group,two)) $(is_active(atom_style,atomic))"
labelmap atom 1 C 2 H
print "SAY $(label2type(atom,H)) $(is_typelabel(atom,H)) $(is_typelabel(atom,Q))"
variable t timer
print "SAY $(v_t>0)"
variable p vector c_thermo_press*2
compute r all rdf 5
variable h vector c_r[2]
variable e equal sum(c_thermo_press)+max(v_p)
thermo_style custom step temp v_e v_p[2] v_h[5]
thermo_modify format float %.17g
run 4
print "SAY $(sum(c_r[3]):%.12g) $(slope(v_h):%.12g) $(max(c_thermo_press):%.12g)"
"""

GROUPS = ATOMS + FORCES + """
region half block 0 2 0 4 0 4
variable fast atom vx>0.5
variable fast2 atom vx>0.5&&x>2
group one variable fast
group changing dynamic all region half every 3
group some dynamic two var fast region half
print "SAY $(count(changing)) $(count(one)) $(count(some))"
compute t changing temp
compute t2 some temp
variable c equal count(changing)
variable c2 equal count(some)
thermo_style custom step temp pe v_c v_c2 c_t c_t2
thermo_modify format float %.17g
thermo 1
run 7
group changing static
print "SAY $(count(changing))"
run 3
group h variable fast2
group h union two h
uncompute t
uncompute t2
group some delete
print "SAY $(count(h)) $(is_defined(group,some))"
"""

REGIONS = ATOMS + """
variable h equal 0.53
variable t equal step*0.1+0.52
region a block v_h 2.01 0.1 2.02 0.1 2.03
region b sphere v_h 2.01 2.02 v_t
region c cylinder z v_h 2.01 v_t 0.1 2.1
region d cone z v_h 2.01 1.02 v_t 0.1 3.9
region e ellipsoid 2.01 v_h 2.03 1.02 v_t 2.3
region f plane v_h 1.01 1.02 1 1 1
region g prism 0.1 v_t 0.1 1.1 0.1 1.2 0.1 0.1 0.05
region i sphere 2.01 2.02 2.03 1.3 move v_t NULL v_h
region j block 1.01 3.02 1.03 2.04 0.1 3.9 rotate v_t 2.1 2.2 0 1 1 1 move v_h NULL v_h
region k block 1.01 3.02 1.03 2.04 0.1 3.9 rotate v_t 2.1 2.2 0 0 0 1 side out units box
region l union 2 i j
region m intersect 2 a b side out
region n block 1 2 1 2 1 2 open 1 open 3
variable x index a b c d e f g i j k l m n
label again
variable n equal count(all,$x)
variable q equal xcm(all,y,$x)+ke(two,$x)
reset_timestep 0
print "SAY $x $n $q"
reset_timestep 5
print "SAY $x $n $q"
next x
jump SELF again
"""

CHANGE_BOX = ATOMS + FORCES + """
displace_atoms all move 0.1 0.2 0.3 units box
""" + SUMS + "\n".join(f"{line}\nrun 0" for line in """
change_box all x scale 1.05 remap
change_box all x scale 0.98 y volume remap
change_box all x delta -0.1 0.1 y volume z volume remap units box
change_box all triclinic
change_box all xy final 0.4 remap
change_box all xz delta 0.3 yz final -0.2 remap units box
change_box all xy final 0 xz final 0 yz final 0 remap ortho
change_box two x final 0 4.2 remap
change_box all y scale 1.1 set x scale 1.02 remap
change_box all boundary p p f z delta -1 1
change_box all boundary p p s
change_box all boundary p s m z final 0 5
""".strip().splitlines())

DELETE = BOX + "mass * 1.0\n" + FORCES + """region part block 0 2.1 0 4 0 4
variable there atom x>3&&y<2
group two empty
group odd empty
""" + SUMS + "\n".join(f"""create_atoms 1 box
set atom 1*90 type 2
group two type 2
group odd id 1:255:2
delete_atoms {how}
run 0
delete_atoms group all
group two clear
group odd clear""" for how in """random fraction 0.25 no all NULL 77
random fraction 0.25 yes two NULL 77
random count 33 yes all part 991
variable there
overlap 1.3 all all
overlap 1.3 two odd
overlap 1.2 odd two
overlap 1.25 two two compress no
region part""".splitlines())

CREATE = BOX + "mass * 1.0\n" + FORCES + """region part sphere 2 2 2 1.7
variable xx internal 0.0
variable yy internal 0.0
variable w equal "0.3*sin(v_xx*2)+1 > v_yy/4"
variable w2 equal "(v_xx>2) && v_w"
""" + SUMS + """
create_atoms 1 box subset 100 771
run 0
set group all type/ratio 2 0.3 55
set type 1 type/subset 2 5 77
run 0
delete_atoms group all
create_atoms 1 region part ratio 0.4 8881 basis 2 2
run 0
delete_atoms group all
create_atoms 1 box var w set x xx set y yy
run 0
delete_atoms group all
create_atoms 1 box var w2 set x xx set y yy basis 1 2 subset 50 9
run 0
delete_atoms group all
create_atoms 1 random 50 1234 NULL overlap 0.6
run 0
create_atoms 2 random 80 5551 part overlap 0.8 maxtry 20 units box
run 0
create_atoms 2 random 30 5552 part var w2 set x xx set y yy overlap 0.3
run 0
create_atoms 2 random 30 5552 NULL var w2 set x xx set y yy
run 0
"""

THERMO = ATOMS + FORCES + SUMS + """variable n equal logfreq(1,3,10)
variable m equal stride(20,40,7)
thermo v_n
thermo_modify warn default lost/bond error
run 13
thermo v_m
run_style verlet
run 30
variable i atom id%3
variable j atom id%2+1
set group all image v_i NULL 2 type v_j
set type 2 x v_i vx v_i
run 0
compute part all temp/partial 1 1 0
compute theirs two temp
velocity all create 1.0 555 temp thermo_temp
run 0
velocity all create 1.2 556 temp part bias yes
run 0
velocity all create 1.1 557 temp part sum yes
run 0
velocity all scale 2.0 temp part bias yes
run 0
velocity two scale 1.5 temp theirs
run 0
write_coeff found.coeff
include found.coeff
run 0
"""

RERUN = ATOMS + """pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all npt temp 1 1 0.1 iso 1 1 1
dump 1 all custom 5 a.dump id type x y z vx vy vz ix iy iz
dump 2 all custom 5 as.dump id xs ys zs type
dump 3 all custom 5 au.dump.gz id type xu yu zu
dump 4 all xyz 5 a.xyz
dump_modify 1 sort id format float %.17g
dump_modify 2 sort id format float %.17g
dump_modify 3 format float %.17g
dump_modify 4 sort id format line "%s %.17g %.17g %.17g"
run 40
undump 1
undump 2
undump 3
undump 4
unfix 1
fix 1 all nve
velocity all set 0 0 0
reset_timestep 0
compute rdf all rdf 10
compute m all msd
""" + SUMS + """thermo 10
rerun a.dump dump x y z
reset_timestep 0
fix a all ave/time 10 1 10 c_rdf[*] mode vector
fix b all ave/time 5 2 10 c_thermo_press c_thermo_pe
variable f1 equal f_a[6][2]
thermo_style custom step atoms temp pe press c_s[1] c_s[2] lx xlo elapsed
thermo_modify norm no format float %.17g
rerun as.dump first 5 last 30 dump x y z
print "SAY $(v_f1:%.10g) $(c_m[4]:%.10g) $(f_b[1]:%.10g) $(f_b[2]:%.10g) $(step)"
unfix a
unfix b
rerun au.dump.gz every 10 start 0 stop 50 dump x y z wrapped no
rerun a.dump skip 3 post no dump x y z vx vy vz ix iy iz
rerun a.xyz dump x y z box no format xyz
group few id 1:200:4
delete_atoms group few compress no
rerun a.dump first 20 dump x y z trim yes
print "SAY $(step) $(atoms)"
read_dump a.dump 15 x y z vx vy vz add keep
run 0
read_dump as.dump 10 x y z purge yes replace no add yes timestep no
run 0
read_dump a.dump 5 x y z vx label vx vy box no
run 2
"""

MOLECULES = """units lj
atom_style full
atom_modify map array
lattice fcc 0.3
region b block 0 3 0 3 0 3
region half block 0 1.5 0 3 0 3
create_box 2 b bond/types 1 angle/types 1 extra/bond/per/atom 4 extra/angle/per/atom 3 extra/special/per/atom 8
mass * 1.0
bond_style harmonic
bond_coeff 1 100 0.5
angle_style harmonic
angle_coeff 1 10 120
molecule m water.mol
create_atoms 0 box mol m 777
pair_style lj/cut 2.5
pair_coeff * * 1 1
variable s atom id*x+mol*y+q
compute s all reduce sum v_s
thermo_style custom step atoms temp pe ebond eangle bonds angles c_s
thermo_modify format float %.17g
fix 1 all nve
special_bonds lj/coul 0 0 1
delete_atoms overlap 0.6 all all mol yes bond yes
run 0
group g region half
group g include molecule
print "SAY $(count(g)) $(charge(g)) $(charge(all,half))"
group g molecule 3:9
variable q atom 0.1*id
set mol 4 charge 2.0
set type 2 charge v_q
set group g mol 77
reset_atoms mol all
run 0
create_atoms 0 random 5 1235 NULL overlap 0.7 mol m 4432 units box
run 0
delete_atoms region half mol yes bond yes
run 2
info all out overwrite info.txt
print "SAY $(is_file(info.txt)) $(is_active(bond_style,harmonic)) $(extract_setting(nbondtypes))"
"""

TIME = ATOMS + FORCES + """
variable set atomfile sets.txt
compute set all reduce sum v_set
compute tp all temp/profile 1 0 1 z 8
thermo_style custom step time pe c_set c_tp
thermo_modify format float %.17g
variable one vector [5]
print "SAY $(trap(v_one))"
run 4
reset_timestep 0 time 5.0
timestep 0.002
run 4
minimize 1e-4 1e-4 5 10
reset_timestep 0 time 3.0
run 4
minimize 1e-4 1e-4 5 10
reset_timestep 0
run 4
minimize 1e-4 1e-4 5 10
reset_timestep 1000
run 4
"""

# energies and stresses of atoms are those of the forces, also where a fix changes the box at the end of a step
LATE = ATOMS + FORCES + """
compute pe all pe/atom
compute st two stress/atom NULL
compute s all reduce sum c_pe c_st[1] c_st[4]
compute m all reduce max c_pe
fix m two ave/atom 2 2 4 c_pe
compute mm all reduce sum f_m
thermo_style custom step pe c_s[1] c_s[2] c_s[3] c_m lx
thermo_modify norm no format float %.17g
thermo 4
fix 2 all press/berendsen iso 5 5 1
run 8
print "SAY $(c_s[1]:%.12g) $(c_mm:%.12g)"
unfix 2
fix 2 all deform 1 x erate 0.1 remap x
dump 1 all custom 4 late.dump id c_pe
run 8
displace_atoms two move 0.1 0 0
run 0
"""

# what comes one after another in a command; values that follow the run, of atoms; chunks that are no bins; heat by images
ORDERS = ATOMS + FORCES + """
variable d atom 0.01*x
variable e atom 0.02*y
displace_atoms two move v_e v_d v_e units box
change_box all x scale 1.02 remap y scale 0.98 remap set z delta -0.2 0.1 remap units box
variable m atom vdisplace(x,0.1)+ramp(x,y)+swiggle(x,vx,3.0)+cwiggle(y,1.0,2+z)
variable k atom 1+id%6
variable v vector "[0.1,0.2,0.9]"
region left block 0 2 INF INF INF INF
compute m all reduce sum v_m
compute c1 all chunk/atom v_k limit 4 exact discard no
compute c2 all chunk/atom bin/1d x lower 0.25 units reduced limit 3 max
compute c3 all chunk/atom type
compute p2 all property/chunk c2 count coord1
fix 2 all ave/chunk 2 2 4 c1 density/number density/mass temp
fix 3 all ave/chunk 2 2 4 c3 density/mass vx norm none
fix 4 all ave/histo 2 2 4 0 1 5 v_v mode vector
fix 5 all ehex 1 0.5 region left
group come dynamic two region left every 3
fix 6 come momentum 5 linear 1 1 1
compute vc all vcm/chunk c3
compute sp all chunk/spread/atom c3 c_vc[*]
compute sm two reduce sumsq c_sp[*]
thermo_style custom step temp pe press lx ly lz c_m f_2[1][2] f_2[4][3] f_3[2][2] c_p2[4][1] f_4[1] f_4[1][2] f_5 c_sm[*]
thermo_modify norm no format float %.17g
thermo 4
run 32
"""

# bins and volumes of chunks in a box that changes: those of the run's begin, of a sample, of the last sample
VOLUMES = ATOMS + """pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all npt temp 1.4 1.4 0.5 aniso 2 10 0.5
compute c1 all chunk/atom bin/1d x lower 0.5 units lattice
compute c2 all chunk/atom type
compute c3 all chunk/atom bin/1d y lower 0.3 units reduced
compute c4 all chunk/atom bin/cylinder z lower 1 2 2 0 2 4 units box
compute c5 all chunk/atom bin/sphere 0.5 0.5 0.5 0 0.4 4 units reduced
fix 2 all ave/chunk 2 4 10 c1 density/number vx
fix 3 all ave/chunk 2 4 10 c2 density/mass
fix 4 all ave/chunk 2 4 10 c3 density/number density/mass norm sample
fix 5 all ave/chunk 2 4 10 c4 density/number norm none ave running
fix 6 all ave/chunk 2 4 10 c5 density/number
thermo_style custom step vol f_2[2][3] f_2[3][4] f_3[1][2] f_4[2][3] f_4[2][4] f_5[3][4] f_6[3][3]
thermo_modify norm no format float %.17g
thermo 10
run 20
print "SAY $(f_2[2][1]:%.10g) $(f_4[2][1]:%.10g) $(f_5[5][1]:%.10g) $(f_6[2][1]:%.10g)"
run 10
"""

SCRIPTS = {"time": TIME, "orders": ORDERS, "volumes": VOLUMES, "late": LATE, "molecules": MOLECULES, "rerun": RERUN,
           "thermo": THERMO, "vectors": VECTORS, "groups": GROUPS, "regions": REGIONS, "change_box": CHANGE_BOX,
           "delete": DELETE, "create": CREATE}
ALLOWED = {"rerun": "thermo_style", "molecules": "compress yes"}
WATER = """# three atoms

3 atoms
2 bonds
1 angles

Coords

1 0 0 0
2 0.5 0 0
3 1.0 0.1 0

Types

1 1
2 2
3 1

Charges

1 0.5
2 -1
3 0.5

Bonds

1 1 1 2
2 1 2 3

Angles

1 1 1 2 3
"""
FILES = {"water.mol": WATER, "sets.txt": "# first\n2\n1 3.5\n3 7.25\n\n1\n3 9\n", "lines.txt": "5\n6\n7\n"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_same_numbers(name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    script = SCRIPTS[name]
    expected = run_lmp(script, FILES, tmp_path_factory.getbasetemp() / "lmp", allowed=ALLOWED.get(name, "Only inserted"))
    found = run_everlet(script, FILES, tmp_path)
    assert expected.thermo or "SAY" in expected.log
    compare(found, expected, Tolerances(start=1e-11, later=1e-10))
