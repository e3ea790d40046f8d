"""Models of machines: worked examples of the equations, and simulations that must equal them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from everlet.cli import main
from everlet.errors import EverletError, InputError, RunError
from everlet.lab import events, md, programs, wavefront
from everlet.lab.events import Machinery
from everlet.lab.machine import Device, Link, Machine, Network, devices, load, names, thesis
from everlet.lab.rates import rate_of, source
from everlet.lab.wavefront import Grind, Sweeps
from tests.tables import rows

C = (162, 162, 162)
ARRAYS = {4: (2, 2, 1), 8: (2, 4, 1), 16: (4, 4, 1)}
OTHER = 97.64


def run_class_c(sweeps: Sweeps, one_sweep: float) -> float:
    return 500 * one_sweep + OTHER / math.prod(sweeps.array)


@pytest.mark.parametrize("nodes, steps, planes, seconds", [(4, 164, 161, 750.5), (8, 166, 121, 564.6), (16, 168, 81, 380.3)])
def test_class_c_by_hyperplanes(nodes: int, steps: int, planes: int, seconds: float) -> None:
    sweeps = Sweeps(C, ARRAYS[nodes], 1)
    assert (sweeps.steps, sweeps.planes) == (steps, planes)
    found = run_class_c(sweeps, wavefront.old(sweeps, Grind(plane=55e-6).block(sweeps), 0.0).total)
    assert found == pytest.approx(seconds, abs=0.06)
    assert found == pytest.approx(thesis()["blocking"]["1"][str(nodes)][0], rel=0.02)


@pytest.mark.parametrize("nodes, kblock, seconds, flat", [(4, 81, 73.8, 53.9), (8, 41, 59.3, 27.3), (16, 41, 46.8, 15.7)])
def test_class_c_in_blocks(nodes: int, kblock: int, seconds: float, flat: float) -> None:
    """Planes and points together are right within 12 %; a constant time per point is not."""
    sweeps = Sweeps(C, ARRAYS[nodes], kblock)
    found = run_class_c(sweeps, wavefront.old(sweeps, Grind(55e-6, 21.5e-9).block(sweeps), 0.0).total)
    assert found == pytest.approx(seconds, abs=0.06)
    constant = wavefront.old(sweeps, Grind(point=27.8e-9).block(sweeps), 0.0).total
    assert run_class_c(sweeps, constant) == pytest.approx(flat, abs=0.1)
    assert found == pytest.approx(thesis()["blocking"][str(kblock)][str(nodes)][0], rel=0.125)


@pytest.mark.parametrize("nodes, seconds", [(4, 69.3), (8, 77.6), (16, 74.0)])
def test_class_c_with_the_new_blocking(nodes: int, seconds: float) -> None:
    sweeps = Sweeps(C, ARRAYS[nodes], 1)
    assert run_class_c(sweeps, wavefront.new(sweeps, 54.2e-6, 170e-6).total) == pytest.approx(seconds, abs=0.06)
    with pytest.raises(InputError, match="x and y"):
        wavefront.new(Sweeps(C, (2, 2, 2), 1), 1.0, 1.0)


@pytest.mark.parametrize("kblock, ratio", [(64, 2.875), (1, 1.029)])
def test_weak_scaling_of_sweeps(kblock: int, ratio: float) -> None:
    one, many = Sweeps((64, 64, 1024), (1, 1, 1), kblock), Sweeps((1024, 1024, 1024), (16, 16, 1), kblock)
    assert many.steps / one.steps == pytest.approx(ratio, abs=5e-4)


def test_validation_table() -> None:
    """Mean errors of the published predictions: analytic, simulated, with noise."""
    rows = [row for table in thesis()["validation"].values() for row in table]
    errors = [100 * sum(abs(row[k] / row[1] - 1) for row in rows) / len(rows) for k in (2, 3, 4)]
    assert errors == pytest.approx([10.7, 13.4, 8.1], abs=0.05)


def test_power_table() -> None:
    found = {name: (watts * seconds / 1e6, 100 * wavefront.operations(1020, 300) / seconds / peak)
             for name, (_, seconds, _, watts, peak) in thesis()["power"].items()}
    assert {name: round(joule, 1) for name, (joule, _) in found.items()} == {
        "c1060": 105.5, "c2050": 18.4, "dawndev": 15.2, "hera": 32.8}
    assert [round(found[name][1], 1) for name in ("c1060", "c2050", "dawndev", "hera")] == [2.1, 2.1, 10.4, 6.8]


def test_ghosts() -> None:
    edge = (256000 / 0.8442) ** (1 / 3)
    assert md.ghosts((edge / 2, edge, edge), 0.8442, 2.8) == pytest.approx(47272, abs=1)
    for reach, atoms in ((2.8, 8443), (5.3, 57258)):  # as many ghosts as atoms
        edge = (atoms / 0.8442) ** (1 / 3)
        assert md.ghosts((edge, edge, edge), 0.8442, reach) == pytest.approx(atoms, rel=2e-4)


NETWORK = Network(latency=3e-6, overhead=4e-7, bandwidth=1e9)
PLAIN = Machine("plain", network=NETWORK)
CARDS = Machine("cards", network=NETWORK, link=Link(1e-5, 0.0, 8e9))


@pytest.mark.parametrize("machine", [PLAIN, CARDS], ids=["hosts", "cards"])
@pytest.mark.parametrize("array", [(1, 1, 1), (3, 2, 1), (4, 5, 1), (2, 3, 2), (1, 4, 3)], ids=str)
@pytest.mark.parametrize("kblock", [1, 5, 20])
def test_simulated_sweeps_equal_the_equations(machine: Machine, array: tuple[int, int, int], kblock: int) -> None:
    sweeps, block = Sweeps((40, 30, 20), array, kblock), 1.7e-5
    east, south = (machine.network.time(size) for size in sweeps.messages)
    link = machine.link or Link(bandwidth=1.0)
    copies = [link.time(size) if machine.link else 0.0 for size in sweeps.messages]
    exact = wavefront.recursion(sweeps, block, east, south, *copies)
    real = Machinery(machine, programs.sweeps(sweeps, block, both=False)).run()
    assert real == pytest.approx(exact, rel=1e-12)
    simple = wavefront.old(sweeps, block, wavefront.exchange(sweeps, machine)).total
    paid = Machinery(machine, programs.sweeps(sweeps, block, both=False, edges="all")).run()
    assert paid == pytest.approx(simple, rel=1e-12)
    assert real <= simple * (1 + 1e-12)
    twice = Machinery(machine, programs.sweeps(sweeps, block, iterations=2, other=1e-3)).run()
    assert twice == pytest.approx(4 * exact + 2e-3, rel=1e-12)


MATTER = md.Matter(20000, (20.0, 30.0, 25.0), 2.8, forward=24.0, reverse=24.0, sums=1, rebuild=1e-7, every=5)


@pytest.mark.parametrize("change", [{}, {"mesh": 32000}, {"iterations": 7}, {"share": 0.5, "reverse": 0.0}], ids=str)
@pytest.mark.parametrize("machine", [PLAIN, CARDS], ids=["hosts", "cards"])
@pytest.mark.parametrize("nodes, stages", [(1, False), (2, True), (12, False), (27, True)])
def test_simulated_steps_equal_the_equations(change: dict, machine: Machine, nodes: int, stages: bool) -> None:
    matter, rate = md.Matter(**{**vars(MATTER), **change}), md.Rate(1e-5, 2e8, 3e-9)
    whole = md.step(matter, rate, machine, nodes, stages).total
    found = Machinery(machine, programs.steps(matter, rate, machine, nodes, 10, stages)).run() / 10
    assert found == pytest.approx(whole, rel=1e-12)


def test_long_messages_wait_for_their_receivers() -> None:
    machine = Machine("m", network=Network(latency=1e-6, bandwidth=1e9, eager=100))

    def sender(size: int, kind: str):  # type: ignore[no-untyped-def]
        yield getattr(events, kind)(1, size)
        yield events.wait()

    def receiver():  # type: ignore[no-untyped-def]
        yield events.compute(1e-3)
        yield events.receive(0)

    for kind in ("send", "isend"):
        for size, end in ((50, 1e-6 + 5e-8), (1000, 1e-3 + 1e-6 + 1e-6)):
            run = Machinery(machine, [sender(size, kind), receiver()])
            assert run.run() == pytest.approx(max(end, 1e-3), rel=1e-12)
            arrives = 1e-6 if kind == "send" else 0.0  # a rank that does not wait for the arrival is free when all has left
            assert run.now[0] == pytest.approx((0.0 if size == 50 else 1e-3) + arrives + size * 1e-9, rel=1e-9)


def test_a_nic_and_a_link_are_serial() -> None:
    machine = Machine("m", devices=2, network=Network(bandwidth=1e9), link=Link(bandwidth=1e9))

    def give(rank: int):  # type: ignore[no-untyped-def]
        yield events.copy(1000)
        yield events.send(rank + 2, 1000)

    def take(rank: int):  # type: ignore[no-untyped-def]
        yield events.receive(rank - 2)

    run = Machinery(machine, [give(0), give(1), take(2), take(3)])
    assert run.run() == pytest.approx(3e-6)  # both copies at once, then two messages one after the other
    machine.network.nics = 2
    assert Machinery(machine, [give(0), give(1), take(2), take(3)]).run() == pytest.approx(2e-6)


def test_noise_is_seeded_and_only_slows() -> None:
    machine = Machine("m", network=Network(latency=3e-6, bandwidth=1e9, noise=[(0, 1e-6), (1000, 2e-6)]))
    sweeps = Sweeps((40, 40, 40), (4, 4, 1), 4)
    quiet = Machinery(machine, programs.sweeps(sweeps, 1e-5)).run()
    noisy = [Machinery(machine, programs.sweeps(sweeps, 1e-5), seed).run() for seed in (1, 2, 1)]
    assert noisy[0] == noisy[2] != noisy[1] and min(noisy) > quiet


def test_ranks_that_wait_for_ever_are_named() -> None:
    def lonely():  # type: ignore[no-untyped-def]
        yield events.receive(1, 7)

    def other():  # type: ignore[no-untyped-def]
        yield events.compute(1.0)

    with pytest.raises(RunError, match="rank 0 for: receive from rank 1, tag 7"):
        Machinery(PLAIN, [lonely(), other()]).run()


def test_every_machine_that_ships_can_be_read() -> None:
    assert {"frontier", "aurora", "el-capitan", "alps", "eos", "h200", "c1060", "c2050", "hera", "dawndev"} <= set(names())
    for name in names():
        machine = load(name)
        assert machine.name == name and machine.device.units > 0 and machine.network.time(8) >= 0
    assert {"v100", "a100", "h100", "gh200", "h200", "mi250x", "mi300a", "pvc", "grace", "knc"} <= set(devices())
    assert isinstance(load("frontier").device, Device) and load("frontier").power("tdp") == 8 * 280


VENDORS = ("mi250x", "mi300a", "pvc")  # GPUs on which nothing of ours has run; machines of one of them are named alike
PACKAGES = {"mi250x-package": "mi250x", "max1550": "pvc"}


@pytest.mark.parametrize("name", [*VENDORS, "h200"])
def test_numbers_of_a_device_have_sources(name: str) -> None:
    device = devices()[name]
    numbers = {"bandwidth", "memory", "f64", "f32", "cache", "shared", "units", "gigahertz", "watts"}
    assert set(device.sources) == numbers | {f"measured {limit}" for limit in device.measured}
    assert all(getattr(device, number) > 0 for number in numbers) and device.shared <= device.cache
    for limit, reached in device.measured.items():
        assert 0.5 * getattr(device, limit) < reached < getattr(device, limit)
    assert all(": " in text for text in device.sources.values())  # who says so, or estimate and how: what


def test_peaks_are_those_of_units_and_clocks() -> None:
    """Operations of a unit in a cycle are a whole number that its vectors can have, so that no figure is of two dies."""
    for name, each in {"mi250x": 128, "mi300a": 128, "pvc": 256, "h200": 128}.items():
        device = devices()[name]
        assert device.f64 / device.units / device.gigahertz / 1e9 == pytest.approx(each, rel=0.02), name


@pytest.mark.parametrize("name", [*VENDORS, *PACKAGES, "frontier", "aurora", "el-capitan"])
def test_machines_say_where_their_numbers_are_from(name: str) -> None:
    machine = load(name)
    assert "network" in machine.sources and (machine.link is None or "link" in machine.sources)
    assert not machine.watts or "watts" in machine.sources


@pytest.mark.parametrize("name", [*VENDORS, "frontier", "aurora", "el-capitan"])
@pytest.mark.parametrize("potential, limit", rows("""
lj/cut -> bandwidth
eam -> bandwidth
snap -> f64
reaxff -> f64
"""))
def test_forecasts_are_within_what_limits_them(name: str, potential: str, limit: str) -> None:
    """A GPU that was not measured is faster or slower than the one that was by less than the ratio of the limit, since what
    starts a step stays; nearly by all of it if there are many atoms."""
    here, there = load("h200"), load(name)
    ratio = there.device.times(here.device, limit)
    ours, theirs = rate_of(here, potential), rate_of(there, potential)
    gains = [ours.time(atoms) / theirs.time(atoms) for atoms in (4000, 32000, 256000, 2048000, 16384000)]
    assert all(min(ratio, 1.0) <= gain <= max(ratio, 1.0) for gain in gains)
    assert gains[-1] == pytest.approx(ratio, rel=0.02) and theirs.error >= 0.35
    if limit == "bandwidth":  # 300 bytes of a list and 200 of an atom's state are read in each step
        assert 16384000 * 500 / theirs.time(16384000) < there.device.measured[limit]


def test_a_ratio_is_of_numbers_of_one_kind() -> None:
    """Measured by measured, or both of data sheets: what a copy reaches is not divided by what a data sheet says."""
    measured = Device(bandwidth=5.0, f64=3.0, measured={"bandwidth": 4.0})
    assert measured.times(Device(bandwidth=4.0, f64=1.0, measured={"bandwidth": 2.0}), "bandwidth") == 2.0
    assert measured.times(Device(bandwidth=2.5), "bandwidth") == 2.0
    assert measured.times(Device(f64=1.5, measured={"bandwidth": 2.0, "f64": 1.0}), "f64") == 2.0


def test_a_package_is_two_of_its_dies() -> None:
    for whole, part in PACKAGES.items():
        both, one = load(whole), load(part)
        assert (both.devices, both.device) == (2, one.device) and both.power("tdp") == 2 * one.power("tdp")


@pytest.mark.parametrize("text, message", rows("""
{ -> no JSON
[] -> does not hold a machine
{"nodse": 1} -> did you mean nodes
{"nodes": 0} -> positive
{"device": "h201"} -> did you mean h200
{"network": {"latency": -1}} -> positive number
{"network": {"topology": "ring"}} -> topology
{"network": {"points": [1]}} -> pairs
{"crowd": [1]} -> object with names
{"crowd": {"md": [1]}} -> pairs
{"division": {"two": {}}} -> numbers of ranks
"""))
def test_machine_files_are_checked(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(EverletError) as caught:
        load(str(path))
    assert message in str(caught.value)


def rows_of(path: Path) -> list[dict]:
    return json.loads(path.read_text())["rows"]


def test_model_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    assert main(["model", "wavefront", "--machine", "c1060", "--exchange", "0", "--json", str(out)]) == 0
    assert [round(row["total"], 1) for row in rows_of(out)][1:] != []
    assert main(["model", "wavefront", "--policy", "new", "--plane", "54.2e-6", "--exchange=170e-6", "--other", "97.64",
                 "--nodes", "4,8,16", f"--json={out}"]) == 0
    assert [row["total"] for row in rows_of(out)] == pytest.approx([69.3, 77.6, 74.0], abs=0.06)
    assert main(["model", "md", "--machine", "frontier", "--json", str(out)]) == 0
    rows = rows_of(out)
    assert rows[-1]["nodes"] == 9856 and rows[0]["kilowatt_tdp"] != rows[0]["kilowatt_measured"]
    assert all(row["step_us"] == pytest.approx(sum(row[f"{part}_us"] for part in ("local", "halo", "global", "rebuild")))
               for row in rows)
    assert main(["model", "ewald", "--processor", "skylake zmm", "--json", str(out)]) == 0
    assert rows_of(out)[0]["seconds"] == pytest.approx(53.4, abs=0.06)
    assert main(["model", "ewald", "--json", str(out)]) == 0
    assert rows_of(out)[0]["seconds"] == pytest.approx(17.9, abs=0.06)
    assert main(["model", "validation"]) == 0
    assert "analytic 10.7 %, simulated 13.4 %, with noise 8.1 %" in capsys.readouterr().out
    assert main(["model", "machines", "--json", str(out)]) == 0
    assert "Frontier" in capsys.readouterr().out
    copy = tmp_path / "copy.json"
    for row in rows_of(out):  # each row is a machine file
        copy.write_text(json.dumps(row))
        assert load(str(copy)) == load(row["name"])


def test_rates_are_those_of_everlet_and_scaled_by_what_limits_them() -> None:
    here, there = load("h200"), load("frontier")
    assert rate_of(here, "snap").rate == here.md["snap+zbl"]["rate"] != load("lammps-h200").md["snap"]["rate"]
    assert rate_of(here, "reaxff").rate == here.md["reaxff"]["rate"]
    for potential, limit in (("snap+zbl", "f64"), ("snap", "f64"), ("reaxff", "f64"), ("eam", "bandwidth")):
        ratio = there.device.f64 / here.device.f64 if limit == "f64" else (
            there.device.measured[limit] / here.device.measured[limit])
        assert rate_of(there, potential).rate == pytest.approx(ratio * rate_of(here, potential).rate)
        assert ("arithmetic" if limit == "f64" else limit) in source(there, potential)


def test_each_number_of_nodes_is_modelled_alone(tmp_path: Path) -> None:
    """Also where planes and points are put together for the new blocking."""
    out = tmp_path / "out.json"
    words = ["model", "wavefront", "--policy", "new", "--kblock", "8", "--json", str(out)]
    assert main([*words, "--nodes", "16"]) == 0
    alone = rows_of(out)[0]["total"]
    assert main([*words, "--nodes", "4,16"]) == 0
    assert rows_of(out)[1]["total"] == alone


def test_blocks_are_no_higher_than_the_part_of_a_rank(tmp_path: Path) -> None:
    out, found = tmp_path / "out.json", []
    for kblock in ("240", "960"):
        for words in (["model", "wavefront"], ["simulate", "lu", "--iterations", "2"]):
            assert main([*words, "--size", "960x960x960", "--array", "4x4x4", "--kblock", kblock, "--json", str(out)]) == 0
            found.append(rows_of(out)[0])
    assert found[0] == found[2] and found[1] == found[3] and found[0]["kblock"] == 240


def test_a_node_has_a_rank_for_each_device(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    for words in (["model", "wavefront"], ["simulate", "lu"]):
        assert main([*words, *"--machine h200-cluster --nodes 2 --class S --point 1e-9 --json".split(), str(out)]) == 0
        row = rows_of(out)[0]
        assert (row["nodes"], row["ranks"]) == (2, 16)


def test_simulate_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, kept = tmp_path / "out.json", tmp_path / "lu.trace"
    small = ["--size", "20x20x20", "--nodes", "4", "--point", "1e-8", "--plane", "0", "--other", "0", "--iterations", "2"]
    assert main(["simulate", "lu", *small, "--edges", "all", "--json", str(out)]) == 0
    assert rows_of(out)[0]["seconds"] == pytest.approx(rows_of(out)[0]["equations"], rel=1e-12)
    assert main(["simulate", "lu", *small, "--noise", "3", "--trace", str(kept), "--json", str(out)]) == 0
    row = rows_of(out)[0]
    assert row["seconds"] < row["noisy"] < row["noisy_to"]
    assert main(["simulate", "trace", str(kept), "--machine", "c1060", "--json", str(out)]) == 0
    assert rows_of(out)[0]["seconds"] == row["seconds"]
    for program, more in (("md", []), ("pppm", ["--mesh", "32000"]), ("qeq", ["--iterations", "2"])):
        assert main(["simulate", program, *more, "--nodes", "1,2", "--machine", "h200-cluster", "--steps", "20",
                     "--json", str(out)]) == 0
        assert all(one["seconds"] == pytest.approx(one["equations"], rel=1e-9) for one in rows_of(out))


@pytest.mark.parametrize("words, message", rows("""
model wavefrnt -> did you mean wavefront
model wavefront --class C --size 8x8x8 -> both --class and --size
model wavefront --size 8x8 -> three positive numbers
model wavefront --machine frontier -> what LU takes on frontier
model md --machine frontir -> did you mean frontier
model md --potential eamm --machine hera -> nothing is known
model md --machine eos --nodes 10000 -> has 576 nodes
model ewald --processor knl -> --units and --gigahertz
simulate lu --edges some -> edges
simulate trace -> expected 1
simulate trace none.trace -> cannot read the trace
model md --machine none.json -> everlet measure
model wavefront --size 8x8x8 --array 16x16x1 -> some have none
simulate lu --class S --nodes 400 -> some have none
model md --atoms 10 --machine eos --nodes 2 -> 16 devices, more than there are atoms
model ewald --volume 2 -> more than the box
simulate md --mesh 1000 -> unknown option '--mesh'
simulate pppm --iterations 5 -> unknown option '--iterations'
simulate lu --nodes 2,4 --class S --trace x.trace -> one simulation
simulate md --nodes 1,2 --steps 1 --trace x.trace -> one simulation
"""))
def test_wrong_words_are_refused(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("line, message", [
    *rows("""
{} -> not an operation
{"rank": 0, "do": "sned"} -> did you mean send
{"rank": 0, "do": "compute"} -> needs seconds
{"rank": 0, "do": "send", "to": 5, "bytes": 8} -> ranks are 0 to 0
{"rank": -1, "do": "wait"} -> from 0
"""),
    ("", "is empty"),
    *rows(r"""
{"rank": 0, "do": "allreduce"}\n{"rank": 2, "do": "wait"} -> wait for ever
""")])
def test_traces_are_checked(tmp_path: Path, line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.trace"
    path.write_text(line)
    assert main(["simulate", "trace", str(path)]) == 1
    assert message in capsys.readouterr().err
