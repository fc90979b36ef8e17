"""What the tests of the Soul Keeper share: an agent's files, its conversations, and days that
pass."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from clawgit.agents.contract import ChangeSet, Mind, Snapshot
from clawgit.agents.soul_keeper import marks_written, propose
from clawgit.core.config.settings import Settings
from clawgit.git.rules.history import PROPOSE
from clawgit.soul.rules.changelog import END, START, IdentityChange, render_markdown
from clawgit.soul.rules.growth import ORDERED, ORDERS, Sign
from clawgit.soul.rules.soul import section_changes
from clawgit.talk.rules.chat import Message, told
from clawgit.talk.rules.corrections import Correction, render
from tests.agents.applied import applied

DATES = "Please always write dates as year, month, day, in everything you make."
"""As plain an order as there is."""

NOW = datetime(2026, 2, 14, 2, 30, tzinfo=UTC)
SOUL = """\
# Soul

You begin every session blank.

## Core truths

- Be kind.
- Look before you ask.
- Own the mistake.
- Finish what you begin.

## Boundaries

- What is private stays private.
- Prefer what can be undone.

## Vibe

- Calm when it burns.

## Skills

Only what you have proven, one line each, with the day you proved it.
"""


_TOLD: dict[str, IdentityChange] = {}
"""Each change that `changelog` told, by what it told."""


def changelog(
    before: str, after: str, *evidence: str, actor: str = "soul-keeper", name: str = "kkkkkkkk"
) -> str:
    what = (("SOUL.md", section_changes(before, after)),)
    change = IdentityChange(name, NOW, actor, "a change", what, "because", evidence)
    text = f"{START}\n\n{render_markdown([change])}\n{END}\n"
    _TOLD[text] = change
    return text


def learned(
    *lines: str, evidence: str = "chat:main/9", actor: str = "soul-keeper"
) -> dict[str, str]:
    """A workspace whose soul holds these, and a changelog that tells where they come from."""
    soul = SOUL.replace("you begin.\n", "you begin.\n" + "".join(f"- {line}\n" for line in lines))
    return {"SOUL.md": soul, "CHANGELOG.md": changelog(SOUL, soul, evidence, actor=actor)}


def says(text: str, days_ago: float = 0.5, *, role: str = "user", session: str = "main") -> Message:
    time = NOW - timedelta(days=days_ago)
    return told(session, role, text, time, f"{role[0]}{time:%m%d%H%M%S}{len(text)}")


def answers(text: str, days_ago: float = 0.51, **fields: str) -> Message:
    return says(text, days_ago, role="assistant", **fields)


def corrections(*said: str, days_ago: float = 1, status: str = "confirmed", first: int = 1) -> str:
    made = (
        Correction(
            f"c{number}",
            NOW - timedelta(days=days_ago) + timedelta(minutes=number),
            correct=text,
            status=status,
        )
        for number, text in enumerate(said, first)
    )
    return "# CORRECTIONS.md\n\n" + "\n".join(map(render, made))


def sign(words: str, days_ago: float = 0.5, kind: str = ORDERED, *, sure: bool = True) -> Sign:
    """What was heard in a conversation, whatever a judge makes of it."""
    when = NOW - timedelta(days=days_ago)
    rule = words if kind in ORDERS else f"Marta: “{words}”"
    return Sign(kind, rule, when, f"chat:main/{when:%m%d%H%M%S}{len(words)}", words, words, sure)


def heard(*signs: Sign) -> dict[str, str]:
    """The marks of a run that has heard these."""
    return marks_written(signs)


class Day(NamedTuple):
    """A run and what it leaves."""

    made: ChangeSet
    files: dict[str, str]

    @property
    def soul(self) -> str:
        return self.files.get("SOUL.md", "")

    @property
    def summaries(self) -> list[str]:
        return [step.summary for step in self.made.steps]

    @property
    def asked(self) -> list[str]:
        """What waits for the operator."""
        return [step.summary for step in self.made.steps if step.verb == PROPOSE]

    @property
    def added(self) -> list[str]:
        """The lines of the soul that it did not begin with."""
        return [line for line in self.soul.splitlines() if line not in SOUL.splitlines()]

    def again(self, *messages: Message, days: float = 0, **fields: object) -> "Day":
        """The next run, so many days later."""
        return keep(
            self.files,
            *messages,
            now=NOW + timedelta(days=days),
            marks=self.made.marks,
            **fields,  # type: ignore[arg-type]
        )


def keep(
    files: dict[str, str] | str = SOUL, *messages: Message, now: datetime = NOW,
        marks: Mapping[str, str] | None = None,
    mind: Mind | None = None, **settings: object,
) -> Day:  # fmt: skip
    """One run of the Soul Keeper over a workspace, whose steps are applied as the frame applies
    them."""
    files = {"SOUL.md": files} if isinstance(files, str) else dict(files)
    chosen = Settings()._replace(**settings)  # type: ignore[arg-type]
    ordered = tuple(sorted(messages, key=lambda message: message.time))
    history = tuple(filter(None, [_TOLD.get(files.get("CHANGELOG.md", ""))]))
    snapshot = Snapshot(
        now, chosen, dict(files), "head", "run1", ordered, marks=dict(marks or {}), mind=mind
    )._replace(identity=lambda: history)
    made = propose(snapshot)
    assert made == propose(snapshot), "the same snapshot gives the same change set"
    landed = (
        step for step in made.steps if step.verb != PROPOSE and chosen.soul_policy == "evolve"
    )
    return Day(made, applied(files, made._replace(steps=tuple(landed))))
