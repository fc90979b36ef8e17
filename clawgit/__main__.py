"""The command `clawgit`, and `python -m clawgit`."""

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # The folder we stand in, where somebody may have left a `json.py`. Our own modules are found
    # without it: their package is loaded.
    del sys.path[0]

from clawgit.core import surroundings

_INTERRUPTED = 130


def main() -> None:
    """Runs one command line and exits with its code."""
    try:
        surroundings.look_seldom()
        surroundings.put_in_order(os.environ)
        # Loaded here: most of a short command's time goes into loading, where Ctrl-C is no bug.
        from clawgit.front.cli.root import main as usual  # noqa: PLC0415 - what is put in order comes first

        usual()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
