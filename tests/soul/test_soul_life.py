"""Many changes by three actors, corrections among them: explained, verified, and taken back in any
order."""

import random

import pytest

from clawgit.core.markdown.amend import Amendment
from clawgit.git.rules.actors import OPERATOR
from clawgit.history import proposals as soul_changes
from clawgit.soul.changelog import SAME, changelog, check
from clawgit.soul.soul import snapshots
from clawgit.soul.verify import verify
from tests.soulful import SOUL, Soulful, soulful

__all__ = ["soulful"]


def live(soulful: Soulful, changes: int) -> dict[str, str]:
    """One line more with each change; which change brought which."""
    brought: dict[str, str] = {}
    for number in range(changes):
        line = (
            f"- Lesson {number} of {('kindness', 'patience', 'order', 'tea')[number % 4]} "
            f"number {number * 7}."
        )
        if number % 4 == 0:
            done = soul_changes.edit(
                soulful.later(), Amendment(add=line, section="Core truths"), f"because {number}"
            )
        elif number % 4 == 1:
            done = soulful.write(
                "\n## Vibe", f"{line}\n\n## Vibe", evidence="memory/2026-02-13.md#L3"
            )
        elif number % 4 == 2:
            done = soulful.write(
                "\n## Bound",
                f"{line}\n\n## Bound",
                evidence=f"CORRECTIONS.md#p{number}",
                actor=OPERATOR,
            )
        else:
            text = soulful.text().rstrip("\n")
            soulful.git.write("SOUL.md", f"{text}\n{line}\n")
            brought[soulful.git.commit_all(f"plain {number}")[:10]] = line
            continue
        brought[str(done.id)] = line
    return brought


@pytest.mark.parametrize("changes", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_a_life_is_taken_back_line_by_line_in_any_order(soulful: Soulful, changes: int) -> None:
    soulful.set(soul_max_tokens="4000", soul_policy="evolve")
    brought = live(soulful, changes)
    assert len(changelog(soulful.space)) == changes + 1
    assert verify(soulful.space).ok
    order = random.Random(5).sample(sorted(brought), 8)
    for name in order:
        soul_changes.revert(soulful.later(), name)
        assert brought[name] not in soulful.text().splitlines()
    left = [line for name, line in brought.items() if name not in order]
    assert sorted(set(soulful.text().splitlines()) - set(SOUL.splitlines())) == sorted(left)
    found = check(soulful.space)
    assert (found.state, found.waiting) == (SAME, 0)
    assert len(changelog(soulful.space)) == changes + 9
    assert len(snapshots(soulful.space).snapshots) == changes + 8
    body = soulful.git("log", "-1", "--format=%(trailers:key=Clawgit-Op,valueonly)")
    assert body.strip() == "operator/revert"
    back = order[:3]
    for name in back:
        soul_changes.revert(
            soulful.later(),
            next(one.name for one in changelog(soulful.space) if name in one.evidence),
        )
    left += [brought[name] for name in back]
    assert sorted(soulful.text().splitlines()) == sorted([*SOUL.splitlines(), *left])
