"""What the real agents do with messages, sentences and pairs that strangers labelled.

It uses nothing but what every version of the agents offers, so that an older checkout can be
measured by the same file: `PYTHONPATH=OLD python bench/outcomes.py SET`.
"""

import argparse
import importlib.util
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.agents import AGENTS
from clawgit.agents.contract import Call, ChangeSet, Snapshot
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import Entry, entries, holds_entries
from clawgit.talk.rules.chat import Message, told
from clawgit.talk.rules.corrections import CORRECTIONS, corrections
from clawgit.talk.rules.triage import surest, triage

NOW = datetime(2026, 3, 18, 12, 0, tzinfo=UTC)
"""A Wednesday. The items name no day on which they were said."""

SPEAKER = "Marta"
LISTENS = importlib.util.find_spec("clawgit.language.judges") is not None
"""Whether the validator gets every message, not only those for which a pattern calls it."""

PUT_RIGHT, QUOTED, ASKED, NOTED = "put right", "quoted", "asked", "noted"
ROUTED, LEFT = "routed", "left"
HEARD = (PUT_RIGHT, QUOTED, ASKED, NOTED)

_COVERED = 0.7
_CLAW = re.compile(r"<!--.*?-->", re.DOTALL)
_TAGS = re.compile(r"(?<!\S)#[a-z]+\b")
_BRACKET = re.compile(r"\s*\((?:said )?\d{4}-\d{2}-\d{2}\)\s*$")
_QUOTATION = re.compile(r"^[^:“”]{0,60}: “(.*)”$", re.DOTALL)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_HEADINGS = " › "
_BULLET = re.compile(r"^\s*[-+*]\s+")


class Share(NamedTuple):
    """So many of so many, with its 95 % interval (Wilson)."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        return self.hits / self.total if self.total else float("nan")

    def __str__(self) -> str:
        if not self.total:
            return "none"
        z, n, share = 1.96, self.total, self.hits / self.total
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return (
            f"{share:.3f} ({max(middle - half, 0):.3f} to {min(middle + half, 1):.3f}, "
            f"{self.hits} of {n})"
        )


class Outcome(NamedTuple):
    """What became of one message: the kind, the entries and the files after it, and why it was
    left."""

    kind: str
    after: tuple[Entry, ...]
    why: str
    files: Mapping[str, str] = {}


# Corrections


def outcome(row: Mapping[str, Any]) -> Outcome:
    """The Recall Validator's answer to a message above a MEMORY.md of these lines."""
    talk = [*_turns(row["before"]), ("user", row["text"])]
    messages = tuple(_message(row["id"], talk, number) for number in range(len(talk)))
    found = tuple(trigger for trigger in triage(row["text"]) if trigger.route == "recall-validator")
    files = {"MEMORY.md": _notebook(row["memory"]), "USER.md": f"# User\n\n- **Name:** {SPEAKER}\n"}
    if not found and not LISTENS:
        return Outcome(LEFT, entries(files["MEMORY.md"]), "not called")
    call = Call(messages[-1], found, messages[:-1], surest(found))
    change = AGENTS["recall-validator"].propose(_snapshot(files, calls=(call,)))
    after = _after(files, change)
    held = tuple(
        entry for path, text in after.items() if holds_entries(path) for entry in entries(text)
    )
    why = "; ".join(skipped.why for skipped in change.skipped)
    return Outcome(_kind(after), held, why, after)


def is_right(row: Mapping[str, Any], entry: str) -> bool:
    """Whether an entry reads as its line with the one value exchanged."""
    wanted = row["memory"][row["entry"]].replace(row["old"], row["new"], 1)
    return plain(wanted) == plain(entry)


def _kind(after: Mapping[str, str]) -> str:
    logged = corrections(after.get(CORRECTIONS, ""))
    if not logged:
        return LEFT
    kinds = {"open": ASKED, "routed": ROUTED, "quoted": QUOTED}
    # What stands for itself puts no entry right.
    return kinds.get(logged[-1].status, PUT_RIGHT if logged[-1].was else NOTED)


def corrected(rows: Sequence[Mapping[str, Any]]) -> dict[str, Share]:
    """The figures over messages that correct something, and over those that do not."""
    count: Counter[str] = Counter()
    for row in rows:
        result = outcome(row)
        corrects = row["act"] == "corrects"
        count["corrects" if corrects else "plain"] += 1
        if corrects:
            count["heard"] += result.kind in HEARD
            count[f"heard {row['lang']}"] += result.kind in HEARD
            count[f"corrects {row['lang']}"] += 1
        elif row["act"] == "chats":
            count["chats"] += 1
            count["false"] += result.kind in HEARD
            count["false write"] += result.kind == PUT_RIGHT
            count["false quote"] += result.kind == QUOTED
        plain = row["old"] is not None
        count["one value"] += plain
        if result.kind != PUT_RIGHT:
            continue
        count["put right"] += 1
        # Content: the one entry reads as it should, and no other has changed.
        good = plain and corrects and _only_changed(row, result)
        count["put right well"] += good
    found = {
        "corrections found": Share(count["heard"], count["corrects"]),
        "corrected, of the plain ones": Share(count["put right well"], count["one value"]),
        "wrong or partial, of those corrected": Share(
            count["put right"] - count["put right well"], count["put right"]
        ),
        "false calls on twins and chats": Share(count["false"], count["chats"]),
        "false writes on twins and chats": Share(count["false write"], count["chats"]),
        "false quotes on twins and chats": Share(count["false quote"], count["chats"]),
    }
    languages = sorted({row["lang"] for row in rows})
    found |= {
        f"found, {code}": Share(count[f"heard {code}"], count[f"corrects {code}"])
        for code in languages
    }
    return found


