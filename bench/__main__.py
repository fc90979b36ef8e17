"""`python -m bench NAME [--quick] [--json]`: compares ours with references that run in turn with
it.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import (
    agents,
    chat,
    context,
    fleet,
    hooks,
    large,
    load,
    merging,
    page,
    poison,
    power,
    promotion,
    race,
    ranking,
    report,
    search,
    secret_vendors,
    secrets,
    soul,
    sync,
    transaction,
    triage,
)
from bench.lab import Lab, open_lab
from bench.race import Race, Row

BENCHMARKS: dict[str, Callable[[Lab, bool], Iterator[Race]]] = {
    "transaction": transaction.races,
    "soul": soul.races,
    "hooks": hooks.races,
    "merging": merging.races,
    "heartbeat": triage.races,
    "chat": chat.races,
    "search": search.races,
    "context": context.races,
    "sync": sync.races,
}
"""The benchmarks that measure time. Each yields its races, in a lab; small ones on request."""

FIGURES: dict[str, Callable[[], str]] = {
    "agents": agents.report,
    "fleet": fleet.report,
    "load": load.report,
    "page": page.report,
    "poison": poison.report,
    "promotion": promotion.report,
    "ranking": ranking.report,
    "search-memory": search.memory,
    "secrets": secrets.report,
    "secret-vendors": secret_vendors.report,
    "triage": triage.report,
}
"""The benchmarks that count, mostly on labelled data, with the same result on every machine."""


def main(arguments: list[str] | None = None) -> None:
    asked = _parser().parse_args(arguments)
    if asked.name == "large":
        print(large.report(asked.files, asked.items))
        return
    if asked.name == "power":
        names = tuple(asked.writers.split(","))
        text, bad = power.report(asked.filesystem, asked.cuts, names, asked.seed, asked.keep)
        print(text)
        sys.exit(1 if bad else 0)
    if asked.name in FIGURES:
        print(FIGURES[asked.name]())
        return
    found = measure(
        asked.name, quick=asked.quick, progress=lambda what: print(f"… {what}", file=sys.stderr)
    )
    print(json.dumps(report.as_json(found), indent=2) if asked.json else report.table(found))


def measure(name: str, *, quick: bool, progress: Callable[[str], object]) -> report.Report:
    """Runs one benchmark in a temporary folder, which TMPDIR can put on the disk that matters."""
    before, rows = report.load(), list[Row]()
    with tempfile.TemporaryDirectory(prefix="clawgit-bench-") as folder:
        for one in BENCHMARKS[name](open_lab(Path(folder)), quick):
            progress(one.what)
            rows += race.run(one)
    return report.Report(name, quick, report.machine(), (before, report.load()), rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure clawgit beside git, in turn."
    )
    parser.add_argument(
        "name", choices=[*BENCHMARKS, *FIGURES, "large", "power"], help="what to measure"
    )
    parser.add_argument("--quick", action="store_true", help="only try whether everything runs")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--files", type=int, default=large.FILES, help="of `large`")
    parser.add_argument("--items", type=int, default=large.ITEMS, help="of `large`")
    parser.add_argument("--cuts", type=int, default=60, help="of `power`")
    parser.add_argument("--filesystem", choices=[*power.DISKS], default="ext4", help="of `power`")
    parser.add_argument("--writers", default=",".join(power.ALL), help="of `power`")
    parser.add_argument("--seed", type=int, default=1, help="of `power`")
    parser.add_argument("--keep", type=Path, help="of `power`: a folder for the images of bad cuts")
    return parser


if __name__ == "__main__":
    main()
