"""Neighbours of atoms. Bins, half and full lists (`rows.py`: their memory and how bins fill it; `lists.py`: with ghosts, made
anew in time), rebuild decision; `block_loops.py`: how CPUs build rows, bin by bin; `exclusions.py`: pairs that lists leave
out; `sorting.py`: atoms in the order of bins; `ahead.py`: how far loops read ahead in rows; `follower.py`: lists of a box
that kernels change, inside of graphs; `turns.py`: cells of atoms that act one after the other. surroundings.py: full lists
on demand, with ghosts of their own and any cutoff, on the device that has the atoms: for computes; a run does not notice
them. `of_the_run`: its own rows, while they are those of the present positions, if they will do (rdf).
"""
