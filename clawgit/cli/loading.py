"""What is imported only where it is needed."""

import importlib
from typing import Any


def load(where: str) -> Any:
    """Imports and returns `module:name` below `clawgit.cli`.

    A module elsewhere is given in full: `clawgit.ops.workspace.shared:remember_shared`.
    """
    module, _, name = where.partition(":")
    whole = module if module.startswith("clawgit.") else f"clawgit.cli.{module}"
    return getattr(importlib.import_module(whole), name)
