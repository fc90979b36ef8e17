"""The Conflict Detector's first run on a memory of any size: seconds and memory, in a process of
its own."""

import argparse
import random
import resource
import time
from datetime import UTC, datetime

from clawgit.agents import AGENTS
from clawgit.agents.contract import Snapshot
from clawgit.config.settings import Settings

NOW = datetime(2026, 3, 18, 12, 0, tzinfo=UTC)
_SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ren",
    "sta",
    "tor",
    "vel",
    "nor",
    "ba",
    "sil",
    "dun",
    "pre",
    "ga",
    "hol",
    "tis",
    "mar",
)
_ATTRIBUTES = (
    "runs on port",
    "has a budget of",
    "begins at",
    "is handled by",
    "ships on",
    "keeps its files in",
)


def memory(count: int, seed: int = 17) -> dict[str, str]:
    """So many entries in files by subject, as people and agents write them; some repeat others."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(6000)]
    files: dict[str, str] = {}
    for number in range(0, count, 200):
        lines = [f"# {words[number % 6000].title()}", ""]
        for at in range(number, min(number + 200, count)):
            if at % 10 == 0:
                lines += ["", f"## {chance.choice(words).title()}", ""]
            subject = " ".join(chance.choices(words, k=2)).capitalize()
            value = chance.choice(
                (
                    f"{chance.randint(1, 90)}:30",
                    f"{chance.randint(100, 9000)} EUR",
                    chance.choice(words),
                )
            )
            rest = " ".join(chance.choices(words, k=chance.randint(3, 14)))
            facts = (
                f"<!-- claw:m{at:05} conf=0.95 n=1 first=2026-03-17 last=2026-03-17 "
                "src=explicit -->"
            )
            lines.append(f"- {subject} {chance.choice(_ATTRIBUTES)} {value} with {rest}. {facts}")
        files[f"memory/topic-{number // 200:04}.md"] = "\n".join(lines) + "\n"
    return files


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.conflict_run", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--entries", type=int, default=43_000)
    files = memory(parser.parse_args().entries)
    before, worked = time.perf_counter(), time.process_time()
    change = AGENTS["conflict-detector"].propose(Snapshot(NOW, Settings(), files, run="bench"))
    took, worked = time.perf_counter() - before, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    flagged = sum(len(step.proposed) for step in change.steps)
    print(f"{took:.1f} s ({worked:.1f} s of a core), {peak:.0f} MB, {flagged} flagged or settled")


if __name__ == "__main__":
    main()
