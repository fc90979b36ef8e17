"""Finds what this installation is made of: how its program is started, and the files that ship
beside the code (the templates of a workspace and the git hook shims).
"""

import sys
from pathlib import Path
from typing import Literal

from clawgit.core.errors import NotFoundError

_PACKAGE = Path(__file__).parents[1]


def own_program(*arguments: str) -> tuple[str, ...]:
    """How this clawgit is started in a process of its own, in whatever folder, with arguments.

    Without `-P`, or with a PYTHONPATH that leads there, Python would take modules from the current
    folder first: a `json.py` in a workspace would be run.
    """
    return (sys.executable, "-EP", "-m", "clawgit", *arguments)


def resource(kind: Literal["templates", "hooks"]) -> Path:
    """The folder of that kind, in a wheel, an sdist and an editable install alike. Read from it,
    never write.
    """
    shipped = _PACKAGE / "_files" / kind
    if shipped.is_dir():
        return shipped
    source_tree = _PACKAGE.parent
    # Next to an installed package is site-packages, where a folder of that name is not ours.
    if (source_tree / "pyproject.toml").is_file() and (source_tree / kind).is_dir():
        return source_tree / kind
    raise NotFoundError(
        f"This installation of clawgit has no {kind} folder: it is neither at {shipped} nor in a "
        "source tree.",
        hint="The package is incomplete. Install it again: pip install --force-reinstall clawgit",
    )
