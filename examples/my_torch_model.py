"""A network of torch as a potential, in one file: slopes come from torch's own gradients, on whatever device the run is.

    everlet run examples/in.my_model --var model my_torch_model.py:Network --trust examples/my_torch_model.py

E_i = sum_j w(r) net(r), fitted to pairs of Lennard-Jones atoms when it is made, in seconds; a large one would load weights.
"""

import torch


class Network:
    cutoff, species, units, padded = 2.5, ["Ar"], "lj", True

    def __init__(self, width=16):
        torch.manual_seed(1)
        self.net = torch.nn.Sequential(torch.nn.Linear(3, width), torch.nn.Tanh(), torch.nn.Linear(width, 1)).double()
        d2 = torch.linspace(0.85, 2.5, 200, dtype=torch.float64) ** 2
        wanted = 2.0 * (d2**-6 - d2**-3)
        fit = torch.optim.LBFGS(self.net.parameters(), max_iter=200, line_search_fn="strong_wolfe")

        def miss():
            fit.zero_grad()
            loss = (((self.pairs(d2) - wanted) / (1.0 + wanted.abs())) ** 2).mean()
            loss.backward()
            return loss

        fit.step(miss)
        self.net.requires_grad_(False)

    def pairs(self, d2):
        end = torch.clamp(1.0 - d2 / self.cutoff**2, min=0.0) ** 2  # nothing is left at the cutoff
        return end * self.net(torch.stack([d2**-0.5, d2**-3, d2**-6], dim=1))[:, 0]

    def forces(self, b):
        b = b.torch()
        self.net.to(b.rij.device)
        r = b.rij.clone().requires_grad_(True)
        e = self.pairs((r * r).sum(1))
        energy = torch.zeros(b.rows, dtype=e.dtype, device=e.device).index_add(0, b.i, e.detach())
        return energy, torch.autograd.grad(e.sum(), r)[0]
