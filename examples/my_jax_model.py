"""An embedded-atom model in JAX, in one file: compiled once for each size of the padded arrays, slopes by jax.grad.

    everlet run examples/in.my_model --var model my_jax_model.py:Embedded --trust examples/my_jax_model.py

E_i = sum_j phi(r) - depth sqrt(sum_j rho(r)): a pair repulsion, and an energy of the density around an atom.
"""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


class Embedded:
    cutoff, species, units, padded = 2.5, ["Ar"], "lj", True

    def __init__(self, depth=4.0):
        self.depth = depth
        self.call = jax.jit(jax.value_and_grad(self.energies, argnums=2, has_aux=True), static_argnums=0)

    def energies(self, rows, i, rij):
        r = jnp.sqrt((rij**2).sum(axis=1))
        end = jnp.maximum(1.0 - (r / self.cutoff) ** 2, 0.0) ** 3  # nothing is left at the cutoff, nor of edges that are none
        phi, rho = end * jnp.exp(-6.0 * (r - 1.1)), end * jnp.exp(-3.0 * (r - 1.1))
        repulsion, density = (jnp.zeros(rows).at[i].add(one) for one in (phi, rho))
        energy = repulsion - self.depth * (jnp.sqrt(density + 0.01) - 0.1)
        return energy.sum(), energy

    def forces(self, b):
        b = b.jax()
        (_, energy), slopes = self.call(b.rows, b.i, b.rij)
        return energy, slopes
