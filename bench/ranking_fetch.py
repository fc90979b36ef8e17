"""Lays out strangers' sets as workspaces with questions, outside of the repository: `python -m
bench.ranking_fetch OUT --beam DIR --precision DIR --locomo FILE`.

The folders are git directories, as `git clone --bare https://github.com/NAME` makes them:
mohammadtavakoli78/BEAM and tenurehq/precisionMemBench. LoCoMo is its JSON file. None of this may
be committed here, and no code of clawgit may know it. Each set is halved, BEAM by conversation and
PrecisionMemBench by question: OUT/dev is for choosing weights, OUT/kept (with `--kept`) for totals
alone, so that nobody reads it.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

_CHATS = "chats/100K"
_CONVERSATIONS = 20

Json = Any


class Question(NamedTuple):
    """A question with the lines that answer it; without any, nothing should be answered."""

    text: str
    category: str
    expect: tuple[tuple[str, int], ...]
    exact: bool = False


class Laid(NamedTuple):
    """A workspace: its files as lines, and its questions."""

    name: str
    files: Mapping[str, tuple[str, ...]]
    questions: tuple[Question, ...]


def write(laid: Laid, out: Path) -> None:
    root = out / laid.name
    for path, lines in laid.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("\n".join(lines) + "\n", "utf-8")
    rows = [
        json.dumps(
            {
                "query": one.text,
                "category": one.category,
                "exact": one.exact,
                "expect": [{"path": path, "line": line} for path, line in one.expect],
            }
        )
        for one in laid.questions
    ]
    (out / f"{laid.name}.queries.jsonl").write_text("\n".join(rows) + "\n", "utf-8")


def beam(git: Path, *, kept: bool) -> Iterator[Laid]:
    """Every second conversation, a message a line, as the transcript of a day."""
    for number in range(2 if kept else 1, _CONVERSATIONS + 1, 2):
        folder = f"{_CHATS}/{number}"
        # Where a conversation was cut to fit, the questions are about what is left of it.
        whole = _shown(git, f"{folder}/chat.json")
        batches = json.loads(_shown(git, f"{folder}/chat_trunecated.json") or whole)
        probing = _shown(git, f"{folder}/probing_questions/probing_questions.json")
        yield _conversation(f"beam-{number}", batches, json.loads(probing))


def _conversation(name: str, batches: Json, probing: Json) -> Laid:
    files: dict[str, list[str]] = {}
    where: dict[int, tuple[str, int]] = {}
    path = ""
    turns = (turn for batch in batches for turns in batch["turns"] for turn in turns)
    for turn in turns:
        if turn.get("time_anchor"):
            day = datetime.strptime(f"{turn['time_anchor']} +0000", "%B-%d-%Y %z").date()
            path = f"memory/{day}.md"
            files.setdefault(path, [f"# {day}", ""])
        files[path].append(f"- **{turn['role'].title()}:** {_on_one_line(turn['content'])}")
        where[turn["id"]] = path, len(files[path])
    questions = tuple(
        Question(row["question"], category, tuple(where[at] for at in sources if at in where))
        for category, rows in probing.items()
        for row in rows
        for sources in [sorted({*_numbers(row.get("source_chat_ids"))})]
        if sources or category == "abstention"
    )
    return Laid(name, {path: tuple(lines) for path, lines in files.items()}, questions)


def _on_one_line(text: str) -> str:
    return " ".join(re.sub(r"\s*->->\s*[\d,]+\s*$", "", text).split())


def _numbers(given: Json) -> Iterator[int]:
    """The message ids in a list, or in the lists of an object."""
    if isinstance(given, int):
        yield given
    elif isinstance(given, Mapping):
        yield from _numbers([*given.values()])
    elif isinstance(given, Iterable) and not isinstance(given, str):
        for one in given:
            yield from _numbers(one)


def precision(git: Path, *, kept: bool) -> Iterator[Laid]:
    """A workspace for each scope that is asked about, with the beliefs that may be found there.

    What is pinned, open, replaced or another user's is no business of a search, nor is how much
    the user knows of a matter: the set's own reader leaves it out. An answer is right if it is
    these entries, and no other one.
    """
    beliefs = json.loads(_shown(git, "fixtures/beliefs.seed.json"))
    cases = json.loads(_shown(git, "fixtures/retrieval.cases.json"))
    by_scope: dict[tuple[str, ...], list[Json]] = {}
    for case in cases[int(kept) :: 2]:
        wanted = case["expect"].get("relevantBeliefs", {})
        if "shouldOnlyInclude" in wanted and "userId" not in case and "budget" not in case:
            by_scope.setdefault(tuple(case["scope"]), []).append(case)
    for scope, asked in by_scope.items():
        lines = ["# Memory", ""]
        where = {}
        for one in beliefs:
            if _is_searched(one, scope):
                lines.append(f"- {_named(one)}: {one['content']}")
                where[one["_id"]] = "MEMORY.md", len(lines)
        questions = [
            Question(case["query"], case["category"], tuple(where[at] for at in wanted), True)
            for case in asked
            if (wanted := case["expect"]["relevantBeliefs"]["shouldOnlyInclude"]) is not None
            if case["query"].strip() and all(at in where for at in wanted)
        ]
        name = "-".join(("precision", *(part.replace(":", "-") for part in scope)))
        yield Laid(name, {"MEMORY.md": tuple(lines)}, tuple(questions))


def _is_searched(belief: Json, scope: tuple[str, ...]) -> bool:
    if belief["user_id"] != "test-user" or belief["pinned"] or belief["superseded_by"]:
        return False
    is_skill = belief.get("subtype") == "expertise"
    if is_skill or belief["type"] == "open_question" or belief["resolved_at"]:
        return False
    return not {*scope, "user:universal"}.isdisjoint(belief["scope"])


def _named(belief: Json) -> str:
    name = f"**{belief['canonical_name'].replace('_', ' ')}**"
    return f"{name} (aka {', '.join(belief['aliases'])})" if belief["aliases"] else name


def locomo(data: Path, out: Path) -> None:
    """By the script beside the data, which has no kept half: another group keeps that one."""
    script = data.parent / "locomo_bench.py"
    subprocess.run([sys.executable, script, "build", data, out], check=True)


def _shown(git: Path, path: str) -> str:
    """A file of the newest commit; "" if there is none."""
    done = subprocess.run(
        ["git", "-C", git, "show", f"HEAD:{path}"], capture_output=True, check=False
    )
    return done.stdout.decode("utf-8") if done.returncode == 0 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--beam", type=Path)
    parser.add_argument("--precision", type=Path)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--kept", action="store_true", help="the other half, for totals alone")
    given = parser.parse_args()
    half = given.out / ("kept" if given.kept else "dev")
    if given.locomo and not given.kept:
        (half / "locomo").mkdir(parents=True, exist_ok=True)
        locomo(given.locomo, half / "locomo")
    for name, git, lay in (("beam", given.beam, beam), ("precision", given.precision, precision)):
        if git:
            laid = list(lay(git, kept=given.kept))
            (half / name).mkdir(parents=True, exist_ok=True)
            for one in laid:
                write(one, half / name)
            sys.stdout.write(
                f"{name}: {len(laid)} folders, {sum(len(one.questions) for one in laid)} questions\n"
            )


if __name__ == "__main__":
    main()
