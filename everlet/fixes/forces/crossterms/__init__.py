"""Cross terms of two dihedral angles: maps and loops of fix cmap."""
