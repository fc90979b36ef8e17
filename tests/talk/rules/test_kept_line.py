"""A kept line holds one span of its evidence, whatever the text, and reads back as it was
written."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.markdown import frames
from clawgit.language.clauses import sentences
from clawgit.talk.rules.kept_line import bears, kept, line, operators_name, quotable, read
from clawgit.talk.rules.quotes import quotes_of, with_quote
from tests.each import for_each
from tests.language.test_spans import TEXTS
from tests.language.turning import turns

SAID = datetime(2026, 11, 18, 10, tzinfo=UTC)  # a Wednesday


@given(text=TEXTS, speaker=st.text(max_size=8))
@example(text="Moved (2026-11-22)", speaker="Marta")
@example(text="Anna: “I am late” (said 2026-01-01) #event", speaker="a: “b”")
@example(text="- > FYI, **remember that I left #event #event**", speaker="")
@example(text="是是是 (2026-01-01) (2026-01-02)", speaker="玛塔")
@example(text="The port is 80<!-- it was 443 -->80", speaker="")
def test_a_line_bears_its_evidence_and_reads_back(text: str, speaker: str) -> None:
    for sentence in (text, *(piece.text for piece in sentences(text))):
        keep = kept(sentence, speaker, SAID)
        assert read(line(keep)) == keep
        assert "\n" not in line(keep)
        if keep.words:
            assert bears(text, line(keep))
            assert bears(f"before. {sentence} after.", line(keep)) or not sentence.strip()


@given(text=TEXTS)
def test_every_sign_of_a_line_is_of_its_evidence_or_of_a_frame(text: str) -> None:
    keep = kept(text, "Marta", SAID)
    rest = line(keep)
    framed = frames.QUOTE.format(speaker="Marta", words=keep.words) if keep.speaker else keep.words
    assert rest.removeprefix(framed).strip() in ("", keep.bracket)


@for_each(
    "evidence, written, borne",
    [
        ("The call is on Thursday at 10:00.", "call is on Thursday", True),
        ("The call is on Thursday at 10:00.", "call is on Thursday at 10", False),
        ("Marta's art", "art", True),
        ("Marta sings", "art", False),
        ("It costs 3.50", "It costs 3", False),
        ("don't wait", "don", False),
        ("snake_case name", "snake", False),
        ("会议在星期三", "在星期三", True),
        ("one\n  line", "one line", True),
        ("my wife's birthday is March 3",
            "- Marta: “my wife's birthday is March 3” #event <!-- t=1 -->", True),
        ("my wife's birthday is March 3", "my wife's birthday is 2027-03-03", False),
        ("anything", "", False),
    ],
)  # fmt: skip
def test_words_are_borne_whole(evidence: str, written: str, borne: bool) -> None:
    assert bears(evidence, written) is borne


@for_each(
    "said, written",
    [
        ("Anna says the shop is closed.", "the shop is closed."),
        ("We do not ship to France.", "ship to France."),
        ("Use tabs unless it is Python.", "Use tabs"),
        ("Maybe the rent goes up in May.", "the rent goes up in May."),
        ("Ich glaube, der Zug fährt um neun.", "der Zug fährt um neun."),
        ("No vendemos pan los lunes.", "vendemos pan los lunes."),
        ("如果下雨，会议取消。", "会议取消。"),
        ("店は開いていない。", "店は開いて"),
    ],
)
def test_what_is_kept_leaves_out_no_word_that_turns_its_meaning(said: str, written: str) -> None:
    assert bears(said, written)
    assert turns(_cut_off(said, written))
    assert not turns(_cut_off(said, read(line(kept(said, "Marta", SAID))).words))


def _cut_off(said: str, words: str) -> str:
    return said.replace(words, " ")


@for_each(
    "said, written",
    [
        ("my wife's birthday is March 3", "Marta: “my wife's birthday is March 3”"),
        ("FYI, the shop will be closed on Sunday",
            "the shop will be closed on Sunday (said 2026-11-18)"),
        ("Hey Claw, the shop was closed on Sunday",
            "the shop was closed on Sunday (said 2026-11-18)"),
        ("The party is on Sunday", "The party is on Sunday (said 2026-11-18)"),
    ],
)  # fmt: skip
def test_how_a_sentence_is_kept(said: str, written: str) -> None:
    assert line(kept(said, "Marta", SAID)) == written


@for_each("name", ["Marta", "Marta “Mo” Lopez", "Marta: the boss", "**Marta**", "M" * 200])
def test_whoever_is_quoted_is_read_back(name: str) -> None:
    """Else the same sentence would be quoted again, and the quote taken for a fact."""
    speaker = quotable(operators_name(f"- **Name:** {name}\n"))
    quoted = with_quote("- The call is at 3.\n", speaker, "No, at 4.")
    assert [quote.words for quote in quotes_of(quoted)] == ["No, at 4."]
