"""Where the vectors of a model lie, and how many there are: told without loading numpy."""

import re
from hashlib import sha256
from pathlib import Path

KEY_LENGTH = 16
"""A row is known by this many bytes of its text's sha256."""


def kept(folder: Path, provider: str, model: str) -> int:
    """How many vectors of a model lie in a folder."""
    files = folder.glob(slug(provider, model, "*") + ".keys")
    # One less: the file begins with a mark of the same length.
    return max((file.stat().st_size // KEY_LENGTH - 1 for file in files), default=0)


def slug(provider: str, model: str, dimensions: int | str) -> str:
    """A file name that people can read; its hash keeps models with similar names apart."""
    name = re.sub(r"[^A-Za-z0-9.]+", "-", f"{provider}-{model}")[:60].strip("-.")
    return f"{name}-{dimensions}-{sha256(repr((provider, model)).encode()).hexdigest()[:8]}"
