"""The name of the file that holds the settings."""

from pathlib import Path

from clawgit.domain.workspace.layout import CONFIG, OTHER_CONFIG


def config_name(root: Path) -> str:
    """The file that holds the settings: it has the second name only if the first was taken."""
    return OTHER_CONFIG if (root / OTHER_CONFIG).is_file() else CONFIG