def _only_changed(row: Mapping[str, Any], result: Outcome) -> bool:
    """Whether each other line of memory stands as it did, and the one that is meant reads right."""
    lines = [plain(words_of(entry)) for entry in result.after]
    others = [line for number, line in enumerate(row["memory"]) if number != row["entry"]]
    return all(plain(line) in lines for line in others) and any(
        is_right(row, words_of(entry)) for entry in result.after
    )


def false_calls(rows: Sequence[Mapping[str, Any]], what: str) -> dict[str, Share]:
    """Messages that correct nothing, each against a filled memory."""
    kinds = Counter(outcome(row).kind for row in rows)
    total = len(rows)
    return {
        f"false calls on {what}": Share(sum(kinds[kind] for kind in HEARD), total),
        f"false quotes on {what}": Share(kinds[QUOTED], total),
        f"false writes on {what}": Share(kinds[PUT_RIGHT], total),
    }


# Memories


def mined(rows: Sequence[Mapping[str, Any]]) -> dict[str, Share]:
    """What the Memory Miner keeps of messages, against the spans that are worth it."""
    count: Counter[str] = Counter()
    for row in rows:
        talk = [
            *_turns([["assistant", row["before"]]] if row["before"] else []),
            (row["role"], row["text"]),
        ]
        messages = tuple(_message(row["id"], talk, number) for number in range(len(talk)))
        files = {"USER.md": f"# User\n\n- **Name:** {SPEAKER}\n"}
        after = _after(files, AGENTS["memory-miner"].propose(_snapshot(files, messages=messages)))
        held = [
            entry for path, text in after.items() if holds_entries(path) for entry in entries(text)
        ]
        left = list(row["keep"])
        count["wanted"] += len(left)
        count[f"wanted {row['lang']}"] += len(left)
        for entry in held:
            words = words_of(entry)
            count["kept"] += 1
            count["unsaid"] += not any(_is_said(words, text) for _, text in talk)
            hits = [gold for gold in left if _same(words, gold[0])]
            count["right"] += bool(hits)
            count["hit"] += len(hits)
            count[f"hit {row['lang']}"] += len(hits)
            count["tagged"] += sum(entry.primary == gold[1] for gold in hits)
            left = [gold for gold in left if gold not in hits]
    languages = sorted({row["lang"] for row in rows})
    return {
        "memories, precision": Share(count["right"], count["kept"]),
        "memories, recall": Share(count["hit"], count["wanted"]),
        "memories, tag": Share(count["tagged"], count["hit"]),
        "lines written with words that nobody said": Share(count["unsaid"], count["kept"]),
        **{
            f"recall, {code}": Share(count[f"hit {code}"], count[f"wanted {code}"])
            for code in languages
        },
    }


def words_of(entry: Entry) -> str:
    """What was said, without what the program puts around it: comment, tag, speaker, day in
    brackets."""
    text = " ".join(_TAGS.sub("", _CLAW.sub("", entry.text)).split())
    return _quoted(_BRACKET.sub("", text))


def _is_said(words: str, text: str) -> bool:
    """Whether a line is a piece of the text, or a piece under a heading or lead that is a piece of
    it, too."""
    if _is_piece(words, text):
        return True
    cuts = [at for at in range(len(words)) if words.startswith(": ", at)]
    under = ((words[:at].split(_HEADINGS), _quoted(words[at + 2 :])) for at in cuts)
    return any(all(_is_piece(one, text) for one in (*titles, rest)) for titles, rest in under)


def _quoted(words: str) -> str:
    found = _QUOTATION.match(words)
    return found[1] if found else words


def _is_piece(words: str, text: str) -> bool:
    return _squeezed(words) in _squeezed(text)


def _same(kept: str, gold: str) -> bool:
    """Whether a kept line holds a labelled statement: most of its words, in whatever cut."""
    wanted, there = _grams(gold), _grams(kept)
    return bool(wanted) and len(wanted & there) >= _COVERED * len(wanted)


def _grams(text: str) -> set[str]:
    """The words; pairs of characters where a script has no spaces, for there a space between is
    chance."""
    plain = _squeezed(text)
    if _UNSPACED.search(plain):
        plain = plain.replace(" ", "")
        return {plain[at : at + 2] for at in range(len(plain) - 1)}
    words = set(re.findall(r"[^\W_]{2,}", plain))
    return words or {plain[at : at + 2] for at in range(len(plain) - 1)}


# Contradictions


