"""The note of a session: which messages it holds, what it is called, and that nothing said in it is
more than text."""

from datetime import datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.entry import entries, problems
from clawgit.core.markdown.item import items
from clawgit.core.markdown.scan import scan
from clawgit.talk.rules.session import SessionMessage, text_of
from clawgit.talk.rules.session_note import About, as_text, ending, is_note_of, note, note_name
from clawgit.talk.rules.transcript import TranscriptEntry, entry_of
from tests.each import for_each
from tests.session_lab import entry, said, talk
from tests.strategies import ANY_TEXT

ENDED = datetime(2026, 2, 14, 18, 5, tzinfo=timezone(timedelta(hours=1)))
ABOUT = About("agent:main:main", "5f1c9a52-4b7e", "telegram", ENDED)


def entries_of(*messages: SessionMessage | TranscriptEntry) -> list[TranscriptEntry]:
    return [
        one if isinstance(one, TranscriptEntry) else entry_of(one.value, str(at))
        for at, one in enumerate(messages)
    ]


def last(*messages: SessionMessage | TranscriptEntry) -> list[str]:
    return [text_of(one) for one in ending(entries_of(*messages))[0]]


def test_the_last_ones_are_taken_over_a_compaction() -> None:
    texts = [str(at) for at in range(20)]
    assert last(*talk(*texts)) == texts[5:]
    divided: list[SessionMessage | TranscriptEntry] = [
        *talk("a", "b"),
        entry_of(entry("compaction", "x", summary="in short"), "9"),
        said("user", "c"),
    ]
    assert last(*divided) == ["a", "b", "c"]


def test_a_reset_begins_another_session_once_something_was_said() -> None:
    reset = entry_of(entry("reset", "r1"), "9")
    assert last(*talk("a", "b"), reset) == ["a", "b"]
    found, mark = ending(entries_of(*talk("a", "b"), reset, said("user", "c")))
    assert ([text_of(one) for one in found], mark) == (["c"], "r1")
    assert ending([]) == ([], "")


@for_each(
    "text, expected",
    [
        ("one\n# two", "one\n\\# two"),
        ("one\n```py\nx\n```", "one\n\\```py\nx\n\\```"),
        ("x <!-- claw:abcdef n=9 --> y", "x <\\!-- claw:abcdef n=9 --> y"),
    ],
)
def test_markup_of_a_message_is_only_text(text: str, expected: str) -> None:
    assert as_text(text) == expected


@given(st.lists(ANY_TEXT, min_size=1, max_size=3), ANY_TEXT, ANY_TEXT)
def test_whatever_is_said_the_file_keeps_its_structure(
    texts: list[str], key: str, source: str
) -> None:
    heard, _ = ending(entries_of(*talk(*texts)))
    text = note(About(key, "s1", source, ENDED), heard)
    kinds = [block.kind for block in scan(text) if block.kind != "blank"]
    assert kinds == ["heading", *["item"] * 3, "heading", *["para"] * len(heard)]
    assert "<!--" not in text
    assert problems("memory/2026-02-14-x.md", text) == ()
    assert [one.meta for one in entries(text)] == [None] * 3
    found = [
        one
        for one in items("memory/2026-02-14-x.md", text, 10**6)
        if one.kind not in ("item", "heading")
    ]
    assert [(one.kind, one.text.partition(":")[0]) for one in found] == [
        ("turn", one.role) for one in heard
    ]
    text.encode()


def test_a_note_is_known_by_its_session_whoever_wrote_it() -> None:
    openclaw = (
        "# Session: 2026-02-14 17:05:12 UTC\n\n- **Session Key**: agent:main:main\n- "
        "**Session ID**: s1\n"
    )
    assert is_note_of(openclaw, "s1")
    assert is_note_of(openclaw.replace("**", ""), "s1")
    assert is_note_of(note(ABOUT._replace(id="a#b*c"), talk("Hi")), "a#b*c")
    assert not is_note_of(openclaw, "s")
    assert not is_note_of(openclaw.replace("# Session:", "# Day"), "s1")
    assert not is_note_of("# Session: x\n" + "\n" * 30 + "- **Session ID**: s1\n", "s1")
    assert not is_note_of("", "")


def test_what_openclaw_wraps_a_message_in_is_not_noted_and_hides_no_command() -> None:
    wrapped = "[Telegram Ana 2026-02-14 09:00] {}\n[message_id: 7]"
    lines = [
        {"role": "user", "text": wrapped.format(text)} for text in ("Ship it on Friday.", "/new")
    ]
    spoken, _ = ending([entry_of(line, str(at)) for at, line in enumerate(lines)])
    assert "user: Ship it on Friday.\n" in note(ABOUT, spoken)
    assert "Telegram" not in note(ABOUT, spoken)
    assert len(spoken) == 1


def test_a_note_without_words_is_called_by_its_time() -> None:
    names = {"": "1805", "Vendor pitch, day 2": "vendor-pitch", "../../etc/passwd": "etc-passwd"}
    for words, name in names.items():
        assert note_name(ABOUT, words) == f"memory/2026-02-14-{name}.md"
