"""Where the vectors of a model are stored, and how many there are, without loading numpy."""

import hashlib
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from clawgit.doors import secrets

KEY_LENGTH = 16
"""A row is identified by this many bytes of its text's sha256."""


_UNFINISHED = "unfinished"


def kept(folder: Path, provider: str, model: str) -> int:
    """How many vectors of a model are in a folder."""
    files = folder.glob(slug(provider, model, "*") + ".keys")
    # One less: the file begins with a mark of the same length.
    return max((file.stat().st_size // KEY_LENGTH - 1 for file in files), default=0)


def is_unfinished(folder: Path) -> bool:
    """Whether a search left texts without a vector; the runner's next round embeds them."""
    return (folder / _UNFINISHED).exists()


def mark_unfinished(folder: Path, *, unfinished: bool = True) -> None:
    if unfinished:
        # It is a hint for the runner: a full disk must not end the search that leaves it.
        with suppress(OSError):
            (folder / _UNFINISHED).touch()
    else:
        (folder / _UNFINISHED).unlink(missing_ok=True)


def drop(folder: Path, keys: Collection[bytes]) -> int:
    """Deletes the vectors of these texts from each model's files; returns how many.

    Nobody else may write meanwhile. A crash may lose the cache of a model, but never mixes vectors
    up.
    """
    return sum(_drop(file, keys) for file in sorted(folder.glob("*.keys")))


def _drop(names: Path, keys: Collection[bytes]) -> int:
    vectors, rows = names.with_suffix(".f32"), names.with_suffix(".rows")
    data = names.read_bytes()[KEY_LENGTH:]
    known = [data[at : at + KEY_LENGTH] for at in range(0, len(data), KEY_LENGTH)]
    kept = [row for row, key in enumerate(known) if key not in keys]
    if len(kept) == len(known):
        return 0
    content = vectors.read_bytes()
    width = len(content) // len(known)
    names.unlink()
    rows.unlink(missing_ok=True)
    vectors.write_bytes(b"".join(content[row * width : (row + 1) * width] for row in kept))
    # A new mark, so that no process takes these for rows that it knows.
    fresh = names.with_suffix(".new")
    fresh.write_bytes(secrets.token_bytes(KEY_LENGTH) + b"".join(known[row] for row in kept))
    fresh.replace(names)
    return len(known) - len(kept)


def slug(provider: str, model: str, dimensions: int | str) -> str:
    """A file name that people can read; its hash keeps models with similar names apart."""
    name = re.sub(r"[^A-Za-z0-9.]+", "-", f"{provider}-{model}")[:60].strip("-.")
    return f"{name}-{dimensions}-{hashlib.sha256(repr((provider, model)).encode()).hexdigest()[:8]}"
