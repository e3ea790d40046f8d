"""Words of scripts that name values: numbers, vectors, values of atoms, local values."""
