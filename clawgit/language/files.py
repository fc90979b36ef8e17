"""The files of the languages, as text: some callers need only a line of one, and no parser."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "data"
LAST_RESORT = "en"
SHARED = "_common"


@cache
def file_of(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text("utf-8")


@cache
def codes() -> tuple[str, ...]:
    """The languages that have files, the last resort first."""
    names = (path.stem for path in FOLDER.glob("[!_]*.toml"))
    return tuple(sorted(names, key=lambda code: (code != LAST_RESORT, code)))
