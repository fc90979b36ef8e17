"""What calls an agent, and what only looks like it."""

import pytest
from hypothesis import given

from bench.triage import MINER, figures, samples
from clawgit.language.files import parsed
from clawgit.talk.rules.triage import RULES, VALIDATOR, read, triage
from tests.each import for_each
from tests.long_form import LONG_FORM
from tests.strategies import ANY_TEXT

SPEC = (
    ("remember (that|this|when)", "memory",
        ("Remember that!", "remember this", "Remember when you draft to sign")),
    ("don't forget", "memory", ("Don't forget the milk.",)),
    ("important:", "memory", ("Important: no nuts.",)),
    ("decision:", "memory", ("Decision: green.",)),
    ("we agreed", "memory", ("We agreed on green.",)),
    ("the plan is", "memory", ("The plan is Rome.",)),
    ("note to self", "memory", ("Note to self: screws",)),
    ("i (already|just) told you", "recall_failure", ("I already told you.", "I just told you.")),
    ("we (talked|discussed|went over) (about |this)", "recall_failure",
        ("We talked about it.", "we discussed this", "We went over this.")),
    ("you forgot", "recall_failure", ("You forgot Ana.",)),
    ("remember when i said", "recall_failure", ("Remember when I said no?",)),
    ("i mentioned (this|that|it) (before|earlier|already|yesterday|last)", "recall_failure",
        ("I mentioned this before.", "I mentioned that last week.", "I mentioned it yesterday.")),
    ("no,? (i said|it's|it was|my)", "recall_failure",
        ("No, I said two.", "no it was May", "No, my name is Eva.")),
    ("how many times", "recall_failure", ("How many times do I have to tell you?",)),
    ("don't you remember", "recall_failure", ("Don't you remember?",)),
    ("actually,? (it's|it was|the|I|we|that)", "soft_correction",
        ("Actually, it's May.", "actually it was Ana", "Actually, we live here.",
            "Actually that changed.")),
    ("no,? (it's|that's|the) ", "soft_correction",
        ("No, it's May.", "No that's Ana's.", "No, the other one.", "No, it is May.")),
    ("i (changed|switched|moved|updated|stopped|started) ", "soft_correction",
        ("I changed jobs.", "I switched banks.", "I moved house.", "I updated it.",
            "I stopped smoking.", "I started X.")),
    ("that's (not right|wrong|outdated|old)", "soft_correction",
        ("That's not right.", "That is wrong.", "that's outdated", "That's old.")),
    ("it's .{1,30} now", "soft_correction", ("It's 19 euros now.",)),
)  # fmt: skip
CALLS = {
    "memory": (None, MINER),
    "recall_failure": ("high", VALIDATOR),
    "soft_correction": ("medium", VALIDATOR),
}


def test_the_patterns_are_those_of_the_specification() -> None:
    assert [(rule["pattern"], rule["kind"]) for rule in parsed(RULES)["rules"]] == [
        (pattern, kind) for pattern, kind, _ in SPEC
    ]


@for_each(
    "pattern, kind, text",
    [(pattern, kind, text) for pattern, kind, texts in SPEC for text in texts],
)
def test_each_pattern_is_found_with_its_kind_confidence_and_route(
    pattern: str, kind: str, text: str
) -> None:
    [found] = [one for one in triage(text) if one.pattern == f"/{pattern}/i"]
    assert (found.kind, found.confidence, found.route) == (kind, *CALLS[kind])
    assert found.match in text


@for_each(
    "text, match", [("DON’T FORGET THE MILK", "DON’T FORGET"), ("İİ don't forget", "don't forget")]
)
def test_the_match_is_what_the_user_typed(text: str, match: str) -> None:
    assert [found.match for found in triage(text)] == [match]


@for_each(
    "text",
    [
        # words end where they end, and paragraphs too
        "The casino it's next to is closed.",
        "Don't\n\nforget",
        # quotations and code
        "> You forgot.",
        "```\nyou forgot\n```",
        "See:\n\n    you forgot\n",
        "Explain ``you ` forgot`` here.",
        # false friends
        "Actually, it's fine.",
        "No, my bad.",
        "I remember when it snowed.",
        "If you forgot, look it up.",
        "It's working now.",
        "No, that is all.",
        "It is late now.",
        "I stopped by the shop.",
        "Not important: the font.",
        '"You forgot" is a song.',
    ],
)
def test_a_false_friend_a_quotation_and_code_call_nobody(text: str) -> None:
    assert triage(text) == []


def test_the_figures_on_both_halves_of_the_labelled_messages() -> None:
    assert len(samples()) == len({sample.text for sample in samples()}) >= 300
    for kept in (False, True):
        half = [sample for sample in samples() if sample.kept == kept]
        assert len(half) >= 150
        for route in (MINER, VALIDATOR):
            found = figures(half, route)
            assert found.recall >= 0.9, (kept, route)
            # A false friend stays only if it excuses something unread.
            assert found.precision >= (0.95 if kept else 0.85), (kept, route)


@given(ANY_TEXT, ANY_TEXT)
def test_it_never_fails_and_keeps_every_sign_in_its_place(before: str, after: str) -> None:
    text = f"{before} you forgot {after}"
    reading = read(text)
    assert len(reading.text) == len(reading.plain) == len(reading.joined)
    assert all(found.match in text for found in triage(text))


PUMPS = (
    "it's a now ", "no, it's ", "remember that ", "remember when ", '"', "`a", "` ", "``` ", "> ",
    "it's", "\n", "- ", "actually, i ", "actually, the a a a is ", "the a a a we talked about ",
    "you forgot ", "how many times ", "i moved ", "how many times i i i ", "don't forget. ",
    "it's . now ", "the a a that's old ", "'", "“", "⟦", "i i i remember that ", "    a\n",
    "~~~\n", "if if if ", "what is it's ? now ",
)  # fmt: skip


SIZES = [10_000, pytest.param(200_000, marks=LONG_FORM)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pumps", [PUMPS[:10], PUMPS[10:20], PUMPS[20:]], ids=range(3))
def test_the_worst_of_texts_is_read_to_its_end(size: int, pumps: tuple[str, ...]) -> None:
    """At the long size a quadratic pattern would not come to an end."""
    for pump in pumps:
        text = f"{(pump * size)[:size]}\n\nYou forgot the milk.\n"
        # A trigger that stands several times is told once, as it stands first.
        assert "you forgot" in [one.match.lower() for one in triage(text)], pump
