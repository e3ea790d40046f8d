"""What this installation can do: versions, devices, compilers, and what is missing."""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import Any

from everlet.errors import EverletError
from everlet.perf.kernels import copy
from everlet.portable import HOST, Kernel, Space, choose
from everlet.portable.backends.cuda import found as gpu
from everlet.portable.backends.cuda import nvrtc
from everlet.portable.backends.cuda.found import INSTALL, installed
from everlet.portable.backends.hip import found as hip
from everlet.portable.backends.hip import hiprtc
from everlet.portable.backends.opencl import found as opencl
from everlet.portable.kernels import lane_width
from everlet.run.installed import INSTALLED
from everlet.version import __version__

NEEDED = ("numpy", "numba", "llvmlite", "rich")
CUPY = ("cupy-cuda13x", "cupy-cuda12x", "cupy")
# package, and the extra that brings it
EXTRAS = {"MPI": ("mpi4py", "mpi"), "plots": ("matplotlib", "plot"), "ASE": ("ase", "ase")}
GRAPHS = ("cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags", "cuGraphLaunch")
NVIDIA = Path("/proc/driver/nvidia/version")


def versions(names: tuple[str, ...] = (*NEEDED, *CUPY)) -> dict[str, str]:
    """The versions of those packages that are installed."""
    return {name: installed(name) for name in names if installed(name)}


def driver_version() -> str:
    """The version of NVIDIA's driver, '' if it cannot be told."""
    try:
        found = re.search(r"Kernel Module.*?\s(\d+\.[\d.]+)\s", NVIDIA.read_text())
    except OSError:
        return ""
    return found.group(1) if found else ""


def architecture() -> str:
    major, minor = gpu.architecture()
    return f"sm_{major}{minor}"


def device(space: Space) -> dict[str, Any]:
    """Facts about the processor of a space, for people and for result files."""
    if space.target != "cuda":
        return space.facts()
    card = space.gpu
    runtime = card.cupy.cuda.runtime
    cuda, (free, total) = runtime.driverGetVersion(), runtime.memGetInfo()
    return {"name": space.machine(), "architecture": architecture(),
            "multiprocessors": space.processors, "memory_gb": round(total / 1e9, 1),
            "free_gb": round(free / 1e9, 1), "driver": driver_version(), "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}",
            "compiler": f"nvrtc {nvrtc.version()}", "graphs": all(hasattr(card.driver, name) for name in GRAPHS)}


def _gpu_lines() -> list[str]:
    reason = gpu.why_not()
    if reason:
        remedy = INSTALL if "installed" in reason else "check nvidia-smi and CUDA_VISIBLE_DEVICES"
        return [f"GPU: not usable: {reason}\n  -> {remedy}"]
    try:
        facts = device(choose("cuda"))
    except EverletError as error:
        return [f"GPU: not usable: {error.cause}\n  -> {error.remedy}"]
    graphs = "yes" if facts["graphs"] else "no: the driver is too old, steps are launched one by one\n  -> update the driver"
    return [f"GPU: {facts['name']}, {facts['architecture']}, {facts['multiprocessors']} multiprocessors, "
            f"{facts['memory_gb']} GB of memory, {facts['free_gb']} free",
            f"GPU driver: {facts['driver'] or 'version unknown'}, up to CUDA {facts['cuda']}", f"GPU graphs: {graphs}"]


def _opencl_lines() -> list[str]:
    """What OpenCL finds, GPUs of any vendor and PoCL: not what --device auto takes."""
    try:
        told = opencl.lines()
    except Exception as error:  # pyopencl is not installed, or what it raises where there is no platform
        return [f"OpenCL: not usable: {opencl.why_not() or error}\n  -> {opencl.INSTALL}"]
    return [f"OpenCL: --device {line}" for line in told] or [f"OpenCL: no device\n  -> {opencl.INSTALL}"]


def _hip_lines() -> list[str]:
    """GPUs of AMD, and their compiler: not what --device auto takes."""
    reason = hip.why_not()
    if reason:
        remedy = hip.INSTALL if "installed" in reason else "check rocminfo and HIP_VISIBLE_DEVICES"
        return [f"HIP: not usable: {reason}\n  -> {remedy}"]
    try:
        told = hip.lines()
    except EverletError as error:
        return [f"HIP: {error.cause}\n  -> {error.remedy}"]
    return [*(f"HIP: --device {line}" for line in told), f"HIP compiler: HIPRTC {hiprtc.version()}"]


def _compiler_line() -> str:
    """The compiler for GPUs, and whether it works."""
    try:
        nvrtc.needed()
        Kernel(copy).program("cuda").load()
    except EverletError as error:
        return f"GPU compiler: {error.cause}\n  -> {error.remedy}"
    return f"GPU compiler: NVRTC {nvrtc.version()} makes kernels for {architecture()}"


def report() -> str:
    """Lines for `everlet info`."""
    lines = [f"Everlet {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"]
    lines += [f"  {name} {installed(name) or f'is missing{chr(10)}  -> pip install {name}'}" for name in NEEDED]
    lanes = ", ".join(f"{lane_width('cpu', kind)} lanes in {kind}" for kind in ("double", "single"))
    lines += [f"CPU: {HOST.machine()}, {lanes}", *_gpu_lines(), _compiler_line(), *_opencl_lines(), *_hip_lines()]
    arrays = [f"{name} {version}" for name, version in versions(CUPY).items()]
    lines.append(f"GPU arrays (CuPy): {', '.join(arrays) or f'missing{chr(10)}  -> {INSTALL}'}")
    for what, (package, extra) in EXTRAS.items():
        missing = f"{package} is missing\n  -> pip install 'everlet[{extra}]'"
        lines.append(f"{what}: {f'{package} {installed(package)}' if installed(package) else missing}")
    lines.append(INSTALLED.report())
    lines.append(f"--device auto takes {'the GPU' if not gpu.why_not() else 'the CPU'}")
    return "\n".join(lines)
