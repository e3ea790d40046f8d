"""What ASE is told of Everlet's files (entry points `ase.ioformats`). ASE imports this whenever it is imported itself: so it
lies beside the package everlet, which takes longer to import, and does not import it."""

from ase.utils.plugins import ExternalIOFormat

# known by its first bytes, whatever it is called: .restart is somebody else's
restart = ExternalIOFormat(desc="restart file of Everlet", code="1S", module="everlet.ase.formats",
                           magic_regex=rb'PK\x03\x04.{26}header\.json\{"magic": "everlet')
