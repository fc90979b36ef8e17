"""The name of the file that holds the settings."""

import os

from clawgit.domain.workspace.layout import CONFIG, OTHER_CONFIG


def config_name(root: str | os.PathLike[str] = ".") -> str:
    """The file that holds the settings: it has the second name only if the first was taken.

    A hook runs at the top of the work tree.
    """
    return OTHER_CONFIG if os.path.isfile(os.path.join(root, OTHER_CONFIG)) else CONFIG  # noqa: PTH113, PTH118 - pathlib takes 5 ms
