"""Forces of bonds, angles, dihedrals and impropers. `bonds/ angles/ dihedrals/ impropers/`: one physics file per style;
`coordinates.py` (what energies are functions of), `base.py`, `links.py` (tables of links), `driver.py` (LinkTerm),
`loops.py`, `breaking.py` (bonds that break), `hybrid.py`.
"""
