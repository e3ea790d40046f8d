"""A model in the language of Everlet's own kernels, in one file: the same text runs on CPU threads and GPUs.

    everlet run examples/in.my_model --var model my_kernel_model.py:Compiled --trust examples/my_kernel_model.py

Lennard-Jones pairs, each atom's by itself. What the language can say: docs/portable.md.
"""

from everlet.portable import f64, i32, i64, parallel_for, portable


@portable
def pairs(i, start: i32[:], rij: f64[:, 3], energy: f64[:], slopes: f64[:, 3]):
    """Half of the energy of the pairs of atom i, and its slopes with the ways of these."""
    own = 0.0
    for e in range(i64(start[i]), i64(start[i + 1])):
        d2 = rij[e, 0] * rij[e, 0] + rij[e, 1] * rij[e, 1] + rij[e, 2] * rij[e, 2]
        i6 = 1.0 / (d2 * d2 * d2)
        own += 2.0 * (i6 * i6 - i6)
        slope = (12.0 - 24.0 * i6) * i6 / d2
        for k in range(3):
            slopes[e, k] = slope * rij[e, k]
    energy[i] = own


class Compiled:
    cutoff, species, units = 2.5, ["Ar"], "lj"

    def forces(self, b):
        energy, slopes = b.room("energy", b.n), b.room("slopes", len(b), 3)
        parallel_for(b.space, b.n, pairs, b.view("start"), b.view("rij"), energy, slopes)
        return energy, slopes
