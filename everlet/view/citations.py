"""Whom to cite for the styles that a run has used."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

# kind of style, pattern of its name, what to cite
PAPERS: tuple[tuple[str, str, str], ...] = (
    ("pair", "eam*", "Daw, Baskes, Phys. Rev. B 29, 6443 (1984), doi:10.1103/PhysRevB.29.6443"),
    ("pair", "meam*", "Baskes, Phys. Rev. B 46, 2727 (1992), doi:10.1103/PhysRevB.46.2727"),
    ("pair", "sw*", "Stillinger, Weber, Phys. Rev. B 31, 5262 (1985), doi:10.1103/PhysRevB.31.5262"),
    ("pair", "tersoff*", "Tersoff, Phys. Rev. B 37, 6991 (1988), doi:10.1103/PhysRevB.37.6991"),
    ("pair", "snap", "Thompson et al., J. Comput. Phys. 285, 316 (2015), doi:10.1016/j.jcp.2014.12.018"),
    ("pair", "pace*", "Drautz, Phys. Rev. B 99, 014104 (2019), doi:10.1103/PhysRevB.99.014104"),
    ("pair", "pace*", "Lysogorskiy et al., npj Comput. Mater. 7, 97 (2021), doi:10.1038/s41524-021-00559-9"),
    ("pair", "uf3", "Xie, Rupp, Hennig, npj Comput. Mater. 9, 162 (2023), doi:10.1038/s41524-023-01092-7"),
    ("pair", "reaxff*", "van Duin, Dasgupta, Lorant, Goddard, J. Phys. Chem. A 105, 9396 (2001), doi:10.1021/jp004368u"),
    ("pair", "reaxff*", "Chenoweth, van Duin, Goddard, J. Phys. Chem. A 112, 1040 (2008), doi:10.1021/jp709896w"),
    ("pair", "lj/charmm*", "MacKerell et al., J. Phys. Chem. B 102, 3586 (1998), doi:10.1021/jp973084f"),
    ("pair", "lj/class2*", "Sun, J. Phys. Chem. B 102, 7338 (1998), doi:10.1021/jp980939v"),
    ("pair", "*coul/dsf*", "Fennell, Gezelter, J. Chem. Phys. 124, 234104 (2006), doi:10.1063/1.2206581"),
    ("pair", "*coul/wolf*", "Wolf, Keblinski, Phillpot, Eggebrecht, J. Chem. Phys. 110, 8254 (1999), doi:10.1063/1.478738"),
    ("pair", "dpd*", "Groot, Warren, J. Chem. Phys. 107, 4423 (1997), doi:10.1063/1.474784"),
    ("pair", "vashishta*", "Vashishta, Kalia, Rino, Ebbsjö, Phys. Rev. B 41, 12197 (1990), doi:10.1103/PhysRevB.41.12197"),
    ("pair", "airebo*", "Stuart, Tutein, Harrison, J. Chem. Phys. 112, 6472 (2000), doi:10.1063/1.481208"),
    ("pair", "gayberne*", "Gay, Berne, J. Chem. Phys. 74, 3316 (1981), doi:10.1063/1.441483"),
    ("pair", "resquared", "Everaers, Ejtehadi, Phys. Rev. E 67, 041710 (2003), doi:10.1103/PhysRevE.67.041710"),
    ("bond", "fene*", "Kremer, Grest, J. Chem. Phys. 92, 5057 (1990), doi:10.1063/1.458541"),
    ("kspace", "ewald*", "Ewald, Ann. Phys. 369, 253 (1921), doi:10.1002/andp.19213690304"),
    ("kspace", "pppm*", "Hockney, Eastwood, Computer Simulation Using Particles, Adam Hilger (1988)"),
    ("fix", "n[vph][tph]*", "Martyna, Tobias, Klein, J. Chem. Phys. 101, 4177 (1994), doi:10.1063/1.467468"),
    ("fix", "np[th]*", "Shinoda, Shiga, Mikami, Phys. Rev. B 69, 134103 (2004), doi:10.1103/PhysRevB.69.134103"),
    ("fix", "langevin", "Schneider, Stoll, Phys. Rev. B 17, 1302 (1978), doi:10.1103/PhysRevB.17.1302"),
    ("fix", "gjf", "Grønbech-Jensen, Farago, Mol. Phys. 111, 983 (2013), doi:10.1080/00268976.2012.760055"),
    ("fix", "temp/cs[vl]*", "Bussi, Donadio, Parrinello, J. Chem. Phys. 126, 014101 (2007), doi:10.1063/1.2408420"),
    ("fix", "*/berendsen", "Berendsen et al., J. Chem. Phys. 81, 3684 (1984), doi:10.1063/1.448118"),
    ("fix", "shake", "Ryckaert, Ciccotti, Berendsen, J. Comput. Phys. 23, 327 (1977), doi:10.1016/0021-9991(77)90098-5"),
    ("fix", "rattle", "Andersen, J. Comput. Phys. 52, 24 (1983), doi:10.1016/0021-9991(83)90014-1"),
    ("fix", "qeq/*", "Rappé, Goddard, J. Phys. Chem. 95, 3358 (1991), doi:10.1021/j100161a070"),
    ("fix", "qeq/reaxff", "Aktulga, Fogarty, Pandit, Grama, Parallel Comput. 38, 245 (2012), doi:10.1016/j.parco.2011.08.005"),
    ("fix", "thermal/conductivity", "Müller-Plathe, J. Chem. Phys. 106, 6082 (1997), doi:10.1063/1.473271"),
    ("fix", "viscosity", "Müller-Plathe, Phys. Rev. E 59, 4894 (1999), doi:10.1103/PhysRevE.59.4894"),
    ("fix", "neb", "Henkelman, Jónsson, J. Chem. Phys. 113, 9978 (2000), doi:10.1063/1.1323224"),
    ("compute", "centro/atom", "Kelchner, Plimpton, Hamilton, Phys. Rev. B 58, 11085 (1998), doi:10.1103/PhysRevB.58.11085"),
    ("compute", "cna/atom", "Faken, Jónsson, Comput. Mater. Sci. 2, 279 (1994), doi:10.1016/0927-0256(94)90109-0"),
)


def cited(styles: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """What each paper is cited for (pair_style eam), and the paper."""
    for kind, pattern, paper in PAPERS:
        names = [name for name in dict.fromkeys(styles.get(kind, [])) if fnmatchcase(name, pattern)]
        if names:
            yield f"{kind}{'_style' if kind in ('pair', 'bond', 'kspace') else ''} {', '.join(names)}", paper
