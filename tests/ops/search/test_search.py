"""`memory search` from question to hits: on real files, in both tiers, now and in the past."""

import gc
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.config.settings import BUILT_IN
from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.forgetting.record import Forgotten
from clawgit.domain.safety.secrets import fingerprint
from clawgit.domain.search.postings import COMMON, weight
from clawgit.domain.search.ranking_weights import MAY_ANSWER
from clawgit.domain.workspace import limits
from clawgit.errors import UsageError
from clawgit.ops.change.past_lines import lines
from clawgit.ops.search import hit_text
from clawgit.ops.search.answer import noted
from clawgit.ops.search.memory_index import index
from clawgit.ops.search.search import WARM, Hit, Request, SearchAnswer, Searcher, hold_of, search
from clawgit.ops.workspace import workspace_base
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.resources import resource
from clawgit.stores import plainfile
from clawgit.stores.chroma.failures import ChromaFillingError
from clawgit.stores.git.forgetting.forgotten import forgotten_in
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.index import reading
from clawgit.stores.reranker import Reranker
from tests.conftest import NOW, Git
from tests.leaky import KEYS
from tests.stores.embed.service import Fault, serving

_MEMORY = """# Memory

## Decisions

- Billing uses PostgreSQL, not MySQL. #decision <!-- claw:m7k2q9 conf=0.95 n=2 first=2026-02-01 last=2026-02-10 -->
- The public API is REST; GraphQL was turned down. #decision

## People

- Ana leads the Harbor project and prefers short mails.
"""
_DAY = """# 2026-02-13

## 10:30 - staging

- The certificate of the staging host runs out in March.
- **Ana:** When does the dashboard ship?
- **Bob:** It ships on 3 March.
"""

Ask = Callable[..., SearchAnswer]


def _workspace(git: Git, **env: str) -> Workspace:
    place = repo_at(git.root)
    assert place is not None
    return Workspace(place, Caller(OPERATOR, {**os.environ, **env}, NOW, Path(os.environ["HOME"])))


@pytest.fixture
def memory(git: Git) -> Git:
    git.write("MEMORY.md", _MEMORY)
    git.write("memory/2026-02-13.md", _DAY)
    git.write("SOUL.md", "# Soul\n\n- Never delete files without asking.\n")
    git.write("CONFIG.md", "# Settings\n\nThe certificate of nobody.\n")
    git.commit_all("start")
    return git


@pytest.fixture(params=["core", "enhanced"])
def ask(request: pytest.FixtureRequest, memory: Git) -> Ask:
    def asked(query: str, **more: object) -> SearchAnswer:
        return search(_workspace(memory, CLAWGIT_SEARCH_MODE=request.param), Request(query, **more))  # type: ignore[arg-type]

    return asked


def _first(answer: SearchAnswer) -> Hit:
    return answer.results[0]


def _lines_of(hit: Hit) -> list[int]:
    return [hit.line, *(other.startLine for other in hit.more)]


def test_the_line_that_answers_comes_first_with_its_place(ask: Ask) -> None:
    hit = _first(ask("Which database does billing use, PostgreSQL?"))
    assert (hit.path, hit.line, hit.entryId, hit.source, hit.tier) == (
        "MEMORY.md",
        5,
        "m7k2q9",
        "memory",
        "T1",
    )
    assert hit.citation == f"MEMORY.md#L{hit.startLine}-L{hit.endLine}"


def test_metadata_is_neither_shown_nor_found(ask: Ask) -> None:
    assert "claw:" not in _first(ask("PostgreSQL billing")).snippet
    assert not any(hit.likely for hit in ask("m7k2q9").results)


def test_a_hit_read_back_holds_its_snippet(ask: Ask, memory: Git) -> None:
    for query in ("certificate staging", "GraphQL", "Ana Harbor", "when does the dashboard ship"):
        for hit in ask(query).results:
            read = lines(
                _workspace(memory), hit.path, hit.startLine, hit.endLine - hit.startLine + 1
            )["text"]
            assert all(line in read for line in hit.snippet.split("\n"))


def test_an_answer_stands_with_its_question(ask: Ask) -> None:
    assert "3 March" in _first(ask("when does the dashboard ship")).snippet


def test_words_alone_find_what_is_said_in_other_words(memory: Git) -> None:
    memory.write("memory/life.md", "- The physician said to rest.\n- The stove broke.\n")
    searched = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    answer = search(searched, Request("what did my doctor say about resting"))
    assert answer.results[0].snippet == "The physician said to rest."
    assert answer.missing == ()


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("Zahnarzttermin am Montag um neun.", "wann muss ich zum Zahnarzt"),
        ("Am Montag zum Zahnarzt.", "wann war der Zahnarzttermin"),
        ("Die Besprechungen dauern zu lange.", "was war mit der Besprechung"),
        ("昨日、壁を塗る人が来た。", "壁はいつ塗ったの"),
        ("医生说要多喝水。", "医生说了什么"),
    ],
)
def test_a_word_is_found_in_another_form_or_in_a_word_made_with_it(
    memory: Git, line: str, query: str
) -> None:
    other = "Brot, Papel, 电车, 電車.\n" * 3
    memory.write("memory/life.md", f"- {line}\n- {other}")
    searched = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    assert search(searched, Request(query)).results[0].snippet == line


def test_a_slip_is_repaired_and_a_word_of_the_list_is_no_slip(memory: Git) -> None:
    memory.write(
        "memory/home.md",
        "- The bicycle has a cardamom smell.\n- The marathi class is on.\n- Едем в Красноярск.\n"
        "- Kessemeier comes on Monday.\n- The warehouse is full.\n"
        "- Security first.\n- Two subagents.\n",
    )
    searched = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    found = (
        *("bycicle", "cardamon", "Красноярк", "Kesemeier", "Kessemeyer", "wharehouse"),
        *("secuirty", "securty", "subagnts"),
    )
    for query, is_found in (*((word, True) for word in found), ("marathon", False)):
        paths = [hit.path for hit in search(searched, Request(query)).results]
        assert ("memory/home.md" in paths) == is_found, query


def test_a_word_that_a_source_has_in_each_line_is_found_in_it(ask: Ask, memory: Git) -> None:
    """However often other sources have it, or the line itself in another form."""
    memory.write("memory/archive/old.md", "- We buy a router: the old one was bought in 2013.\n")
    memory.write("memory/net.md", "- The router.\n- Our router.\n- No router.\n")
    for word in ("router", "buy"):
        hit = _first(ask(word, source="archive"))
        assert (hit.path, hit.likely) == ("memory/archive/old.md", True)


def test_a_word_weighs_the_less_the_more_items_have_it() -> None:
    weights = [weight("router", frequency, 3) for frequency in (0, 1, 2, 3, 4)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_words_without_spaces_that_nothing_has_are_named_whole(memory: Git) -> None:
    memory.write("MEMORY.md", "# メモ\n\n- 駅まで歩いた。\n\n- レストランを予約した。\n")
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    asked = "図書館とレストランのクレジットカード、kayak"
    assert search(ws, Request(asked)).missing == ("図書館", "クレジットカード", "kayak")


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("does the zebra use PostgreSQL?", ("zebra",)),
        ("which project does Ana lead?", ()),
        ("does the zebra use Postgresqul?", ("zebra",)),  # a slip is looked for as what it means
        ("wer ist der Besitzer vom Zebra?", ("Besitzer", "Zebra")),  # no grammar
        ("CONTEXT_WINDOW.md or glm_5?", ("CONTEXT_WINDOW.md", "glm_5")),  # things are named whole
        ("who is ana@getZebra.example?", ("ana@getZebra.example",)),
        ("Елка в репрайсере", ("Елка", "в", "репрайсере")),
        ("क्या हिन्दी है", ("क्या", "हिन्दी", "है")),
        ("Zoë paid 42,000 for a crème", ("Zoë", "paid", "42,000", "crème")),
        ("42'000 kayakを買う", ("42'000", "kayak", "買う")),
        ("x" * 3000, (f"{'x' * 59}…",)),
        ("斑马的骑手", ("斑马",)),  # a pair of signs that is in no list may be no word
    ],
)
def test_words_that_nothing_has_are_named(ask: Ask, query: str, missing: tuple[str, ...]) -> None:
    assert ask(query).missing == missing


def test_an_edit_that_is_not_committed_is_found(ask: Ask, memory: Git) -> None:
    memory.write("memory/2026-02-14.md", "# 2026-02-14\n\n- The zeppelin landed.\n")
    assert _first(ask("zeppelin")).path == "memory/2026-02-14.md"
    (memory.root / "memory/2026-02-14.md").unlink()
    assert ask("zeppelin").results == ()


def test_the_past_is_searched_as_it_was(ask: Ask, memory: Git) -> None:
    before = memory.head()
    memory.write("MEMORY.md", "# Memory\n\n- Billing uses SQLite.\n")
    memory.commit_all("moved")
    then, now = ask("billing PostgreSQL", at=before), ask("billing PostgreSQL")
    assert "PostgreSQL" in _first(then).snippet
    assert then.indexedAt == before
    assert all("PostgreSQL" not in hit.snippet for hit in now.results)


def test_what_is_no_memory_is_never_found(ask: Ask) -> None:
    found = {hit.path for hit in ask("certificate of nobody").results}
    assert found <= {"memory/2026-02-13.md", "SOUL.md"}


def test_who_the_agent_is_and_what_its_tools_are_called_is_found(ask: Ask, memory: Git) -> None:
    assert _first(ask("never delete files")).path == "SOUL.md"
    assert _first(ask("never delete files", source="profile")).path == "SOUL.md"
    assert _first(ask("never delete files", source="identity")).path == "SOUL.md"
    assert ask("never delete files", source="memory").results == ()
    memory.write("TOOLS.md", "# Tools\n\n- To send it again: `FORCE_SEND=1 python3 report.py`\n")
    assert _first(ask("FORCE_SEND")).path == "TOOLS.md"