def judged(rows: Sequence[Mapping[str, Any]]) -> dict[str, Share]:
    """What the Conflict Detector flags or settles of two entries of the same file."""
    count: Counter[str] = Counter()
    for row in rows:
        lines = ["# Memory", ""]
        for number, side in enumerate("ab"):
            day = (NOW - timedelta(days=3 - 2 * number)).date()
            facts = (
                f"<!-- claw:m{side * 5} conf=0.95 n=1 first={day} last={day} src=explicit "
                f"ev=chat:main/{side} -->"
            )
            if row[f"under_{side}"]:
                lines += [f"## {row[f'under_{side}']}", ""]
            lines += [f"- {' '.join(_BULLET.sub('', row[side]).split())} {facts}", ""]
        files = {"MEMORY.md": "\n".join(lines), "USER.md": f"# User\n\n- **Name:** {SPEAKER}\n"}
        after = _after(files, AGENTS["conflict-detector"].propose(_snapshot(files)))
        raised = any(line.startswith("## ") for line in after.get("CONFLICTS.md", "").splitlines())
        real = row["rel"] == "contradict"
        count["raised"] += raised
        count["real"] += real
        count["both"] += raised and real
    return {
        "contradictions, precision": Share(count["both"], count["raised"]),
        "contradictions, recall": Share(count["both"], count["real"]),
        "pairs that do not contradict, flagged": Share(
            count["raised"] - count["both"], len(rows) - count["real"]
        ),
    }


# The parts that all share


def _turns(before: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    return [(role, text) for role, text in before]


def _message(session: str, talk: Sequence[tuple[str, str]], number: int) -> Message:
    role, text = talk[number]
    return told(
        f"agent:main:{session}", role, text, NOW - timedelta(minutes=10 - number), str(number)
    )


def _notebook(lines: Iterable[str]) -> str:
    return "# Memory\n\n" + "".join(
        f"- {' '.join(_BULLET.sub('', line).split())}\n" for line in lines
    )


def _snapshot(files: Mapping[str, str], **seen: Any) -> Snapshot:
    return Snapshot(NOW, Settings(), files, run="bench", **seen)


def _after(files: Mapping[str, str], change: ChangeSet) -> dict[str, str]:
    edits = (edit for step in change.steps for edit in step.edits)
    return {**files, **{edit.path: edit.after or "" for edit in edits}}


def plain(text: str) -> str:
    text = " ".join(_TAGS.sub("", _CLAW.sub("", text)).split())
    return unicodedata.normalize("NFKC", text).casefold().rstrip(".。 ")


def _squeezed(text: str) -> str:
    """The text as one line, without marks of emphasis, which are no words."""
    return " ".join(re.sub(r"[*_`~>]+", "", text).split()).casefold()


# Sets and the report


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    path = folder / name
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def ordinary(folder: Path, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Ordinary messages, each with the memory of somebody who speaks the same language."""
    path = folder / "ordinary.tsv"
    memories: defaultdict[str, list[Any]] = defaultdict(list)
    for row in messages:
        if row["memory"] not in memories[row["lang"]]:
            memories[row["lang"]].append(row["memory"])
    found: list[dict[str, Any]] = []
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    for number, line in enumerate(lines):
        code, before, text = line.split("\t")
        choice = memories[code] or [memory for each in memories.values() for memory in each]
        memory = [fact for at in range(4) for fact in choice[(number * 7 + at * 13) % len(choice)]]
        turns = [["assistant", before]] if before else []
        found.append(
            {"id": f"o{number}", "lang": code, "memory": memory, "before": turns, "text": text}
        )
    return found


def elsewhere(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Corrections as answers in other talks, of which they say nothing: each names a word of the
    entry that it corrects, and none of what is said there.
    """
    talks: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in messages:
        if row["memory"] and row["before"] and row["before"][-1][0] == "assistant":
            talks[row["lang"]].append(row)
    found: list[Mapping[str, Any]] = []
    for number, row in enumerate(messages):
        there = talks[row["lang"]]
        if row["act"] == "corrects" and row["entry"] is not None and there:
            other = there[number * 7 % len(there)]
            said, around = _grams(row["text"]), (*other["memory"], other["before"][-1][1])
            if said & _grams(row["memory"][row["entry"]]) and not said & _grams(" ".join(around)):
                found.append({**row, "memory": other["memory"], "before": other["before"]})
    return found


def report(folders: Sequence[Path]) -> Iterator[str]:
    messages = [row for folder in folders for row in rows_of(folder, "messages.jsonl")]
    plain = [row for folder in folders for row in ordinary(folder, messages)]
    tables = (
        corrected(messages),
        false_calls(plain, "ordinary messages"),
        false_calls(elsewhere(messages), "answers about another matter"),
        mined([row for folder in folders for row in rows_of(folder, "keep.jsonl")]),
        judged([row for folder in folders for row in rows_of(folder, "pairs.jsonl")]),
    )
    for table in tables:
        for name, share in table.items():
            yield f"{name:45}{share}"
        yield ""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.outcomes", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        help="a folder with messages.jsonl, keep.jsonl, pairs.jsonl",
    )
    for line in report(parser.parse_args().folders):
        print(line)


if __name__ == "__main__":
    main()
