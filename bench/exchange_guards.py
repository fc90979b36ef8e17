"""What each guard of an exchange contributes: `python -m bench.exchange_guards FOLDER…` turns them
off one at a time.

Each message is paired with the entry that it means, and a message without a correction with every
entry: the hardest test, since no search or judge has filtered the pairs.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from bench.judges_data import rows_of
from bench.outcomes import plain
from clawgit.domain.corrections import exchange as guarded
from clawgit.domain.corrections.exchange import Exchange, Unplain, exchange


def cases(folders: Sequence[Path]) -> Iterator[tuple[str, str, str, str]]:
    """A message, the turn before it, an entry, and what the entry is to say; "" where nothing is to
    be exchanged."""
    for row in (row for folder in folders for row in rows_of(folder / "messages.jsonl")):
        turns = [text for role, text in row["before"] if role == "assistant"]
        said = row["text"], turns[-1] if turns else ""
        if row["act"] != "corrects":
            yield from ((*said, entry, "") for entry in row["memory"])
        elif row["entry"] is not None:
            entry = row["memory"][row["entry"]]
            yield (
                *said,
                entry,
                plain(entry.replace(row["old"], row["new"], 1)) if row["old"] else "",
            )


def counted(all_cases: Sequence[tuple[str, str, str, str]]) -> Counter[str]:
    count: Counter[str] = Counter()
    for message, before, entry, wanted in all_cases:
        found = exchange(message, before, entry)
        if isinstance(found, Unplain):
            count[f"why {found.why.partition(' (')[0]}"] += 1
        else:
            count["well" if plain(found.applied(entry)) == wanted else "wrong"] += 1
    return count


def without(asleep: str, all_cases: Sequence[tuple[str, str, str, str]]) -> Counter[str]:
    """The same with one guard off.

    Where nothing can be exchanged without it, there is no exchange.
    """
    awake = guarded.must

    def lenient(is_plain: bool, why: str) -> None:
        if why.partition(" (")[0] != asleep:
            awake(is_plain, why)

    count: Counter[str] = Counter()
    with patch.object(guarded, "must", lenient):
        for message, before, entry, wanted in all_cases:
            try:
                found = exchange(message, before, entry)
            except (IndexError, ValueError):
                continue
            if isinstance(found, Exchange):
                count["well" if plain(found.applied(entry)) == wanted else "wrong"] += 1
    return count


def main(arguments: Sequence[str]) -> None:
    all_cases = [*cases([Path(one) for one in arguments])]
    base = counted(all_cases)
    sys.stdout.write(
        f"{'guard switched off':58}{'right':>6}{'wrong':>7}\n"
        f"{'none':58}{base['well']:6}{base['wrong']:7}\n"
    )
    for why in sorted(name.removeprefix("why ") for name in base if name.startswith("why ")):
        there = without(why, all_cases)
        sys.stdout.write(f"{why:58}{there['well']:6}{there['wrong']:7}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