def test_an_empty_heading_answers_nothing_by_its_meaning(ask: Ask, memory: Git) -> None:
    memory.write("MEMORY.md", "# Memory\n\n## Skills\n\n## Events\n")
    paths = {(hit.path, hit.line) for hit in ask("kayak", min_score=0.0).results}
    assert not paths & {("MEMORY.md", 3), ("MEMORY.md", 5)}
    assert ("MEMORY.md", 3) in {(hit.path, hit.line) for hit in ask("skills").results}


def test_the_time_of_a_neighbour_is_no_answer_and_an_empty_heading_is_none(
    ask: Ask, memory: Git
) -> None:
    memory.write(
        "MEMORY.md",
        "# Memory\n\n## Knowledge\n\n- The staging box listens on port 5433.\n- Deploys go out on "
        "Tuesdays.\n"
        "- The launch is on 2026-02-20 at 10:00.\n\n## Skills\n\n## Events\n",
    )
    found = ask("when do deploys go out")
    assert (_first(found).path, _first(found).line) == ("MEMORY.md", 6)
    assert [hit.line for hit in found.results if hit.line > 8] == []


def test_what_a_template_explains_is_no_memory(ask: Ask, memory: Git) -> None:
    page = (resource("templates") / "workspace" / "MEMORY.md").read_text()
    memory.write(
        "MEMORY.md", page.replace("## Knowledge\n", "## Knowledge\n\n- Billing uses PostgreSQL.\n")
    )
    assert 3 not in [
        hit.line for hit in ask("which decisions and preferences are worth knowing").results
    ]
    assert "PostgreSQL" in _first(ask("which database does billing use")).snippet


def test_a_line_that_is_struck_through_is_superseded_and_stands_beside_no_hit(
    ask: Ask, memory: Git
) -> None:
    memory.write(
        "MEMORY.md", "# Memory\n\n- ~~The gate code is 4711.~~\n- The gate code is 4712.\n"
    )
    valid, struck = ask("gate code").results
    assert (valid.snippet, valid.marks, valid.before) == ("The gate code is 4712.", (), "")
    assert (struck.line, struck.marks) == (3, ("superseded",))
    assert valid.score > struck.score
    [valid, *_] = ask("gate code", full=True).results
    assert "4711" not in (valid.text or "")


@pytest.mark.parametrize("folder", ["", "frontdesk/"])
def test_a_placeholder_of_a_profile_is_neither_found_nor_shown_beside_a_hit(
    ask: Ask, memory: Git, folder: str
) -> None:
    memory.write("MEMORY.md", f"# Memory\n\n- The front desk: [notes]({folder}USER.md)\n")
    memory.write(
        f"{folder}USER.md",
        "# About them\n\n- **Boat:**\n  _(what floats under them)_\n- **Harbor:** Greetsiel\n"
        "- **Mooring:** _(optional)_\n",
    )
    assert [hit for hit in ask("what floats under them").results if "floats" in hit.snippet] == []
    for full in (False, True):
        [hit] = [
            hit for hit in ask("which harbor", full=full).results if "Greetsiel" in hit.snippet
        ]
        assert "_(" not in f"{hit.before} {hit.after} {hit.text}"


def test_the_line_above_a_list_is_shown_with_its_first_item(ask: Ask, memory: Git) -> None:
    memory.write("USER.md", "# Them\n\nBefore each voyage:\n\n- Oil the winches.\n")
    assert _first(ask("who oils the winches")).before == "Before each voyage:"


@pytest.mark.parametrize(
    "below",
    ["- AGENTS.md", "```\nAGENTS.md\n```", "| file |\n| --- |\n| AGENTS.md |", "> AGENTS.md"],
)
def test_a_label_of_a_profile_is_found_if_something_stands_below_it(
    ask: Ask, memory: Git, below: str
) -> None:
    memory.write("AGENTS.md", f"# Rules\n\n**Never modify these files:**\n\n{below}\n")
    first = _first(ask("never modify these files"))
    assert (first.snippet, first.line) == ("**Never modify these files:**", 3)


def test_a_label_is_found_by_what_is_nested_in_it_and_not_by_the_next_one(
    ask: Ask, memory: Git
) -> None:
    memory.write(
        "USER.md",
        "# Them\n\n- **Favourite boat:**\n- **Favourite harbors:**\n  - Greetsiel\n"
        "- **Favourite songs:**\n  - _(none yet)_\n\n**Favourite dish:**\n\n"
        "**Favourite wine:** white\n\n**Favourite cake:**\n\n## Favourite tea\n\n- green\n",
    )
    labels = {hit.line: hit.snippet for hit in ask("favourite").results}
    others = {line.startLine: line.snippet for hit in ask("favourite").results for line in hit.more}
    found = {**labels, **others}
    assert {line for line, text in found.items() if "Favourite" in text} == {4, 11}, found


def test_what_the_agent_looks_after_is_searched_and_what_we_wrote_there_is_not(
    ask: Ask, memory: Git
) -> None:
    """Many agents keep the state of their work in HEARTBEAT.md."""
    templates = resource("templates")
    tasks = (templates / "openclaw" / "HEARTBEAT.md").read_text()
    state = "- Quote tool: the PDF of the Halden order waits for a signature"
    memory.write("HEARTBEAT.md", f"{tasks}\n## Watching\n\n{state}\n")
    found = ask("which quote waits for a signature")
    assert (_first(found).path, _first(found).source) == ("HEARTBEAT.md", "profile")
    upkeep = ask("read the last daily files and bring what lasts into MEMORY.md")
    ours = [hit for hit in upkeep.results if hit.path == "HEARTBEAT.md"]
    assert not any("bring what lasts" in hit.snippet for hit in ours)


def test_no_line_is_shown_twice_where_snippets_meet(ask: Ask, memory: Git) -> None:
    lines = "".join(
        f"- The garden shed number {number} holds tools, seeds, a ladder and paint.\n"
        for number in range(90)
    )
    memory.write("memory/sheds.md", f"# Sheds\n\n{lines}")
    found = [
        hit
        for hit in ask("shed number 40", min_score=0.0, limit=9).results
        if hit.path == "memory/sheds.md"
    ]
    shown = [number for hit in found for number in range(hit.startLine, hit.endLine + 1)]
    assert len(found) > 2
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize("query", ["zebra migration", "penguin colony in Antarctica"])
def test_nothing_that_fits_is_no_answer(ask: Ask, query: str) -> None:
    assert ask(query).results == ()


@pytest.mark.parametrize(
    "query", ["zebra migration in Antarctica", "quarterly zebra migration in Antarctica"]
)
def test_what_comes_a_little_nearer_is_called_no_answer(ask: Ask, query: str) -> None:
    # In a memory of a few lines, one may come a little nearer; that is never called an answer.
    near = ask(query)
    assert (near.mode, len(near.results)) in {("core", 0), ("enhanced", 1)}
    assert not any(hit.likely for hit in near.results)


