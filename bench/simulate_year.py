"""A year of an agent's life in minutes: `make simulate-year`. People talk, correct, contradict
themselves and edit by hand, all agents work in random order on random days, and at the end nothing
may be lost.
"""

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import NamedTuple

from bench.lab import open_lab
from bench.simulated_acts import ACTS, answer, insist
from bench.simulated_life import TABOO, Matter, matters, statements
from bench.simulated_world import NOTEBOOK, World, environment, is_logged, knows_as_wrong, names
from clawgit.agents import AGENTS
from clawgit.core.markdown.entry import Entry, entries, holds_entries
from clawgit.core.markdown.tag_table import visible
from clawgit.core.tokens import estimate_tokens
from clawgit.front.setup import init
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.health.doctor import doctor
from clawgit.health.memory_index import index
from clawgit.history.changes import restore
from clawgit.memory.remember import NewFact, remember
from clawgit.memory.rules.confidence import confidence
from clawgit.memory.rules.conflict_log import conflicts
from clawgit.search.search import Hit, Request, Searcher
from clawgit.talk.rules.corrections import CORRECTIONS, corrections
from clawgit.workspace.workspace import Caller, Workspace

BEGIN = datetime(2026, 1, 1, 7, 0, tzinfo=UTC)
YEAR = 365
_ACTS_A_DAY = 8
_MONTH = 30
_SHOWN = 60
_RESTORED = 5
_QUOTE = re.compile(r"\s*- [^:“”]+: “[^“”]+” #correction\s*\Z")
"""The operator's own sentence under an entry of the subject, which may leave the subject out."""

_LOG_ITEM = re.compile(r"- (?:Correct|Operator said): ")
"""A section of the log may name its subject in another line than what is right."""


class Standing(NamedTuple):
    """How things stand on a day: the notebook's size, what is in it and how sure that is, and what
    has gathered."""

    day: str
    characters: int
    entries: int
    confidence: float
    soul: int
    corrections: int
    archived: int
    conflicts: int
    open: int
    notes: int
    chronicles: int
    commits: int


class Lost(NamedTuple):
    """A correction that did not last, and how that shows."""

    subject: str
    words: str


class Year(NamedTuple):
    """The result of the simulation: `wrong` is empty if everything is as it should be."""

    days: int
    standings: tuple[Standing, ...]
    told: int
    corrected: int
    unheard: int
    forgotten: int
    relapses: int
    commits: Mapping[str, int]
    seconds: float
    wrong: tuple[str, ...]


def simulate(
    root: Path, env: Mapping[str, str], days: int, seed: int, acts_a_day: int = _ACTS_A_DAY
) -> Year:
    """Lives so many days in a new workspace at `root`; a standing is taken each month and at the
    end."""
    begun = perf_counter()
    world = _born(root, env, seed)
    standings: list[Standing] = []
    try:
        for day in range(1, days + 1):
            world.live_a_day(ACTS, acts_a_day)
            if day % _MONTH == 0 or day == days:
                standings.append(standing(world))
        unheard = _run_twice(world)
        forgotten = tuple(_forgotten(world))
        others = (
            *_outgrown(world),
            *_poisoned(world),
            *_gone_for_good(world),
            *_lost_lines(world),
            *_groundless(world),
            *_garbled(world),
            *_ill(world),
        )
    finally:
        world.workspace.close()
    return Year(
        days=days,
        standings=tuple(standings),
        told=world.told,
        corrected=len(world.corrected),
        unheard=unheard,
        forgotten=len({lost.subject for lost in forgotten}),
        relapses=world.relapses,
        commits=world.commits,
        seconds=perf_counter() - begun,
        wrong=(*world.wrong, *others, *(f"{lost.subject}: {lost.words}" for lost in forgotten)),
    )


def standing(world: World) -> Standing:
    text = world.text(NOTEBOOK)
    settings, found = world.workspace.config.settings, entries(text)
    sure = [confidence(entry.meta, settings, world.today) for entry in found]
    archived = sum(
        len(corrections(world.text(path))) for path in _paths(world, "Archive/Corrections/*.md")
    )
    found_conflicts = conflicts(world.text("CONFLICTS.md"))
    return Standing(
        day=world.today.isoformat(),
        characters=len(text),
        entries=len(found),
        confidence=mean(sure) if sure else 0.0,
        soul=estimate_tokens(world.text("SOUL.md")),
        corrections=len(corrections(world.text(CORRECTIONS))),
        archived=archived,
        conflicts=len(found_conflicts),
        open=sum(one.open for one in found_conflicts),
        notes=len(_paths(world, "memory/*.md")),
        chronicles=len(_paths(world, "Archive/Chronicles/*.md")),
        commits=int(world.git("rev-list", "--count", "HEAD")),
    )


def _born(root: Path, env: Mapping[str, str], seed: int) -> World:
    caller = Caller(OPERATOR, env, BEGIN, Path(env["HOME"]))
    init(root, caller, openclaw_rules=False, hooks=False)
    dice = random.Random(seed)
    return World(Workspace(find_repo(root), caller), dice, BEGIN, matters(dice))


def _run_twice(world: World) -> int:
    """Runs all agents, then the operator; returns how often he has to type what they missed."""
    for name in AGENTS:
        world.run(name, again=True)
    answer(world, settles=False, dismisses=True)
    return insist(world)


def _outgrown(world: World) -> Iterator[str]:
    for path, (first, most) in world.outgrown.items():
        yield f"{path} was too long from {first} on: {most:,} characters or tokens"


def _poisoned(world: World) -> Iterator[str]:
    soul = world.text("SOUL.md").casefold()
    yield from (f"SOUL.md says: {words}" for words in TABOO if words in soul)


