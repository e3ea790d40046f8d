"""The python command, python-style variables and py_NAME() in formulas: there is no reference for them."""

import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.tables import rows

SQUARE = '''variable x python square
variable n equal 3
python square input 1 v_n return v_x format ff here """
def square(a):
    return a * a
"""
'''


def said(text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    simulation = Simulation(device="serial", screen="stdout")
    simulation.commands(text)
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("SAY")]


def test_variables_follow_functions(capsys):
    text = SQUARE + 'print "SAY $x $(v_x+1)"\nvariable n equal 5\nprint "SAY $x"\nvariable y equal v_x/2\nprint "SAY $y"\n'
    assert said(text, capsys) == ["SAY 9 10", "SAY 25", "SAY 12.5"]


def test_wrappers_give_numbers(capsys):
    text = '''variable z python sum2
variable a internal 0
variable b internal 0
python sum2 input 2 iv_a iv_b return v_z format fff here """
def sum2(a, b):
    return a + 10 * b
"""
lattice sc 1.0
region r block 0 2 0 2 0 2
create_box 1 r
create_atoms 1 box
variable w atom py_z(x,id)
variable e equal py_z(1,2)*2
print "SAY $e $(v_w[2])"
'''
    assert said(text, capsys) == ["SAY 42 21"]


def test_invoke_and_self(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "code.py").write_text("def go(lmp, name, count):\n    for k in range(count):\n"
                                      "        lmp.command(f'print \"SAY {name} {k} ${{n}}\"')\n    return 'done'\n")
    text = "variable n index 7\npython source code.py\n"
    text += "python go input 3 SELF hello 2 format psi exists\npython go invoke logreturn\n"
    assert said(text, capsys) == ["SAY hello 0 7", "SAY hello 1 7"]


def test_texts(capsys):
    text = 'variable s python up\npython up input 1 abc return v_s format ss length 3 here "up = str.upper"\nprint "SAY ${s}"\n'
    assert said(text, capsys) == ["SAY ABC"]


@pytest.mark.parametrize("text,cause", [
    *rows(r"""
python f invoke -> Python function 'f'
python f input 1 3 format f exists -> no Python function 'f'
python f here "def f(): return 1/0"\npython f invoke -> ZeroDivisionError
variable x python g\nprint $x -> not defined
python source nosuch.py -> cannot read
python f spam 3 -> option of python
"""),
    ('python f input 1 3 format ff here "def f(a): pass"', "has 2 letters for 1 inputs"),
    ('python f input 1 SELF format f here "def f(a): pass"', "does not fit SELF"),
    ('python f here "def f(:"', "line 1"),
    (SQUARE + 'print "$(py_n(3))"', "of style equal"),
    (SQUARE + 'print "$(py_x(3,4))"', "takes 0 numbers"),
    ('variable x python f\npython f return v_x format f here "def f(): return [1]"\nprint "$x"', "not a number")])
def test_refusals(text, cause):
    with pytest.raises(InputError) as error:
        Simulation(device="serial").commands(text)
    assert cause in str(error.value)
