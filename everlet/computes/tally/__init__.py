"""What pairs between two groups of atoms add to energies, forces, stresses and the flow of heat."""
