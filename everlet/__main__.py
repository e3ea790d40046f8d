"""python -m everlet is the command everlet."""

import sys

from everlet.cli import main

if __name__ == "__main__":
    sys.exit(main())
