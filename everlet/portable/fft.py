"""Fourier transforms of real numbers on a mesh: pocketfft through SciPy on CPUs, cuFFT through CuPy on NVIDIA's GPUs; kernels
(fft_kernels.py) on devices without a library of their own.

    transform = RealTransform(space, (nx, ny, nz), batch=3)
    transform.forward(mesh, spectrum)               # sums of mesh e^{-2 pi i …}, nz // 2 + 1 numbers along z
    transform.backward(spectrum, mesh, batch)       # the opposite without a factor; may overwrite the spectrum

Views are flat: complex numbers are pairs, meshes of a batch follow each other. Plans are made once, so that transforms can be
part of a replayed sequence of launches.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.portable import fft_kernels as loops
from everlet.portable.kernels import Kernel, call, parallel_team
from everlet.portable.spaces import Space
from everlet.portable.views import View


class RealTransform:
    """Of a mesh in one space; backward of one mesh, or of `batch` at once."""

    def __init__(self, space: Space, mesh: tuple[int, int, int], batch: int = 1):
        self.space, self.mesh = space, mesh
        self.half = (mesh[0], mesh[1], mesh[2] // 2 + 1)
        self.points, self.vectors = math.prod(mesh), math.prod(self.half)
        self.plans = space.plans(mesh, {1, batch})
        self.lines = {} if space.transforming else {n: Lines(space, n) for n in set(mesh)}

    def forward(self, mesh: View, spectrum: View) -> None:
        if not self.lines:
            call(self.space, self._forward, mesh, spectrum)
            return
        x, y, z = self.mesh
        self.lines[z].forward(mesh, spectrum, x * y)
        for n, inner in ((y, self.half[2]), (x, y * self.half[2])):
            self.lines[n].turn(spectrum, inner, self.vectors // n)

    def backward(self, spectrum: View, mesh: View, batch: int = 1) -> None:
        if not self.lines:
            call(self.space, self._backward, spectrum, mesh, batch)
            return
        x, y, z = self.mesh
        for n, inner in ((x, y * self.half[2]), (y, self.half[2])):
            self.lines[n].turn(spectrum, inner, batch * self.vectors // n, back=True)
        self.lines[z].backward(spectrum, mesh, batch * x * y)

    def _forward(self, mesh: View, spectrum: View) -> None:
        real = mesh.data[: self.points].reshape(self.mesh)
        if self.plans:
            out = spectrum.data[: 2 * self.vectors].view(np.complex128).reshape(1, *self.half)
            self.plans[0].fft(real.reshape(1, *self.mesh), out, -1)
            return
        fft, options = self.space.transforms()
        spectrum.data[: 2 * self.vectors] = fft.rfftn(real, **options).view(np.float64).ravel()

    def _backward(self, spectrum: View, mesh: View, batch: int) -> None:
        waves = spectrum.data[: 2 * batch * self.vectors].view(np.complex128).reshape(batch, *self.half)
        if self.plans:
            self.plans[batch].fft(waves, mesh.data[: batch * self.points].reshape(batch, *self.mesh), 1)
            return
        fft, options = self.space.transforms()
        mesh.data[: batch * self.points] = fft.irfftn(waves, self.mesh, (1, 2, 3), "forward", True, **options).ravel()


class AxisTransform:
    """Along an axis of n numbers, of arrays in one space. What is given may be overwritten; nothing has a factor."""

    def __init__(self, space: Space, n: int):
        self.space, self.n = space, n
        self.lines = None if space.transforming else Lines(space, n)

    def turn(self, array: Any, axis: int, back: bool = False) -> Any:
        """Complex numbers to complex numbers."""
        if self.lines is None:
            fft, options = self.space.transforms()
            return fft.ifft(array, axis=axis, norm="forward", **options) if back else fft.fft(array, axis=axis, **options)
        self.lines.turn(array.view(np.float64), math.prod(array.shape[axis + 1 :]), array.size // self.n, back)
        return array

    def forward(self, array: Any) -> Any:
        """Real numbers along the last axis to n // 2 + 1 complex ones."""
        if self.lines is None:
            fft, options = self.space.transforms()
            return fft.rfft(array, **options)
        lines, half = array.size // self.n, self.n // 2 + 1
        found = self.space.zeros(lines * half, np.complex128)
        self.lines.forward(array, found.view(np.float64), lines)
        return found.reshape(*array.shape[:-1], half)

    def backward(self, array: Any) -> Any:
        """The opposite."""
        if self.lines is None:
            fft, options = self.space.transforms()
            return fft.irfft(array, n=self.n, norm="forward", **options)
        lines = math.prod(array.shape[:-1])
        found = self.space.zeros(lines * self.n, np.float64)
        self.lines.backward(array.view(np.float64), found, lines)
        return found.reshape(*array.shape[:-1], self.n)


class Lines:
    """Transforms of lines of n numbers by kernels: one launch for all lines along an axis.

    width     lines that a team has at a time
    columns   members that are side by side in a line
    """

    def __init__(self, space: Space, n: int):
        self.space, self.n, self.large = space, n, n > loops.POINTS
        plan, turns = loops.tables(n)
        self.plan, self.turns = View(plan.size, np.int32, space), View(turns.size, np.float64, space)
        self.plan.put(plan)
        self.turns.put(turns)
        self.columns = min(loops.TEAM, 1 << (n - 1).bit_length())
        self.teams = 2 * space.processors
        self.room = View(self.teams * 4 * n * loops.NARROWEST, np.float64, space) if self.large else self.turns

    def turn(self, data: Any, inner: int, lines: int, back: bool = False) -> None:
        """Lines of complex numbers that are `inner` apart, in place."""
        if self.n > 1:
            self._launch(loops.COMPLEX, lines, (int(back), self.n, inner, lines), data)

    def forward(self, mesh: Any, spectrum: Any, lines: int) -> None:
        """Lines of real numbers, one behind the other."""
        self._launch(loops.REAL, -(-lines // 2), (self.n, lines), mesh, spectrum)

    def backward(self, spectrum: Any, mesh: Any, lines: int) -> None:
        self._launch(loops.BACK, -(-lines // 2), (self.n, lines), spectrum, mesh)

    def _launch(self, kernels: list[Kernel], items: int, shape: tuple[int, ...], *data: Any) -> None:
        """Items: lines of complex numbers, or pairs of real ones."""
        width = self._width(items)
        teams = min(-(-items // width), self.teams if self.large else items)
        columns = () if kernels is loops.COMPLEX else (self.columns,)
        parallel_team(self.space, teams, kernels[self.large], *shape, width, *columns, teams, self.plan, self.turns, *data,
                      self.room)

    def _width(self, items: int) -> int:
        """As many lines as a team has room for, fewer if processors would have nothing to do."""
        if self.large:
            return loops.NARROWEST
        width = loops.WIDEST
        while width * self.n > loops.POINTS or (width > loops.NARROWEST and items < width * self.space.processors):
            width //= 2
        return width
