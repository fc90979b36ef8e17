"""Tables of the data that are split at tabs or at empty lines: to read one takes a tenth of what a
parser of TOML takes.
"""

from collections.abc import Iterator


def rows_of(name: str) -> Iterator[list[str]]:
    """The rows of a table, without its comments."""
    rows = _text(f"{name}.tsv").splitlines()
    yield from (row.split("\t") for row in rows if not row.startswith("#"))


def blocks_of(name: str) -> Iterator[list[str]]:
    """The lines of each block of a file, without its comments."""
    blocks = _text(f"{name}.txt").rstrip("\n").split("\n\n")
    yield from (block.split("\n") for block in blocks if not block.startswith("#"))


def _text(name: str) -> str:
    folder = __file__.rpartition("/")[0]
    with open(f"{folder}/data/{name}", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes 5 ms to load
        return file.read()
