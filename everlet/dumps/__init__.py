"""Dumps: the contract in base.py, one style per file; `one_file.py`, `binary.py`, `gromacs.py`: what dumps in one file share;
`picture/`: camera, loops and files of dump image.
"""
