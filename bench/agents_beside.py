"""The figures of the agents over kept folders, today's engine beside an older one on the same data
in one run: `python -m bench.agents_beside [--old CHECKOUT] [FOLDER…]`, or `make bench-agents
OLD=CHECKOUT`.

The same bench/outcomes.py runs in both: it uses nothing but what every version of the agents
offers.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "data" / "judges-kept"
_NAME = 45
"""Characters of a row's name in the report of bench/outcomes.py."""

Table = Mapping[str, str]


class NoFiguresError(Exception):
    """The figures cannot be measured in this checkout."""


def folders(root: Path = KEPT) -> list[Path]:
    """The kept sets, a folder a writer. What may be learned from is no figure."""
    return sorted(path for path in root.glob("*/*") if path.is_dir())


def figures(checkout: Path, sets: Sequence[Path]) -> Table:
    """What bench/outcomes.py of this checkout prints for the agents of another checkout."""
    own = checkout / ".venv" / "bin" / "python"
    python = str(own) if own.is_file() else sys.executable
    # -P: bench/ holds modules that would hide some of Python's own.
    command = [python, "-P", str(ROOT / "bench" / "outcomes.py"), *map(str, sets)]
    env = {**os.environ, "PYTHONPATH": str(checkout)}
    ran = subprocess.run(
        command, cwd=checkout, env=env, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        last = ran.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise NoFiguresError(f"{checkout}: {last[0]}")
    return read(ran.stdout)


def read(report: str) -> Table:
    rows = (line for line in report.splitlines() if line.strip())
    return {line[:_NAME].strip(): line[_NAME:].strip() for line in rows}


def beside(new: Table, old: Table | None) -> Iterator[str]:
    """One table: each row once, in the order of today's."""
    if old is None:
        yield from (f"{name:{_NAME}}{value}" for name, value in new.items())
        return
    width = max([len(value) for value in old.values()] + [len("older")]) + 3
    yield f"{'':{_NAME}}{'older':{width}}today"
    for name in dict.fromkeys([*new, *old]):
        yield f"{name:{_NAME}}{old.get(name, '–'):{width}}{new.get(name, '–')}"


def judges(sets: Sequence[Path]) -> None:
    """Prints how good the judges alone are on the same folders."""
    print(flush=True)
    subprocess.run(
        [sys.executable, "-m", "models.training.judges", *map(str, sets)], cwd=ROOT, check=True
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.agents_beside", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        help="sets to measure; else all below tests/data/judges-kept",
    )
    parser.add_argument(
        "--old", type=Path, help="an older checkout, to be measured on the same data"
    )
    parser.add_argument(
        "--no-judges", action="store_true", help="leave out what the judges alone are worth"
    )
    asked = parser.parse_args(arguments)
    sets = [path.absolute() for path in asked.folders] or folders()
    if not sets:
        print(f"There are no sets below {KEPT}; name folders.", file=sys.stderr)
        return 1
    try:
        old = figures(asked.old.absolute(), sets) if asked.old else None
        print("\n".join(beside(figures(ROOT, sets), old)))
    except NoFiguresError as error:
        print(error, file=sys.stderr)
        return 1
    if not asked.no_judges:
        judges(sets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