def _gone_for_good(world: World) -> Iterator[str]:
    """A note that was told again in a chronicle, and that `restore` does not bring back."""
    gone = {where.partition(" on ")[0] for where in world.seen.values()} - set(
        _paths(world, "memory/**/*.md")
    )
    for path in sorted(path for path in gone if path.startswith("memory/"))[-_RESTORED:]:
        if not restore(world.at().dry(), path).changed:
            yield f"{path} does not come back"


def _lost_lines(world: World) -> Iterator[str]:
    """Each line that ever stood in a file, and that no commit holds."""
    world.workspace.git.snapshot(world.now)
    kept = set(_history(world))
    for line, where in world.seen.items():
        if line and line not in kept:
            yield f"no commit holds a line of {where}: {line}"


def _history(world: World) -> Iterator[str]:
    """All lines of all files of all commits that HEAD has behind it."""
    shown = world.git(
        "log", "--format=", "--unified=0", "--no-renames", "-p", "--no-color", "--text", "HEAD"
    )
    return (line[1:].strip() for line in shown.split("\n") if line.startswith("+"))


def _groundless(world: World) -> Iterator[str]:
    """What agents wrote without evidence."""
    for row in world.git(
        "log", "--format=%h%x09%ae%x09%(trailers:key=Evidence,valueonly,separator=%x20)"
    ).splitlines():
        commit, author, evidence = row.split("\t")
        if author.partition("@")[0] in AGENTS and not evidence.strip():
            yield f"{commit} of {author} has no evidence"
    for path in _paths(world, "*.md") + _paths(world, "memory/**/*.md"):
        if holds_entries(path):
            yield from (
                f"{path}: no evidence: {entry.text}"
                for entry in entries(world.text(path))
                if _is_bare(entry)
            )


def _garbled(world: World) -> Iterator[str]:
    """An entry that gives a known subject a value that nobody ever gave it."""
    given = {matter.subject: (matter.kind, matter.value, *matter.old) for matter in world.known}
    for path in _paths(world, "*.md") + _paths(world, "memory/**/*.md"):
        found = statements(world.text(path)) if holds_entries(path) else ()
        for kind, subject, value in found:
            told, *values = given.get(subject, (kind, value))
            if told == kind and value not in values:
                yield f"{path} gives the {subject} a value that it never had: {value}"


def _is_bare(entry: Entry) -> bool:
    return bool(entry.meta and entry.meta.src and not entry.meta.evidence)


def _forgotten(world: World) -> Iterator[Lost]:
    """Each correction that is not in the log, that lets the agent write the old value which it
    names, or that a search does not show first, by words alone or with vectors.
    """
    for matter in world.corrected:
        if not is_logged(world, matter):
            yield Lost(matter.subject, f"not in the log: {matter.statement}")
        old = matter.stated(matter.old[0])
        done = remember(world.at(by_agent=True).dry(), NewFact(old, evidence=("chat:end",)))
        if done.action != "ignored" and knows_as_wrong(world, matter, old):
            yield Lost(matter.subject, f"the agent may write again: {old}")
    index(world.at())
    for mode in ("core", "enhanced"):
        caller = world.at().caller
        asked = Workspace(
            world.workspace.place, caller._replace(env=environment(caller.env, search_mode=mode))
        )
        with Searcher(asked) as searcher:
            yield from (
                lost for matter in world.corrected for lost in _misled(world, searcher, matter)
            )


def _misled(world: World, searcher: Searcher, matter: Matter) -> Iterator[Lost]:
    answer = searcher.answer(Request(matter.question, min_score=0.0))
    hits = ((hit.path, _item(world, hit)) for hit in answer.results)
    path, first = next(hits, ("", "nothing"))
    if not names(first, matter.value) or not (
        matter.subject in first or _LOG_ITEM.match(first) or _QUOTE.match(first)
    ):
        said = (
            f"{matter.question} {matter.value}, but the {answer.mode} search finds first, in "
            f"{path}: {first}"
        )
        yield Lost(matter.subject, said)


def _item(world: World, hit: Hit) -> str:
    """What a reader sees of the item that was found."""
    lines = world.text(hit.path).splitlines()[hit.line - 1 : hit.lastLine]
    return visible(" ".join(lines))


def _ill(world: World) -> Iterator[str]:
    for check in doctor(world.root, world.at().caller).checks:
        if not check.ok:
            yield f"doctor: {check.name}: {check.detail}"


def _paths(world: World, pattern: str) -> list[str]:
    return sorted(str(file.relative_to(world.root)) for file in world.root.glob(pattern))


def table(year: Year) -> str:
    names = [name.replace("characters", "MEMORY.md") for name in Standing._fields]
    cells = [names, *([_cell(value) for value in one] for one in year.standings)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rows = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in cells
    ]
    by = ", ".join(f"{name} {number}" for name, number in sorted(year.commits.items()))
    return "\n".join(
        [
            *rows, "",
            (f"{year.days} days, {year.told:,} messages, {year.relapses} relapses of the agent, "
            f"{year.seconds:.0f} s"),
            f"corrections kept: {year.corrected - year.forgotten} of {year.corrected}",
            f"typed by the operator at the end, for they were not heard: {year.unheard}",
            f"commits of agents: {by}",
            f"wrong: {len(year.wrong)}", *year.wrong[:_SHOWN],
        ]
    )  # fmt: skip


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.simulate_year", description="Simulate an agent's life."
    )
    parser.add_argument("--days", type=int, default=YEAR)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-year-") as folder:
        lab = open_lab(Path(folder))
        year = simulate(lab.root / "ws", environment(lab.env), asked.days, asked.seed)
    print(table(year))
    return 1 if year.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
