"""The log of a bug in a hook."""

import os
from pathlib import Path

from clawgit.stores.bugs import keep_bug


def keep(error: Exception) -> str:
    """Writes the traceback where every bug of clawgit is logged, and returns the place."""
    return keep_bug(error, os.environ, Path.home())
