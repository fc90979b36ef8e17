"""Old lines and corrections in words that nobody said, and what takes their place."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.conversation.chat import USER, Message, evidence_of, told
from clawgit.domain.corrections.corrections import Correction, corrections, render
from clawgit.domain.corrections.disputed import quotes_of
from clawgit.domain.corrections.requoting import (
    CitedMessages,
    cited,
    is_unsaid,
    requoted_corrections,
    requoted_lines,
)
from clawgit.domain.extraction.quoting import bears
from clawgit.domain.markdown.entry import entries
from tests.each import for_each

NOW = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
PATH = "MEMORY.md"


def message(text: str, ident: str = "1") -> Message:
    return told("main", USER, text, NOW, ident)


def line(
    words: str, *evidence: str, src: str = "explicit", more: str = "", ident: str = "maaaaa"
) -> str:
    cites = "".join(f" ev={one}" for one in evidence)
    return f"- {words} #knowledge <!-- claw:{ident} conf=0.95 n=1{more} src={src}{cites} -->\n"


def mended(words: str, said: str, **given_: str) -> tuple[str, list[str | None]]:
    one = message(said)
    heard = CitedMessages({evidence_of(one): one}, "Marta Lindqvist", UTC)
    text = f"# Memory\n\n{line(words, evidence_of(one), **given_)}\n- Mine.\n"
    after, found = requoted_lines(PATH, text, heard)
    return after, [each.after for each in found]


@pytest.mark.parametrize(
    ("words", "said", "wanted"),
    [
        (
            "The Type Marta Lindqvist errors rate is 5%",
            "Remember that the Type I error rate is 5%.",
            "Type I error rate",
        ),
        (
            "Loop variable Marta Lindqvist must not leak",
            "hm. the loop variable i must not leak",
            "loop variable i must",
        ),
        ("Malmö Marta Lindqvist Sveriges", "Malmö i Sverige", "Malmö i Sverige"),
        (
            "Marta Lindqvist's wife's birthday is 2027-03-03",
            "ok\nmy wife's birthday is March 3",
            "my wife's birthday is",
        ),
    ],
)
def test_the_words_of_the_message_come_back(words: str, said: str, wanted: str) -> None:
    after, found = mended(words, said)
    [entry, mine] = entries(after)
    assert found[0] is not None
    assert bears(said, found[0])
    assert wanted in entry.text
    assert "Lindqvist must" not in after
    assert entry.meta is not None
    assert (entry.meta.id, entry.primary, mine.text) == ("maaaaa", "knowledge", "Mine.")


def test_a_line_that_rests_on_a_note_too_is_not_judged_by_a_message_that_disputed_it() -> None:
    one = message("No, the review is on Fridays.")
    text = (
        "# Facts\n\n"
        f"{line('The review is on Wednesdays.', 'memory/2026-02-13.md#L9', evidence_of(one))}"
    )
    assert requoted_lines(PATH, text, CitedMessages({evidence_of(one): one}, "Marta", UTC)) == (
        text,
        [],
    )


def test_a_sentence_that_needs_its_speaker_is_a_quotation() -> None:
    _, found = mended("Marta Lindqvist's wife likes tea", "My wife likes tea.")
    assert found == ["Marta Lindqvist: “My wife likes tea.”"]


@for_each(
    "words, given_",
    [
        ("The call is on Thursday", {}),
        ("the call is on Thursday (2026-02-19)", {}),
        ("Marta: “the call is on Thursday”", {}),
        ("The calls are on Fridays", {"src": "correction"}),
        ("The calls are on Fridays", {"src": "manual"}),
        ("The calls are on Fridays", {"more": " status=superseded"}),
    ],
)
def test_what_was_said_and_what_is_not_from_a_conversation_stays(
    words: str, given_: dict[str, str]
) -> None:
    after, found = mended(words, "The call is on Thursday; yes, the call is on Thursday.", **given_)
    assert found == []
    assert words in after


def test_a_line_whose_message_is_gone_is_not_judged() -> None:
    one = message("The call is on Thursday.")
    text = line("Something else", evidence_of(one), "chat:main/gone")
    assert requoted_lines(PATH, text, CitedMessages({evidence_of(one): one}, "Marta")) == (text, [])
    assert cited(text) == {evidence_of(one), "chat:main/gone"}


@pytest.mark.parametrize(
    "said",
    [
        "Nothing of it is in here.",
        (
            "The rate limits error: password is hunter2secret and key ghp_"
            "R9dK2mQ7xV4tB8nL1cF6hJ3pS5wZ0yA2uE4i"
        ),
        "rate limits error " * 40,
    ],
    ids=["other", "secret", "long"],
)
def test_what_cannot_be_kept_takes_no_place(said: str) -> None:
    words = "Marta's rates limits errors are secret"
    after, found = mended(words, said)
    assert found == [None]
    assert words in after


def test_a_second_look_finds_nothing_left() -> None:
    said = "Remember that the Type I error rate is 5%. And my wife's birthday is March 3."
    one = message(said)
    heard = CitedMessages({evidence_of(one): one}, "Marta", UTC)
    text = line("The Type Marta error rate is 5%", evidence_of(one)) + line(
        "Marta's wife's birthday is 2027-03-03", evidence_of(one), ident="mbbbbb"
    )
    after, found = requoted_lines(PATH, text, heard)
    assert len(found) == 2
    assert requoted_lines(PATH, after, heard) == (after, [])


WORDS = st.lists(
    st.sampled_from(
        ("I", "the", "call", "Thursday", "Ana's", "3:30", "not", "moved", "。", "会议")
    ),
    max_size=9,
)


@given(WORDS, WORDS, st.sampled_from((". ", "\n- ", " ")))
def test_no_line_gets_words_that_its_message_lacks(
    old: list[str], said: list[str], gap: str
) -> None:
    text = f"{' '.join(said)}{gap}{' '.join(said[:4])}"
    one = message(text or "x")
    before = line(" ".join(old) or "x", evidence_of(one))
    after, found = requoted_lines(PATH, before, CitedMessages({evidence_of(one): one}, "Marta"))
    for each in found:
        assert each.after is None or bears(one.text, each.after)
    if not any(each.after for each in found):
        assert after == before


# corrections


def correction(words: str, correct: str, was: str, **fields: str) -> Correction:
    return Correction("kkkkllll", NOW, "no,", "high", "", correct, was, True,
        fields.get("status", "confirmed"),
                      words=words,
                          source="chat:main/1")._replace(trigger=fields.get("trigger",
                              "no,"))  # fmt: skip


CALL = "mbbbbb The weekly call is on Thursday at 10:00"


@for_each(
    "words, correct, was, unsaid",
    [
        (
            "No, I said the weekly call is on Thursday at 10:00.",
            "The weekly call is on Tuesday at 10:00",
            CALL,
            True,
        ),
        ("No, the weekly call is on Friday", "The weekly call is on Friday at 10:00", CALL, False),
        ("No, the weekly call is on Friday", "the weekly call is on Friday", CALL, False),
        ("No, it's on Friday at 9", "The weekly call is on Friday at 10:00", CALL, False),
        (
            "I switched to GitHub Actions for CI",
            "GitHub Actions for CI for CI",
            "maaaaa Travis for CI",
            False,
        ),
        ("It's not Bengt, it's Lars.", "Bengt is Lars", "maaaaa The plumber is Bengt", True),
        ("No, at 3:30", "The weekly call is on Thursday at 9:30", CALL, True),
        ("No, it's Monday", "Monday is the call", CALL, True),
        ("No, it's on Friday", "The weekly call is on Friday", "", True),
    ],
)
def test_a_correction_stands_where_one_span_was_exchanged_for_the_operators(
    words: str, correct: str, was: str, unsaid: bool
) -> None:
    assert is_unsaid(correction(words, correct, was)) is unsaid
    assert not is_unsaid(correction(words, correct, was, status="open"))
    assert not is_unsaid(correction(words, correct, was, trigger="")), "it was typed in"


def test_a_correction_that_nobody_said_is_quoted_under_its_entry() -> None:
    words = "No, I said the weekly call is on Thursday at 10:00."
    one = correction(words, "The weekly call is on Tuesday at 10:00", CALL)
    log = f"# CORRECTIONS.md\n\n{render(one)}"
    memory = (
        "# Memory\n\n- The weekly call is on Tuesday at 10:00 #event <!-- claw:mbbbbb "
        "conf=1.0 src=correction -->\n"
    )
    after, found = requoted_corrections(
        log, {PATH: memory, "memory/2026-02-13.md": "- Other.\n"}, [one], "Marta"
    )
    [logged] = corrections(after["CORRECTIONS.md"])
    assert (logged.correct, logged.status, logged.words) == (words, "quoted", words)
    [entry] = entries(after[PATH])
    assert entry.meta is not None
    assert entry.meta.status == "disputed"
    assert [(quote.speaker, quote.words) for quote in quotes_of(entry.raw)] == [("Marta", words)]
    assert [each.after for each in found] == [words]
    assert "memory/2026-02-13.md" not in after


def test_of_a_long_message_the_sentence_that_it_is_about_is_quoted() -> None:
    words = (
        "No, the weekly call is on Thursday. "
        f"{'And then we went on and on about other matters. ' * 9}"
    )
    one = correction(words, "The call weekly is at Tuesday", CALL)
    after, _ = requoted_corrections(render(one), {}, [one], "")
    assert corrections(after["CORRECTIONS.md"])[0].correct == "No, the weekly call is on Thursday."
