"""Free energies: what a change of coefficients, charges or the box costs, and coefficients that follow variables."""
