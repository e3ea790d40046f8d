"""Fourier transforms of real numbers on a mesh: pocketfft through SciPy on CPUs, cuFFT through CuPy on NVIDIA's GPUs; devices
without a library of their own send meshes to the host and back.

    transform = RealTransform(space, (nx, ny, nz), batch=3)
    transform.forward(mesh, spectrum)               # sums of mesh e^{-2 pi i …}, nz // 2 + 1 numbers along z
    transform.backward(spectrum, mesh, batch)       # the opposite without a factor; may overwrite the spectrum

Views are flat: complex numbers are pairs, meshes of a batch follow each other. Plans are made once, so that transforms can be
part of a replayed sequence of launches.
"""

from __future__ import annotations

import math

import numpy as np

from everlet.portable.kernels import call
from everlet.portable.spaces import Space
from everlet.portable.views import View


class RealTransform:
    """Of a mesh in one space; backward of one mesh, or of `batch` at once."""

    def __init__(self, space: Space, mesh: tuple[int, int, int], batch: int = 1):
        self.space, self.mesh = space, mesh
        self.half = (mesh[0], mesh[1], mesh[2] // 2 + 1)
        self.points, self.vectors = math.prod(mesh), math.prod(self.half)
        self.plans = space.plans(mesh, {1, batch})
        self.outside = space.separate_memory and not self.plans  # by copies on the host, which no graph can have inside

    def forward(self, mesh: View, spectrum: View) -> None:
        call(self.space, self._forward, mesh, spectrum, outside=self.outside)

    def backward(self, spectrum: View, mesh: View, batch: int = 1) -> None:
        call(self.space, self._backward, spectrum, mesh, batch, outside=self.outside)

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
