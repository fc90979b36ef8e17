"""With a model, most contradictions that strangers wrote are found: the pairs that it is shown are
the right ones, and what it quotes is proven. A local server answers for it, by the labels."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bench.conversations import STRANGERS_KEPT, Pair, conversations
from clawgit.agents.conflict_detector import propose
from clawgit.agents.contract import Snapshot
from clawgit.core.config.settings import Settings
from clawgit.memory.rules.conflict_log import Conflict, conflicts
from tests.agents.llm.conftest import Minds
from tests.agents.llm.service import Reply, Service

_TALKS = 8
_SHOWN = re.compile(r"\[(\d+)\] pair: A: \[\] (.*) B: \[\] (.*)")


def _raised(pairs: Sequence[Pair], minds: Minds, service: Service) -> list[Conflict]:
    """What is raised in one memory that holds both sides of all these pairs."""
    labelled = {frozenset((pair.one, pair.other)) for pair in pairs if pair.contradict}

    def judged(_: Mapping[str, Any]) -> dict[str, Any]:
        asked = str(service.requests[-1]["messages"][-1]["content"])
        shown = ((int(row[1]), row[2], row[3]) for row in _SHOWN.finditer(asked))
        found = [
            {"number": number, "words": words}
            for number, a, b in shown
            if frozenset((a, b)) in labelled
            for words in (a, b)
        ]
        return {"chosen": found}

    service.replies = [Reply(judged)]
    sides = dict.fromkeys(side for pair in pairs for side in (pair.one, pair.other))
    files = {"MEMORY.md": "".join(f"- {' '.join(side.split())}\n" for side in sides)}
    now, model = datetime(2026, 2, 14, tzinfo=UTC), "openai:gpt-5"
    mind = minds(model, cap=10_000_000, **service.env)
    done = propose(Snapshot(now, Settings(), files, run="r1", mind=mind))
    edits = (edit for step in done.steps for edit in step.edits)
    return [each for edit in edits for each in conflicts(edit.after or "")]


def test_most_of_what_strangers_wrote_is_found(minds: Minds, service: Service) -> None:
    wanted, found = 0, 0
    for talk in conversations(STRANGERS_KEPT)[:_TALKS]:
        labelled = {frozenset((pair.one, pair.other)) for pair in talk.pairs if pair.contradict}
        raised = _raised(talk.pairs, minds, service)
        by_model = {frozenset((one.a.text, one.b.text)) for one in raised if "model" in one.rule}
        assert by_model <= labelled
        every = {frozenset((one.a.text, one.b.text)) for one in raised}
        wanted, found = wanted + len(labelled), found + len(every & labelled)
    assert wanted > 15
    assert found / wanted >= 0.5