def test_the_number_of_hits_and_the_least_score_are_obeyed(ask: Ask) -> None:
    assert len(ask("Ana billing certificate dashboard", limit=1, min_score=0.0).results) == 1
    assert all(
        hit.score >= 0.9 for hit in ask("Ana leads the Harbor project", min_score=0.9).results
    )


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_an_empty_question_is_the_callers_error(ask: Ask, query: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        ask(query)


def test_an_unknown_source_is_the_callers_error(ask: Ask) -> None:
    with pytest.raises(UsageError, match="no source"):
        ask("Ana", source="dreams")


_ODD = [
    "x" * 10_000,
    "billing " * 1200,
    "账",
    "'",
    '"',
    '"*',
    "NEAR(billing",
    "billing AND",
    "🦀",
    "\0",
    "*",
    "a:b",
    "(",
    "-",
]


@pytest.mark.parametrize("query", [*_ODD, "\ud800"])
def test_no_question_is_an_error_of_ours(ask: Ask, query: str) -> None:
    assert isinstance(ask(query), SearchAnswer)


def test_explained_scores_are_what_they_say(ask: Ask) -> None:
    explained = _first(ask("PostgreSQL billing", explain=True)).explain
    assert explained is not None
    assert explained["exact"] is True
    assert set(explained) == {
        "words", "near", "meaning", "cosine", "fits", "exact", "reranker", "factors"
    }  # fmt: skip
    assert explained["reranker"] is None


def test_a_tier_says_which_it_is(memory: Git) -> None:
    core = search(_workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request("billing"))
    rich = search(_workspace(memory, CLAWGIT_SEARCH_MODE="enhanced"), Request("billing"))
    assert (core.mode, core.provider, core.model) == ("core", "sqlite", "fts5")
    assert (rich.mode, rich.provider) == ("enhanced", "static")


_GATES = "".join(f"## {letter}\n\n- The gate {letter} is shut.\n\n" for letter in "abcdefgh")


def test_where_words_fill_the_page_meaning_is_not_asked(memory: Git) -> None:
    """Words and meaning together never give a line more than all words of the question do."""
    memory.write("memory/2026-02-12.md", f"# 2026-02-12\n\n{_GATES}")
    memory.write("memory/2026-02-11.md", "# 2026-02-11\n\n- Lock the door of the entrance.\n")
    rich = _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced")
    mixed = _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced", CLAWGIT_VECTOR_WEIGHT="0.5")
    with Searcher(rich) as searcher:
        answer = searcher.answer(Request("gate"))
        assert answer.mode == "core"
        assert answer.fallback is None
        assert [hit.score for hit in answer.results] == [1.0] * 6
        others = searcher.rated(Request("gate"), {"memory/2026-02-11.md"})
        assert max(score for _, score in others) > 0  # whoever asks more gets the meaning, too
        assert searcher.answer(Request("gate", limit=9)).mode == "enhanced"
        assert searcher.answer(Request("portcullis")).mode == "enhanced"
    assert search(mixed, Request("gate")).mode == "enhanced"


def test_lines_of_one_section_are_one_hit(memory: Git) -> None:
    """They would fill the page, and a symptom stands next to its cause."""
    doors = "".join(f"- Door {letter} needs oil.\n" for letter in "abcdef")
    memory.write("notes.md", f"# House\n\n## Doors\n\n{doors}\n## Shed\n\n- Its door sticks.\n")
    workspace = _workspace(memory, CLAWGIT_SEARCH_MODE="core")

    first, second, other = search(workspace, Request("door")).results

    assert (first.line, [line.startLine for line in first.more]) == (5, [6, 7, 8])
    assert first.more[0].snippet == "Door b needs oil."
    assert (second.line, [line.startLine for line in second.more]) == (9, [10])
    assert (other.headings[-1], other.more) == ("Shed", ())
    assert len(search(workspace, Request("door", limit=1)).results) == 1
    assert not any(hit.more for hit in search(workspace, Request("door", full=True)).results)


def test_no_line_with_the_words_of_another_vanishes(memory: Git) -> None:
    """It is a hit of its own under another thing's heading, else the place is named."""
    board = "# Kanban\n\n## Rules\n\n- Keep WIP limit at two.\n- The WIP limit holds at night.\n"
    memory.write("old/KANBAN.md", board)
    memory.write("new/KANBAN.md", board)
    for day, name in ((1, "Acme Labs"), (2, "Zenith Care"), (3, "Acme Labs")):
        noted = f"# 2026-02-0{day}\n\n## {name}\n\n- **Pricing:** 5.55 a gummy\n"
        memory.write(f"memory/2026-02-0{day}.md", noted)
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")

    [rule] = search(ws, Request("WIP limit")).results
    one, other = search(ws, Request("price 5.55 a gummy")).results

    assert (rule.line, rule.also) == (6, ("old/KANBAN.md:6",))
    assert [(line.startLine, line.also) for line in rule.more] == [(5, ("old/KANBAN.md:5",))]
    by_name = {hit.headings[-1]: (hit.path, hit.also) for hit in (one, other)}
    assert by_name == {
        "Acme Labs": ("memory/2026-02-03.md", ("memory/2026-02-01.md:5",)),
        "Zenith Care": ("memory/2026-02-02.md", ()),
    }


def test_a_section_that_repeats_a_line_shows_it_once(memory: Git) -> None:
    """Where else its best sentence stands, it says, as of one that another file has."""
    oiled = "- Door a needs oil."
    memory.write(
        "notes.md",
        f"# House\n\n## Doors\n\n{oiled} We ate.\n{oiled} We sat.\n"
        "- Gates rust, and oil is dear. We ate rice.\n- Gates rust, and oil is dear. We sat down.\n",
    )

    [hit] = search(
        _workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request("which door needs oil", limit=1)
    ).results

    assert (hit.line, hit.also) == (5, ("notes.md:6",))
    assert [(line.startLine, line.also) for line in hit.more] == [(7, ("notes.md:8",))]


def test_a_line_with_a_mark_joins_no_hit(memory: Git) -> None:
    memory.write(
        "MEMORY.md",
        "# Memory\n\n## Doors\n\n- The front door is green. #fact <!-- claw:m7k2q9 conf=0.9 n=1 -->\n"
        "- The back door is red. #fact <!-- claw:m7k2q8 conf=0.9 n=1 status=superseded -->\n",
    )

    green, red = search(_workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request("door")).results

    assert not green.more
    assert red.marks == ("superseded",)


def test_a_line_with_a_mark_parts_no_section(memory: Git) -> None:
    old = "<!-- claw:m7k2q8 conf=0.9 n=1 status=superseded -->"
    memory.write(
        "MEMORY.md",
        "# Memory\n\n## Doors\n\n- The front door is green, with brass.\n"
        f"- The front door is green, with brass knobs. #fact {old}\n- The rear door is old.\n",
    )
    core = _workspace(memory, CLAWGIT_SEARCH_MODE="core")

    hits = search(core, Request("front door green")).results

    assert [(hit.line, [line.startLine for line in hit.more]) for hit in hits] == [
        (5, [7]),
        (6, []),
    ]


def test_lines_of_few_sections_leave_room_for_what_is_near_in_meaning(memory: Git) -> None:
    gates = "".join(f"- The gate {letter} is shut.\n" for letter in "abcdefgh")
    memory.write("memory/2026-02-12.md", f"# 2026-02-12\n\n{gates}")
    memory.write("memory/2026-02-11.md", "# 2026-02-11\n\n- Lock the door of the entrance.\n")

    answer = search(_workspace(memory, CLAWGIT_SEARCH_MODE="enhanced"), Request("gate"))

    assert (answer.mode, [len(hit.more) for hit in answer.results[:2]]) == ("enhanced", [3, 3])


def test_the_text_beside_a_line_is_left_out_where_nobody_wants_it(memory: Git) -> None:
    workspace = _workspace(memory)
    whole = search(workspace, Request("billing"))
    lean = search(workspace, Request("billing", beside=False))
    assert any(hit.after for hit in whole.results)
    assert lean.results == tuple(hit._replace(before="", after="") for hit in whole.results)


def test_a_page_that_a_category_empties_is_filled_by_meaning(memory: Git) -> None:
    memory.write("memory/2026-02-12.md", f"# 2026-02-12\n\n{_GATES}- Paint it. #decision\n")
    rich = _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced")
    assert search(rich, Request("gate", category="decision")).mode == "enhanced"


_WITHOUT_NUMPY = """
import importlib.util, sys
found = importlib.util.find_spec
class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "numpy":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
importlib.util.find_spec = lambda name, *rest: None if name == "numpy" else found(name, *rest)
from clawgit.cli.root import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("mode", "said"), [("auto", '"fallback": null'), ("enhanced", "needs numpy")]
)
def test_without_its_extra_words_alone_answer(memory: Git, mode: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_NUMPY, "-C", str(memory.root), "memory", "search",
            "billing", "--json"],
        capture_output=True, text=True, check=True, env={**os.environ, "CLAWGIT_SEARCH_MODE": mode},
    )  # fmt: skip
    assert '"mode": "core"' in done.stdout
    assert "PostgreSQL" in done.stdout
    assert said in done.stdout


@pytest.mark.parametrize(
    ("asked", "answer", "other"),
    [
        (
            "where does the wood come from?",
            "Ordered oak for the shelves, 27 mm, from Lindqvist.",
            "Ruth's baby came early, a girl, 2.9 kg, called Ida.",
        ),
        (
            "why did we switch fuel company?",
            "Changed the heating oil supplier to Brunner, 6 cents cheaper a litre.",
            "Switched to the bus, parking is 14 a day.",
        ),
        (
            "how far apart should the plants be?",
            "The tomatoes get blight when they stand too close, leave 60 cm.",
            "Cancelled the gym, too far since the office moved.",
        ),
    ],
)
def test_each_word_of_a_question_may_be_said_by_another_word(
    memory: Git, asked: str, answer: str, other: str
) -> None:
    memory.write("CONFIG.md", '# Config\n\n```yaml\nreranker: ""\n```\n')
    memory.write("memory/2026-02-12.md", f"# 2026-02-12\n\n- {other}\n\n- {answer}\n")
    found = search(_workspace(memory, CLAWGIT_SEARCH_MODE="enhanced"), Request(asked))
    assert answer in _first(found).snippet


def test_a_script_that_the_model_never_learnt_is_searched_by_words(memory: Git) -> None:
    memory.write(
        "memory/2026-02-12.md",
        "# 2026-02-12\n\n- 账单系统使用数据库。\n- 회의는 금요일에 열린다.\n",
    )
    for asked in ("회의", "금요일 Meeting"):
        answer = search(_workspace(memory, CLAWGIT_SEARCH_MODE="enhanced"), Request(asked))
        assert "회의" in _first(answer).snippet
        assert (answer.mode, answer.fallback) == (
            "core",
            "searched by words alone: search by meaning does not know this script",
        )


@pytest.mark.parametrize(
    ("asked", "answer", "other"),
    [
        ("Wann war ich beim Arzt?", "Termin bei der Ärztin am Montag.", "Zug nach Bern am Montag."),
        ("¿dónde está el coche?", "El auto quedó en el taller.", "El pan quedó en la mesa."),
        ("谁生病了", "妹妹病倒了，请假一天。", "妹妹买了两本书，请客一次。"),
        ("医者に行ったのはいつ", "病院で診察を受けた。", "駅で切符を買った。"),
    ],
)
def test_other_words_of_another_language_are_found_by_meaning(
    memory: Git, asked: str, answer: str, other: str
) -> None:
    memory.write("memory/2026-02-12.md", f"# 2026-02-12\n\n- {other}\n\n- {answer}\n")
    request = Request(asked, min_score=0.0)
    found = search(_workspace(memory, CLAWGIT_SEARCH_MODE="enhanced"), request)
    assert answer in _first(found).snippet


def test_an_embedder_that_is_away_is_named_and_words_answer(memory: Git) -> None:
    away = {"CLAWGIT_EMBEDDER": "ollama", "CLAWGIT_EMBEDDER_URL": "http://127.0.0.1:9"}
    answer = search(_workspace(memory, CLAWGIT_SEARCH_MODE="enhanced", **away), Request("billing"))
    assert "PostgreSQL" in _first(answer).snippet
    assert answer.mode == "core"
    assert answer.fallback == (
        "searched by words alone: ollama does not run at http://127.0.0.1:9/api. Start it, or set "
        "embedder_url in CONFIG.md."
    )


def test_a_key_that_is_missing_is_named(memory: Git) -> None:
    answer = search(
        _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced", CLAWGIT_EMBEDDER="voyage"),
        Request("billing"),
    )
    assert answer.fallback == (
        "searched by words alone: voyage needs a key. Set the environment variable VOYAGE_API_KEY."
    )


def test_notes_are_joined_without_a_full_stop_in_the_middle() -> None:
    notes = noted("voyage needs a key. Set VOYAGE_API_KEY.", None, "", "the index is in memory")
    assert notes == "voyage needs a key. Set VOYAGE_API_KEY; the index is in memory"
    assert noted(None, "") is None


def test_a_service_that_is_down_keeps_nobody_waiting(memory: Git) -> None:
    """Its pause is longer than a search waits, and shorter than an index does."""
    with serving() as server:
        server.faults = [Fault(503, (("Retry-After", "4"),))] * 9
        set_so = {"CLAWGIT_EMBEDDER": "ollama", "CLAWGIT_EMBEDDER_URL": server.url}
        answer = search(
            _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced", **set_so), Request("billing")
        )
        assert len(server.asked) == 1
    assert "PostgreSQL" in _first(answer).snippet
    assert answer.fallback is not None
    assert answer.fallback.startswith("searched by words alone: ollama does not answer: 503")


def test_vectors_that_were_spoilt_are_made_anew(memory: Git) -> None:
    here = _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced")
    asked = Request("which datastore keeps the invoices", min_score=0.0)
    before = search(here, asked)
    [vectors] = (here.place.shared / "vectors").glob("*.f32")
    vectors.write_bytes(b"\xff" * vectors.stat().st_size)
    for _ in range(2):
        assert search(here, asked)._replace(elapsedMs=0) == before._replace(elapsedMs=0)
    vectors.write_bytes(b"\xff" * vectors.stat().st_size)
    assert index(here).note is None
    assert search(here, asked)._replace(elapsedMs=0) == before._replace(elapsedMs=0)


@pytest.mark.parametrize("query", ['"*', "?!", "_"])
def test_signs_without_a_word_are_near_to_nothing(ask: Ask, query: str) -> None:
    answer = ask(query, min_score=0.0)
    assert answer.results == ()
    assert (answer.fallback or "").startswith("the question has no word to search for")
    assert not (ask("zeppelins").fallback or "").startswith("the question")


def test_an_emoji_is_found_where_nothing_else_is_asked(ask: Ask, memory: Git) -> None:
    memory.write("memory/keys.md", "- The spare 🔑 lies under the mat.\n")
    assert _first(ask("🔑")).path == "memory/keys.md"
    assert [hit.path for hit in ask("GraphQL 🔑").results] == [
        hit.path for hit in ask("GraphQL").results
    ]


def test_a_snippet_ends_where_something_was_replaced(ask: Ask, memory: Git) -> None:
    old = "<!-- claw:aaaa22 conf=0.95 status=superseded by=bbbb33 -->"
    lines_of = [
        "It ships weekly.",
        f"It ships on 3 March. {old}",
        "It ships on 9 April. <!-- claw:bbbb33 conf=0.95 -->",
    ]
    memory.write(
        "memory/ship.md",
        "# Dinghy\n\n" + "".join(f"- {line}\n" for line in [*lines_of, "It is blue."]),
    )
    new, *others = ask("dinghy ships on April March", min_score=0.0, full=True).results
    assert (new.entryId, new.text) == ("bbbb33", "- It ships on 9 April.\n- It is blue.")
    assert "aaaa22" in {hit.entryId for hit in others}


def test_a_setting_of_the_search_that_cannot_be_is_named(memory: Git) -> None:
    memory.write(
        "CONFIG.md", "# Settings\n\n```yaml\nmax_results: none\nsoul_max_tokens: none\n```\n"
    )
    answer = search(_workspace(memory), Request("billing"))
    assert (
        answer.fallback
        == 'CONFIG.md:4: max_results must be a whole number from 1 to 200, not "none"'
    )
    memory.write("CONFIG.md", "# Settings\n\n```yaml\nsoul_max_tokens: none\n```\n")
    assert search(_workspace(memory), Request("billing")).fallback is None


class _Owner:
    """Whoever has Chroma open: here one that knows the nearest of what it was given."""

    def __init__(self, answer: Callable[[int], list[tuple[str, float]]]) -> None:
        self._answer, self.woken = answer, 0

    def similar(self, vector: object, n: int) -> list[tuple[str, float]]:
        assert vector is not None
        return self._answer(n)

    def wake(self) -> None:
        self.woken += 1


def test_chroma_is_asked_where_that_is_set_and_gives_the_same(memory: Git) -> None:
    ws = _workspace(memory, CLAWGIT_SEARCH_BACKEND="chroma")
    with Searcher(ws) as exact:
        expected = exact.answer(Request("who leads Harbor"))
        index, open_meaning = next(iter(exact._open.values()))
        meaning = open_meaning()
        assert meaning is not None
        records = list(meaning.records(index))
    vector = meaning.embedder.embed(["who leads Harbor"], query=True)[0]
    near = sorted(
        ((name, float(np.dot(vector, one))) for name, one in records), key=lambda pair: -pair[1]
    )
    with Searcher(ws, _Owner(lambda n: near[:n])) as searcher:
        answer = searcher.answer(Request("who leads Harbor"))
    assert [(hit.path, hit.line) for hit in answer.results] == [
        (hit.path, hit.line) for hit in expected.results
    ]
    assert answer.fallback is None


def test_chroma_that_is_not_ready_is_named_and_the_exact_scan_answers(memory: Git) -> None:
    def filling(_n: int) -> list[tuple[str, float]]:
        raise ChromaFillingError("Chroma is being filled.")

    for owner, said in ((None, "Only the service opens Chroma"), (_Owner(filling), "being filled")):
        with Searcher(_workspace(memory, CLAWGIT_SEARCH_BACKEND="chroma"), owner) as searcher:
            answer = searcher.answer(Request("who leads Harbor"))
        assert answer.mode == "enhanced"
        assert "Harbor" in _first(answer).snippet
        assert answer.fallback is not None
        assert answer.fallback.startswith("exact scan: ")
        assert said in answer.fallback


def test_an_edit_wakes_the_owner_once(memory: Git) -> None:
    owner = _Owner(lambda _n: [])
    with Searcher(_workspace(memory), owner) as searcher:
        searcher.answer(Request("Harbor"))
        searcher.answer(Request("Harbor"))
    assert owner.woken == 1


def test_kept_open_it_answers_as_if_it_were_fresh(memory: Git) -> None:
    ws = _workspace(memory)
    with Searcher(ws) as warm:
        for day in range(1, 4):
            memory.write(
                f"memory/2026-01-0{day}.md", f"# Day\n\n- On day {day} the zeppelin flew.\n"
            )
            for source in ("", "memory", "identity"):
                request = Request("zeppelin", source=source)
                assert warm.answer(request).results == search(ws, request).results


_LINES = st.lists(
    st.sampled_from(["- alpha beta", "- gamma <!-- claw:abcdef conf=0.6 -->", "## Heading delta",
    "", "plain epsilon",
                     "  - nested zeta", "```", "> quoted eta", "- **Ana:** theta?", "| a | iota |",
                     "- 中文笔记"]),
    max_size=30,
)  # fmt: skip


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_LINES)
def test_lines_are_right_whatever_the_file(memory: Git, found: list[str]) -> None:
    memory.write("memory/2026-02-01.md", "\n".join(found))
    with Searcher(_workspace(memory, CLAWGIT_SEARCH_MODE="core")) as searcher:
        for word in ("alpha", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "中文"):
            for hit in searcher.answer(Request(word, source="memory", explain=True)).results:
                if hit.path == "memory/2026-02-01.md" and hit.explain and hit.explain["exact"]:
                    assert hit.line <= hit.startLine <= hit.endLine <= hit.lastLine <= len(found)
                    titles = [line for line in found[: hit.line] if line.startswith("#")]
                    assert any(
                        word in line for line in (*titles, *found[hit.line - 1 : hit.lastLine])
                    )


def test_other_names_that_the_memory_tells_find_too(memory: Git) -> None:
    memory.write("USER.md", "# User\n\n- Robert (aka Bob) is the operator.\n")
    memory.write("memory/2026-02-11.md", "# 2026-02-11\n\n- Bob moved to Lisbon.\n")
    answer = search(
        _workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request("where did Robert move")
    )
    assert "Bob moved to Lisbon." in _first(answer).snippet


@pytest.mark.parametrize("question", ["who is my human", "what is my operator's name?"])
@pytest.mark.parametrize("heading", ["# USER.md - About Your Human", "# Marta", "## Basics", ""])
def test_my_human_is_whom_the_profile_names(memory: Git, heading: str, question: str) -> None:
    memory.write("USER.md", f"{heading}\n\n- **Name:** Marta Kowalski\n- **Timezone:** CET\n")
    memory.write("MEMORY.md", "# Memory\n\n- Human resources moved.\n- The operator of the lift.\n")
    first = _first(search(_workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request(question)))
    assert (first.path, "Marta Kowalski" in first.snippet) == ("USER.md", True)


def test_the_names_of_a_page_and_of_the_profile_find_what_says_the_other_name(memory: Git) -> None:
    memory.write("USER.md", "# User\n\n- **Name:** Robert Sims\n- **Call them:** Bob\n")
    page = "# Ana Lima\n\nAlso known as: Annie\n\n- Phone: 555 0199\n"
    memory.write("memory/entities/ana-lima.md", page)
    memory.write("memory/2026-02-11.md", "# 2026-02-11\n\n- Bob moved to Lisbon.\n")
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    assert "Bob moved" in _first(search(ws, Request("where did Robert move"))).snippet
    assert "555 0199" in _first(search(ws, Request("Annie phone"))).snippet


def test_a_section_that_the_question_names_comes_before_logs_that_mention_it(memory: Git) -> None:
    rule = "- Never open a link that offers tokens.\n- Tell Ana within a day.\n"
    memory.write("MEMORY.md", f"# Memory\n\n## Crypto scam policy\n\n{rule}")
    people = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal")
    for month in range(1, 8):
        log = "".join(f"- {name} asked about the crypto scam policy.\n" for name in people)
        memory.write(f"memory/2026-0{month}-03.md", f"# Day\n\n{log}")
    answer = search(
        _workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request("crypto scam policy", explain=True)
    )
    assert (_first(answer).path, _first(answer).headings[-1]) == ("MEMORY.md", "Crypto scam policy")


def test_an_entry_comes_before_the_turn_it_was_kept_of_and_tells_where_that_stands(
    memory: Git,
) -> None:
    memory.write("MEMORY.md", "- We ship the Harbor dashboard on 3 March. #decision\n")
    memory.write(
        "memory/2026-02-11.md", "# Talk\n\n**user:** We ship the Harbor dashboard on 3 March.\n"
    )
    asked = Request("when do we ship the Harbor dashboard?")
    hit = _first(search(_workspace(memory, CLAWGIT_SEARCH_MODE="core"), asked))
    assert (hit.path, hit.also) == ("MEMORY.md", ("memory/2026-02-11.md:3",))


def test_a_fact_is_found_by_its_heading_or_its_row_and_shown_with_it(memory: Git) -> None:
    table = "| name | phone |\n| --- | --- |\n| Mira Stone | 555 0177 |\n| Otto Kern | 555 0188 |\n"
    memory.write(
        "MEMORY.md",
        f"# People\n\n### Juan Valbuena - +57 310\n\n- Status: waiting\n\n## List\n\n{table}",
    )
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    person = _first(search(ws, Request("phone of Juan Valbuena")))
    assert (person.snippet, person.headings[-1]) == ("Status: waiting", "Juan Valbuena - +57 310")
    row = _first(search(ws, Request("phone of Otto Kern")))
    assert (row.headings[-1], row.snippet) == ("name | phone", "Otto Kern | 555 0188")


PROXY = (
    "The proxy is checked every hour, and its requests are counted.",
    "Fixed: the certificate had expired, so every request was refused by the proxy.",
    "Der Proxy wird stündlich geprüft, und alle Anfragen werden gezählt.",
    "Behoben: das Zertifikat war abgelaufen, also wies der Proxy jede Anfrage ab.",
)


def with_reranker(memory: Git, question: str, reranker: str = BUILT_IN[0]) -> SearchAnswer:
    memory.write("MEMORY.md", "# Proxy\n\n" + "".join(f"- {line}\n\n" for line in PROXY))
    return search(_with(memory, reranker), Request(question))


def _with(memory: Git, reranker: str) -> Workspace:
    memory.write("CONFIG.md", f'# Config\n\n```yaml\nreranker: "{reranker}"\n```\n')
    return _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced")


def test_the_built_in_reranker_puts_what_answers_before_what_shares_words(memory: Git) -> None:
    question = "why were proxy requests counted as refused"
    assert _first(with_reranker(memory, question, "")).snippet == PROXY[0]
    assert _first(with_reranker(memory, question)).snippet == PROXY[1]


def test_the_built_in_reranker_reads_questions_in_letters_that_it_knows(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[str]()
    relevance = Reranker.relevance

    def counted(reranker: Reranker, question: str, texts: Sequence[str]) -> list[float]:
        read.append(question)
        return relevance(reranker, question, texts)

    monkeypatch.setattr(Reranker, "relevance", counted)
    with_reranker(memory, "почему proxy отклонил запросы")
    assert not read
    with_reranker(memory, "Warum zählt der Proxy jede Anfrage")
    with_reranker(memory, "why is the proxy checked")
    assert len(read) == 2


def test_what_the_reranker_does_not_believe_in_is_not_called_likely(memory: Git) -> None:
    question = "cost of the certificate and requests"
    assert _first(with_reranker(memory, question, "")).likely
    found = with_reranker(memory, question).results
    assert found
    assert not any(hit.likely for hit in found)


SCHOOL_HOURS = "7:10 until 14:25, lunch at noon."
SCHOOL = f"""# Family

- Kylian goes to the new school.
- {SCHOOL_HOURS}
- The bus is blue.

# Else

- 8:20 until 15:10, lunch at one.
"""


def school_lines(memory: Git, reranker: str, text: str = SCHOOL) -> list[str]:
    memory.write("MEMORY.md", text)
    hits = search(_with(memory, reranker), Request("from when to when is Kylian at school")).results
    return [line for hit in hits for line in (hit.snippet, *(other.snippet for other in hit.more))]


def test_a_line_below_a_hit_that_answers_is_a_hit(memory: Git) -> None:
    found = school_lines(memory, "")
    assert found == ["Kylian goes to the new school."]
    assert school_lines(memory, BUILT_IN[0])[:2] == [*found, SCHOOL_HOURS]


def test_a_line_below_a_hit_that_was_replaced_is_not_read(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[str]()

    def seen(_reranker: Reranker, _question: str, texts: Sequence[str]) -> list[float]:
        read.extend(texts)
        return [0.5] * len(texts)

    monkeypatch.setattr(Reranker, "relevance", seen)
    school_lines(memory, BUILT_IN[0])
    assert any("7:10" in text for text in read)
    read.clear()
    comment = "<!-- claw:m7k2q8 conf=0.9 n=1 status=superseded -->"
    school_lines(memory, BUILT_IN[0], SCHOOL.replace("at noon.", f"at noon. #fact {comment}"))
    assert read
    assert not any("7:10" in text for text in read)


TRIP = """# Trip

- Bo is the landlord; his number is 555 0142.
- Grafana was moved from port 3000 to 3100.
- We booked the Hotel Mirador, paid with the blue card.
"""


@pytest.mark.parametrize("lookup", ["tell me about Bo", "anything on Grafana?", '"with the blue"'])
def test_a_line_that_has_what_is_looked_up_stays_likely(memory: Git, lookup: str) -> None:
    memory.write("memory/trip.md", TRIP)
    found = _first(with_reranker(memory, lookup))
    assert (found.path, found.likely) == ("memory/trip.md", True)


def test_a_secret_in_a_header_is_masked_where_the_row_is_shown(memory: Git) -> None:
    key = KEYS["memory"]
    memory.write("MEMORY.md", f"# {key}\n\n| boat | {key} |\n|---|---|\n| Klipvis | blue |\n")
    row = _first(search(_workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request("Klipvis")))
    covered = f"[secret:{fingerprint(key)}]"
    assert row.headings == (covered, f"boat | {covered}")


def test_an_entry_is_found_by_its_name_however_long_the_question(memory: Git) -> None:
    text = "# Memory\n\n- **electric kiln** (aka Big Bertha): takes forty pots.\n"
    memory.write("MEMORY.md", text + "- **shed** (aka Garage): has a roof of forty years.\n")
    asked = "I was wondering whether somebody ever told us what size of load big brtha accepts"
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    [hit] = search(ws, Request(asked)).results
    assert "takes forty pots" in hit.snippet
    assert hit.score >= ws.config.settings.min_score


def test_an_explained_search_shows_what_the_reranker_says(memory: Git) -> None:
    memory.write("MEMORY.md", "# Proxy\n\n" + "".join(f"- {line}\n\n" for line in PROXY))
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced", CLAWGIT_RERANKER=BUILT_IN[0])

    def said(question: str) -> object:
        hit = _first(search(ws, Request(question, explain=True)))
        return hit.explain and hit.explain["reranker"]

    chance = said("why were proxy requests counted as refused")
    assert isinstance(chance, float)
    assert MAY_ANSWER <= chance <= 1


def test_a_reranker_that_is_not_there_is_named_with_what_helps(memory: Git) -> None:
    answer = search(
        _workspace(memory, CLAWGIT_RERANKER="model.onnx"),
        Request("which database does billing use"),
    )
    assert "PostgreSQL" in _first(answer).snippet
    assert answer.fallback is not None
    assert answer.fallback.startswith("no reranker: ")
    assert '`clawgit config set reranker ""`' in answer.fallback


def test_near_words_of_japanese_may_have_any_length(memory: Git) -> None:
    memory.write("MEMORY.md", "# メモ\n\n- 駅まで歩いた。\n\n- ドクターに電話した。\n")
    answer = search(_workspace(memory, CLAWGIT_SEARCH_MODE="core"), Request("医者の番号"))
    assert _first(answer).snippet == "ドクターに電話した。"


def test_a_long_word_of_japanese_weighs_no_more_than_a_short_one(memory: Git) -> None:
    lines = ("バックアップは毎晩。", "会計は金曜。", "駅まで歩いた。", "雨が降った。")
    memory.write("MEMORY.md", "# メモ\n\n" + "".join(f"- {line}\n\n" for line in lines))
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    [hit] = search(ws, Request("バックアップ 会計")).results
    [other] = hit.more
    assert {hit.snippet, other.snippet} == {*lines[:2]}
    assert abs(hit.score - other.score) < 0.1


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("memory/projects/ember-migration.md", "ember migration status"),
        ("memory/projects/EmberMigrations.md", "ember migration status"),
        ("memory/ember/2026-02-14.md", "status of the ember"),
        ("memory/プロジェクト/移行.md", "移行 status"),
    ],
)
def test_a_file_and_its_folders_say_by_their_names_what_it_is_about(
    ask: Ask, memory: Git, path: str, query: str
) -> None:
    memory.write("memory/vendors.md", "# Vendors\n\nStatus: paid.\n\nThe status is open.\n")
    memory.write(path, "Status: waiting for the bank.\n\nNext: a call on Monday.\n")
    answer = ask(query)
    assert (_first(answer).path, _first(answer).likely, answer.missing) == (path, True, ())


@pytest.mark.parametrize("query", ["Muell", "Wann geht der Muell?", "MUELL, Passwoerter"])
def test_a_word_without_its_umlaut_finds_the_one_that_has_it(
    ask: Ask, memory: Git, query: str
) -> None:
    memory.write("memory/haus.md", "# Haus\n\n- Der Müll geht am Dienstag, ohne Passwörter.\n")
    answer = ask(query)
    assert (_first(answer).path, _first(answer).likely) == ("memory/haus.md", True)
    assert answer.missing == ()
    assert ask("Poet").missing == ("Poet",)


def test_a_short_word_is_not_taken_for_one_without_its_umlaut(ask: Ask, memory: Git) -> None:
    memory.write("memory/dia.md", "# Dia\n\n- Fui ao mercado, mas não comprei pão para você.\n" * 9)
    assert ask("mãe").missing == ("mãe",)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("memory/2026-02-10.md", "It rained."),
        ("2026-02-10.md", "It rained."),
        ("KANBAN.md", "Wait for the bank."),
        ("what is in `kanban.md`?", "Wait for the bank."),
        ("the bank in KANBAN.md", "Wait for the bank."),
    ],
)
def test_a_file_is_found_by_its_name(ask: Ask, memory: Git, query: str, first: str) -> None:
    memory.write("memory/2026-02-10.md", "# Tuesday\n\n- It rained.\n")
    memory.write("memory/KANBAN.md", "# Board\n\n- Wait for the bank.\n")
    others = "".join(f"- The file KANBAN.md is in memory, page {at}.\n" for at in range(9))
    memory.write("memory/a.md", f"# Files\n\n{others}- memory/2026-02-10.md is a file.\n")
    answer = ask(query)
    assert (_first(answer).snippet, answer.missing) == (first, ())


def test_a_word_that_a_file_is_named_by_is_looked_up_in_all_lines(ask: Ask, memory: Git) -> None:
    memory.write("memory/kiln.md", "# Board\n\n- Wait for the bank.\n")
    memory.write("memory/pots.md", "# Pots\n\n- The kiln is red.\n")
    for query in ("kiln", "“kiln”"):
        likely = {hit.path for hit in ask(query).results if hit.likely}
        assert likely == {"memory/kiln.md", "memory/pots.md"}


_DATED = """# Notes

- My passport expires on 14 March 2031.
- Group Chat ID: -1003707068198
- The reduced rate is 7% for books.
- 2026-01-07: Dentist at nine.
- [2026-01-09] Sent the parcel.
- Jacke abgeben bis 15.09.
- 8月4日に歯医者

## 2025-09-21

- Falcon budget approved.
- Lena called.

## 2025-09-22

- Nothing.
"""


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("14 March 2031", ["My passport expires on 14 March 2031."]),
        ("2031-03-14", ["My passport expires on 14 March 2031."]),
        ("“March 14, 2031”", ["My passport expires on 14 March 2031."]),
        ("what will be in March 2031", ["My passport expires on 14 March 2031."]),
        ("January 7", ["2026-01-07: Dentist at nine."]),
        ("what happened on 2026-01-09", ["[2026-01-09] Sent the parcel."]),
        ("2026-09-15", ["Jacke abgeben bis 15.09."]),
        ("was ist am 15. September", ["Jacke abgeben bis 15.09."]),
        ("8月4日", ["8月4日に歯医者"]),
        ("on 14 March", ["My passport expires on 14 March 2031."]),
        ("on 21 September", ["Falcon budget approved.", "Lena called."]),
        ("on 21 September 2025", ["Falcon budget approved.", "Lena called."]),
    ],
)
def test_a_day_is_found_in_a_line_or_its_heading(
    ask: Ask, memory: Git, query: str, found: list[str]
) -> None:
    memory.write("memory/notes.md", _DATED)
    hit = _first(ask(query))
    assert [hit.snippet, *(other.snippet for other in hit.more)] == found
    assert hit.likely


_LOOKED_UP = """# Telegram

- Telegram:
  - User: 7301442
  - Group: -1003707068198, with topics
- CHAT_TOPIC is set by the group.
- The topic of the chat is set, so that the group sees it.

# Models

- **kiln-v2-terra**: balanced, where luna would be too much
- **kiln-v2-luna**: for long thinking about many things, expensive, so it is spared
"""


@pytest.mark.parametrize("least", [1, 2, 6, 40])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("7301442", "User: 7301442"),
        ("anything on 7301442?", "User: 7301442"),
        ("CHAT_TOPIC", "CHAT_TOPIC is set by the group."),
        ("kiln-v2-luna", "**kiln-v2-luna**: for long thinking"),
    ],
)
def test_what_is_looked_up_comes_before_what_stands_near_it(
    ask: Ask, memory: Git, query: str, found: str, least: int
) -> None:
    memory.write("memory/telegram.md", _LOOKED_UP)
    hits = ask(query, limit=least).results
    assert hits[0].snippet.startswith(found)
    assert [hit.likely for hit in hits] == [True, *(False for _ in hits[1:])]


def test_a_number_with_a_sign_before_it_is_looked_up_as_it_stands(ask: Ask, memory: Git) -> None:
    days = "".join(f"## 2026-{at:02}-17\n\n- Checked crate 17, #170.\n\n" for at in range(1, 10))
    memory.write("memory/log.md", f"# Log\n\n{days}## Later\n\n- The audit of issue #17 is done.\n")
    memory.write("memory/pr.md", "# Audit\n\n- What the script skips is left to #17, by hand.\n")
    right = {("memory/log.md", 41), ("memory/pr.md", 3)}
    likely = [(hit.path, hit.line) for hit in ask("#17").results if hit.likely]
    assert (len(likely), {*likely}) == (2, right)
    assert {(hit.path, hit.line) for hit in ask("what was issue #17?").results[:2]} == right
    assert ask("#18").missing == ("18",)


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ("ksm66", {3, 4, 5}),
        ("anything on KSM66?", {3, 4, 5}),
        ("`GLM4`", {8}),
        ("websearch", {9, 10}),
        ("notable", set()),
    ],
)
def test_a_word_is_found_where_it_is_written_in_two(
    ask: Ask, memory: Git, query: str, right: set[int]
) -> None:
    lines = (
        "The code is O4H-KSM66-30.",
        "Each gummy has 300 mg of KSM-66.",
        "KSM 66 is the extract that all the others are measured by, since its trials are many.",
        "The shelf KSM has 66 boxes.",
        "Model: glm",
        "glm-4.7:cloud is the model.",
        "The web search is blocked.",
        "A web-search costs nothing.",
        "On the web, nobody can search for it.",
        "We were not able to come.",
    )
    memory.write("memory/a.md", "# Stock\n\n" + "".join(f"- {line}\n" for line in lines))
    answer = ask(query)
    found = [(hit.path, line) for hit in answer.results if hit.likely for line in _lines_of(hit)]
    assert {*found} == {("memory/a.md", line) for line in right}
    assert answer.missing == (() if right else ("notable",))


@pytest.mark.parametrize("query", ["2026.4.14", '"grey lamp ships"'])
def test_what_is_quoted_is_found_among_many_lines_with_its_words(
    ask: Ask, memory: Git, query: str
) -> None:
    others = "".join(f"- On 2026-04-14 at 4 lamp {at} ships, grey.\n" for at in range(60))
    line = "- Since the last week of that spring, the one that is in use here is 2026.4.14, "
    memory.write("memory/a.md", f"# Lamps\n\n{others}")
    memory.write("memory/b.md", f"# Later\n\n{line}and a **grey lamp** ships with it.\n")
    for limit in (1, 60):
        assert _first(ask(query, limit=limit)).path == "memory/b.md", limit


def test_what_only_a_model_finds_near_is_not_shown_beside_what_was_looked_up(memory: Git) -> None:
    memory.write("memory/pets.md", "# Pets\n\n- The cat sleeps.\n- Our kitten likes milk.\n")
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="enhanced")
    assert [hit.snippet for hit in search(ws, Request("GraphQL")).results] == [
        "The public API is REST; GraphQL was turned down. #decision"
    ]


def test_the_name_of_a_folder_with_most_of_the_memory_says_nothing(ask: Ask, memory: Git) -> None:
    lines = "".join(f"- Parcel {number} came.\n\n" for number in range(COMMON))
    memory.write("memory/harbor/parcels.md", lines)
    memory.write("memory/harbor/letters.md", "- A letter came.\n")
    assert _first(ask("Harbor project")).path == "MEMORY.md"
    assert not any("harbor" in hit.path for hit in ask("harbor").results)


def test_a_search_reads_each_file_and_what_was_forgotten_once(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def part_at(file: str) -> bytes:
        read.append(file)
        return plainfile.part_at(file)

    def forgotten(*place: Any) -> Forgotten:
        read.append("forgotten")
        return forgotten_in(*place)

    monkeypatch.setattr(hit_text, "part_at", part_at)
    monkeypatch.setattr(workspace_base, "forgotten_in", forgotten)
    with Searcher(_workspace(memory), patience=WARM) as searcher:
        # The first looks at the files read the names, too.
        for _ in range(3):
            searcher.answer(Request("staging"))
        read.clear()
        answer = searcher.answer(Request("Ana certificate dashboard PostgreSQL GraphQL"))
    shown = {str(memory.root / hit.path) for hit in answer.results}
    assert sum(1 + len(hit.more) for hit in answer.results) > len(shown) > 1
    assert len(read) == len({*read})
    assert shown < {*read}
    assert "forgotten" in read


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(memory: Git) -> None:
    (memory.root / "MEMORY.md").unlink()
    os.mkfifo(memory.root / "MEMORY.md")
    assert (
        _first(search(_workspace(memory), Request("certificate staging"))).path
        == "memory/2026-02-13.md"
    )


def test_every_item_of_some_files_is_rated_whatever_else_there_is(memory: Git) -> None:
    memory.write(
        "memory/2026-02-12.md", "- Nothing of interest.\n- The staging certificate again.\n"
    )
    paths, request = frozenset({"memory/2026-02-12.md"}), Request("the certificate of staging")
    with Searcher(_workspace(memory)) as searcher:
        alone = searcher.rated(request, paths)
        searcher.answer(Request("something else"))
        searcher.answer(request)
        assert searcher.rated(request, paths) == alone
        searcher.answer(request._replace(source="archive"))
        assert searcher.rated(request, paths) == alone
    assert [row.line for row, _ in alone] == [2, 1]
    assert all(row.path in paths for row, _ in alone)


def test_an_answer_says_where_the_rest_of_a_file_was_not_read(
    ask: Ask, memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (limits, plainfile, reading):
        monkeypatch.setattr(module, "LARGEST_FILE", 1 << 16)
    log = memory.write("memory/log.md", "- The ferry to Bergen is late.\n" * 3_000)
    with log.open("a") as file:
        file.write("- The zeppelin left at dawn.\n")
    note = "only the first 2 MiB of memory/log.md are searched"
    for query, is_noted in (("zeppelin dawn", True), ("ferry Bergen", True), ("billing", False)):
        assert (note in (ask(query).fallback or "")) == is_noted, query


def _old_note(memory: Git, text: str) -> None:
    """Writes a note in place; it changed long ago, and keeps its size."""
    note = memory.root / "memory/air.md"
    note.parent.mkdir(exist_ok=True)
    with note.open("r+" if note.exists() else "w") as opened:
        opened.write(text)
        opened.truncate()


def test_a_look_holds_until_there_is_a_new_commit(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.stores.index.searching._MOST_GLANCED", 0)
    with Searcher(_workspace(memory), patience=3600) as searcher:
        for _ in range(2):  # at the second question, there is nothing yet to glance at
            assert searcher.answer(Request("zeppelin hangar")).results == ()
        memory.write("memory/air.md", "- The zeppelin waits in its hangar.\n")
        assert searcher.answer(Request("zeppelin hangar")).results == ()
        memory.commit_all("air")
        assert _first(searcher.answer(Request("zeppelin hangar"))).path == "memory/air.md"


def test_while_a_look_holds_what_is_shown_is_what_the_files_hold(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.stores.index.searching._MOST_GLANCED", 0)
    _old_note(memory, "- The zeppelin waits in its hangar.\n")
    with Searcher(_workspace(memory), patience=3600) as searcher:
        for _ in range(2):
            assert _first(searcher.answer(Request("zeppelin hangar"))).path == "memory/air.md"
        _old_note(memory, "- The zeppelin stays in the hangar.\n")
        hit = _first(searcher.answer(Request("zeppelin hangar")))
        assert hit.snippet == "The zeppelin stays in the hangar."
        (memory.root / "memory/air.md").unlink()
        assert searcher.answer(Request("zeppelin hangar")).results == ()


def test_the_next_search_finds_every_edit_to_a_memory_of_few_files(memory: Git) -> None:
    _old_note(memory, "- The rent of May is paid.\n")
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    with Searcher(ws, patience=3600) as searcher:

        def found() -> set[str]:
            results = searcher.answer(Request("zeppelin hangar")).results
            return {hit.path for hit in results}

        assert found() == set()
        _old_note(memory, "- The zeppelin, a hangar.\n")
        assert found() == {"memory/air.md"}
        memory.write("memory/2026/hall.md", "- A zeppelin in its hangar.\n")
        assert found() == {"memory/air.md", "memory/2026/hall.md"}
        memory.write("memory/2026/two.md", "- The zeppelin left its hangar.\n")
        assert found() == {"memory/air.md", "memory/2026/hall.md", "memory/2026/two.md"}
        (memory.root / "memory/2026/two.md").unlink()
        (memory.root / "memory/air.md").rename(memory.root / "memory/sky.md")
        assert found() == {"memory/sky.md", "memory/2026/hall.md"}


@pytest.mark.parametrize(
    ("patience", "took", "holds"), [(0, 2.0, 0), (0.25, 0.01, 0.25), (0.25, 0.1, 1.9), (0.25, 9, 5)]
)
def test_a_look_that_took_long_holds_longer(patience: float, took: float, holds: float) -> None:
    assert hold_of(patience, took) == pytest.approx(holds)


def test_an_answer_leaves_nothing_for_the_garbage_collector(memory: Git) -> None:
    """What hangs together in a circle stays in memory until Python looks for it: a server that
    answers often would look often, and each look makes an answer wait."""
    memory.write("memory/screws.md", "".join(f"- Box {at} holds the screws.\n" for at in range(60)))
    with Searcher(_workspace(memory)) as searcher:
        for query in ("which box holds screws?", "box 7", "screws"):
            searcher.answer(Request(query))
        gc.collect()
        searcher.answer(Request("where are the screws of box 12?"))
        assert gc.collect() == 0


def test_a_surveyed_memory_answers_with_what_it_holds_now(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("SURVEYED_FROM", 0), ("SCANS", 0)):
        monkeypatch.setattr(f"clawgit.ops.search.text_vectors.{name}", value)
    monkeypatch.setattr("clawgit.stores.shortlist._FEWEST", 50)
    lines = [f"- Crate {at} holds the {at * 7} screws for shelf {at}.\n" for at in range(400)]
    memory.write("memory/stock.md", "".join(lines))
    request = Request("who repairs bicycles?", 5)
    with Searcher(_workspace(memory)) as surveyed:
        before = surveyed.answer(request)
        memory.write("memory/shop.md", "- The workshop of Mateo fixes bikes.\n")
        memory.write("memory/stock.md", "".join(lines[3:]))
        now = surveyed.answer(request)
    assert "memory/shop.md" not in {hit.path for hit in before.results}
    assert now.results[0].path == "memory/shop.md"
    monkeypatch.undo()
    scanned = search(_workspace(memory), request)
    assert [(hit.path, hit.line) for hit in now.results] == [
        (hit.path, hit.line) for hit in scanned.results
    ]


_GERMAN = """# Gesundheit

- Die Bandscheibenvorwölbung ist kein Vorfall und wird mit Krankengymnastik behandelt.
- Der Feuchtesensor zeigt in der Nacht 74 %, das ist zu viel.
- Häfele schickt sechs Bügel nach, die mit der Lieferung nicht gekommen sind.
- Auf dem Dach ist das Moos und auf der Terrasse der Grünbelag weg.
"""


@pytest.mark.parametrize(
    ("query", "line"), [("Bandscheibe", 3), ("Sensor", 4), ("nachgeschickt", 5)]
)
def test_a_single_word_is_read_in_the_language_of_the_memory(
    ask: Ask, memory: Git, query: str, line: int
) -> None:
    memory.write("memory/2026-02-10.md", _GERMAN)
    notes = "- Das ist auf der Liste und mit dem Rest nicht fertig.\n" * 9
    memory.write("memory/2026-02-11.md", f"# Liste\n\n{notes}")
    hit = _first(ask(query))
    assert (hit.line, hit.likely) == (line, True)


_JAPANESE = """# 方針

- 優先的に検討する項目と、直接の効果が見える項目を分けた。
- ログの異常を検知したら知らせる。
- 教材では、かけ算の前に筆算を練習した。
- 間違いは次の日までに直してから出した。
- 日にちは後から決める。
"""


@pytest.mark.parametrize(("query", "line"), [("検知", 4), ("かけ算", 5), ("直す", 6)])
def test_characters_of_the_memorys_language_are_cut_as_its_words(
    ask: Ask, memory: Git, query: str, line: int
) -> None:
    memory.write("memory/2026-02-10.md", _JAPANESE)
    hits = ask(query).results
    assert [(hit.line, hit.likely) for hit in hits if hit.likely] == [(line, True)]


def test_the_operators_name_stands_for_all_of_the_profile(ask: Ask, memory: Git) -> None:
    profile = "# USER.md\n\n- **Name:** Ana Ferreira\n\n## Work\n\n- Leads a team of eight.\n"
    memory.write("USER.md", profile)
    others = "".join(f"- Told Ana of the plan for hall {at}.\n" for at in range(9))
    teams = "".join(f"- The team of hall {at} plays.\n" for at in range(3))
    memory.write("memory/a.md", f"# Sports\n\n{others}{teams}")
    hit = _first(ask("how big is Ana's team"))
    assert hit.snippet == "Leads a team of eight."


@pytest.mark.parametrize(
    ("query", "is_likely"),
    [
        ("what happened on 12 June 2025", True),
        ("2025-06-11", False),
        ("what happened on 13 June 2025?", False),
        ("what happened on 11 June about the bank", True),
    ],
)
def test_only_what_is_of_the_day_is_likely_where_nothing_but_a_day_is_asked(
    ask: Ask, memory: Git, query: str, *, is_likely: bool
) -> None:
    memory.write("memory/2025-06-12.md", "# Wednesday\n\n- Wait for the bank.\n- It rained.\n")
    memory.write("memory/plan.md", "# What happens now\n\n- Write the form.\n")
    hits = ask(query).results
    assert [hit.path for hit in hits if hit.likely] == ["memory/2025-06-12.md"] * is_likely


_LIFE = {
    "memory/life/1979.md": "# 1979\n\n- Dave built a boat.\n",
    "memory/life/book.md": "# 1983\n\n- Dave sold the boat.\n",
    "memory/life/1960.md": "# 1960\n\n- Dave was born.\n\n# Later\n\n- Lena came in 2006.\n",
    "memory/life/1961.md": "# 1961\n\n- Dave could walk, so what did Dave do all day.\n",
    "memory/life/1988.md": "# Oslo\n\n- Eva went to sea.\n",
    "memory/life/2006-07.md": "# Summer\n\n- Ana saw the sea.\n",
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("in 1983", "Dave sold the boat."),
        ("what happened in 1983?", "Dave sold the boat."),
        ("what did Dave do in 1979", "Dave built a boat."),
        ("in 1988", "Eva went to sea."),
        ("in 2006", "Lena came in 2006."),
        ("in July 2006", "Ana saw the sea."),
        ("what happened in July 2006", "Ana saw the sea."),
    ],
)
def test_what_names_a_year_or_a_month_is_of_it(
    ask: Ask, memory: Git, query: str, found: str
) -> None:
    for path, text in _LIFE.items():
        memory.write(path, text)
    hit = _first(ask(query))
    assert (hit.snippet, hit.likely) == (found, True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("what happened from 3 June 2025 to 12 June 2025", {"04", "12"}),
        ("between June 3 and June 12, 2025", {"04", "12"}),
        ("what has happened since 12 June 2025", {"12", "25"}),
        ("what happened after 2025-06-12", {"25"}),
        ("before 12 June 2025", {"01", "04"}),
        ("until 4 June 2025", {"01", "04"}),
    ],
)
def test_what_was_noted_in_a_range_of_days_is_found(
    ask: Ask, memory: Git, query: str, found: set[str]
) -> None:
    done = {"01": "Fed the cat", "04": "Sold a bicycle", "12": "Lena called", "25": "It rained"}
    for day, line in done.items():
        memory.write(f"memory/2025-06-{day}.md", f"# Notes\n\n- {line}.\n")
    likely = {hit.path for hit in ask(query).results if hit.likely and "2025" in hit.path}
    assert likely == {f"memory/2025-06-{day}.md" for day in found}


def test_on_thursday_is_the_last_one_and_what_is_on_thursdays(ask: Ask, memory: Git) -> None:
    memory.write("memory/2026-02-12.md", "# Notes\n\n- Sold the bicycle.\n")
    memory.write("memory/plan.md", "# Week\n\n- Yoga: Thursdays at nine.\n")
    passed = [hit.path for hit in ask("what was done on Thursday").results if hit.likely]
    assert passed == ["memory/2026-02-12.md"]
    assert _first(ask("when is yoga on Thursday")).snippet == "Yoga: Thursdays at nine."


def test_the_first_hits_are_the_same_however_many_are_shown(ask: Ask, memory: Git) -> None:
    text = (
        "kiln glaze clay tea invoice rent Monday ferry Lena price paid garden bread doctor phone "
        "winter bicycle neighbour paint window lamp school ticket bank letter soup coat river "
        "music battery server backup password meeting budget holiday dentist cat fence market"
    )
    words = text.split()
    choose = random.Random(7)
    for day in range(10, 28):
        said = (choose.choices(words, k=choose.randint(2, 30)) for _ in range(12))
        lines = (f"## {some[0]}\n\n- {' '.join(some)}.\n" for some in said)
        memory.write(f"memory/2026-01-{day}.md", "\n".join(lines))
    for query in ("what did Lena pay for the clay of the kiln", "doctor bread winter coat music"):
        few, many = (ask(query, limit=limit).results for limit in (6, 20))
        assert [(hit.path, hit.line) for hit in few] == [(hit.path, hit.line) for hit in many[:6]]


def test_a_line_of_the_month_is_shown_though_a_line_near_it_has_the_word(
    ask: Ask, memory: Git
) -> None:
    lines = ("MRR in May: 4,200", "MRR in April: 3,900", "Revenue in June was 5100")
    memory.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {line}\n" for line in lines))
    for query in ("revenue in May", "MRR May", "MRR in May"):
        shown = [(hit.snippet, *(line.snippet for line in hit.more)) for hit in ask(query).results]
        assert any(lines[0] in each for each in shown)


def test_what_was_noted_on_a_day_comes_before_reports_of_it(ask: Ask, memory: Git) -> None:
    report = "# Report\n\n- All is consistent.\n\n# Checks\n\n- The checker ran.\n"
    memory.write("audits/2025-06-11-report.md", report)
    memory.write("memory/2025-06-11.md", "# Wednesday\n\n- Sold the bicycle.\n")
    hits = ask("what happened on 11 June 2025").results
    assert hits[0].path == "memory/2025-06-11.md"
    assert all(hit.likely for hit in hits if "2025-06-11" in hit.path)


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("25%", "Rate: 25 %"),
        ("25 %", "Rate: 25 %"),
        ("14 $", "Plan: $14"),
        ("$14", "Plan: $14"),
        ("-22", "Cellar: \u221222"),
        ("\u221222", "Cellar: \u221222"),
    ],
)
def test_a_figure_with_its_sign_comes_before_the_figure_alone(
    ask: Ask, memory: Git, query: str, line: str
) -> None:
    plain = "At the party in the barn behind the old mill there were {} people"
    lines = ["Rate: 25 %", "Plan: $14", "Cellar: \u221222", *map(plain.format, (25, 14, 22))]
    memory.write(
        "MEMORY.md",
        "# Memory\n\n"
        + "".join(f"## {at}\n\n- {line}\n\n" for at, line in zip("abcdef", lines, strict=True)),
    )
    hits = ask(query).results
    assert (hits[0].snippet, hits[0].likely) == (line, True)
    assert any("people" in hit.snippet for hit in hits)  # the figure alone is found, too


@pytest.mark.parametrize(("query", "missing"), [("389 Euro", ()), ("Euro", ("Euro",))])
def test_a_sum_is_found_whatever_the_name_of_its_currency(
    ask: Ask, memory: Git, query: str, missing: tuple[str, ...]
) -> None:
    memory.write("memory/a.md", "# A\n\n- Zone: Europe/Berlin.\n- The pump was 389 €.\n")
    answer = ask(query)
    assert answer.missing == missing
    assert not query[0].isdecimal() or _first(answer).snippet == "The pump was 389 €."


@pytest.mark.parametrize("query", ["9527", "mortgage", "“night ferry”", "COM-004", "10.0.9.1"])
def test_nothing_is_likely_where_what_is_looked_up_stands_nowhere(
    ask: Ask, memory: Git, query: str
) -> None:
    memory.write(
        "memory/a.md",
        "# A\n\n- Guess 1: 9062437.\n- The rent and the loan are paid.\n- Rule HALL-004: ask.\n"
        "- The disk is at 10.0.1.9, the printer on com 3.\n",
    )
    assert not any(hit.likely for hit in ask(query).results)


_NOTES = (
    *("The board confirmed the appointment of the new auditor", "The budget was approved in March"),
    *("Doctor scripts check the gateway every night", "Backups go to the second disk"),
    *("The lease of the office ends in June", "Ana prefers short mails"),
)


@pytest.mark.parametrize(
    ("query", "missing", "is_likely"),
    [
        ("when is the dentist appointment", ("dentist",), False),
        ("when is the appointment of the auditor", (), True),
        ("who told the board about the appointment of the new auditor", ("told",), True),
    ],
)
def test_nothing_is_likely_where_most_of_what_is_asked_stands_nowhere(
    ask: Ask, memory: Git, query: str, missing: tuple[str, ...], is_likely: bool
) -> None:
    notes = (f"- {line}, as was noted on page {page}.\n" for page in range(9) for line in _NOTES)
    memory.write("memory/a.md", f"# A\n\n{''.join(notes)}")
    answer = ask(query)
    assert (answer.missing, _first(answer).likely) == (missing, is_likely)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("partner", "Partner: Mili"),
        ("Franco's partner", "Partner: Mili"),
        ("email", "Email | franco@example.com"),
        ("what is my email", "Email | franco@example.com"),
        ("partner deal", "The partner of the deal is a company in Porto, which pays by the year"),
    ],
)
def test_a_field_that_is_named_stands_before_lines_that_mention_it(
    ask: Ask, memory: Git, query: str, first: str
) -> None:
    memory.write(
        "USER.md",
        "# User\n\n- Name: Franco\n- Partner: Mili\n\n| what | value |\n|---|---|\n"
        "| Email | franco@example.com |\n",
    )
    memory.write(
        "memory/a.md",
        "# Notes\n\n- The partner of the deal is a company in Porto, which pays by the year.\n"
        "- Franco wrote to the partner about the contract, which ends in the spring.\n"
        "- Franco has an email to write to the office before the end of the month.\n"
        "- Each email of the list was sent a second time after the outage of the relay.\n",
    )
    assert _first(ask(query)).snippet.rstrip(".") == first


def test_a_line_stands_before_that_of_an_old_copy_of_its_file(ask: Ask, memory: Git) -> None:
    memory.write("memory/infra.md", "# Infra\n\n- Up to 3 sub-agents run in parallel, not more.\n")
    memory.write("backup/memory/infra.md", "# Infra\n\n- Up to 4 sub-agents run in parallel.\n")
    memory.write("CONFIG.md", "# Config\n\n```yaml\nextra_paths: [backup]\n```\n")
    found = ask("how many sub-agents run in parallel", explain=True).results
    assert [hit.path for hit in found[:2]] == ["memory/infra.md", "backup/memory/infra.md"]
    assert "copy" in str(found[1].explain)
    assert "copy" not in str(found[0].explain)


def test_a_word_of_the_label_or_line_above_a_list_counts_half(memory: Git) -> None:
    memory.write(
        "memory/led.md",
        "# Clients\n\n**Hotel Mirador**\n\nPrices of the gardener:\n\n- spring 4,300\n- autumn 2,100\n",
    )
    ws = _workspace(memory, CLAWGIT_SEARCH_MODE="core")
    [hit, *_] = search(ws, Request("gardener autumn Mirador", explain=True)).results
    assert hit.snippet == "autumn 2,100"
    assert hit.explain is not None
    near = hit.explain["near"]
    assert isinstance(near, dict)
    assert near["gardener"] == near["mirador"] == 0.5
