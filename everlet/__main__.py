"""python -m everlet is the command everlet."""

import sys

from everlet.cli import main

sys.exit(main())
