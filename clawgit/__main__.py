"""`python -m clawgit`."""

import sys

if not sys.flags.safe_path:
    # The folder we stand in, where somebody may have left a `json.py`. Our own modules are found
    # without it: their package is loaded.
    del sys.path[0]

from clawgit.quick.entry import main

main()
