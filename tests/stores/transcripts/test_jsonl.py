"""Transcripts as files: read where they went on, read again where they changed, and never harmed by
what is in them."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.domain.conversation.transcript import message_of
from clawgit.stores.transcripts import source
from clawgit.stores.transcripts.events import open_transcripts
from clawgit.stores.transcripts.source import (
    NOT_JSON,
    NOT_UTF8,
    TOO_LONG,
    Position,
    TranscriptReading,
    UnreadableTranscriptError,
)
from tests.stores.transcripts.states import append, header, index, message, talk, write

Read = tuple[list[str], Mapping[str, int], Position]


def read(agent: Path, position: Position | None = None, at: int = -1) -> Read:
    """The texts that a reading finds in the newest transcript, its faults, and where the next one
    goes on."""
    with open_transcripts(agent) as found:
        reading = TranscriptReading(found.all[at], position or Position())
        texts, last = [], Position()
        for one in reading.entries():
            last = reading.position(one)
            said = one.entry and message_of(one.entry, "c", "", datetime(1970, 1, 1, tzinfo=UTC))
            texts += [said.text] if said else []
        return texts, dict(reading.faults), last


def test_a_transcript_is_read_on_from_where_it_was_read_to(tmp_path: Path) -> None:
    file = write(tmp_path, "s1.jsonl", [header("s1"), *talk("one", "two")])
    texts, _, position = read(tmp_path)
    assert texts == ["one", "two"]
    assert read(tmp_path, position)[0] == []
    append(file, *talk("three", start=3))
    texts, _, position = read(tmp_path, position)
    assert texts == ["three"]
    assert Position.parse(position.render()) == position


def test_what_has_not_changed_is_no_news(tmp_path: Path) -> None:
    file = write(tmp_path, "s1.jsonl", talk("one"))
    position = read(tmp_path)[2]
    with open_transcripts(tmp_path) as found:
        assert not TranscriptReading(found.all[0], position).is_news
    append(file, *talk("two", start=2))
    with open_transcripts(tmp_path) as found:
        assert TranscriptReading(found.all[0], position).is_news


def test_a_dead_branch_is_not_read(tmp_path: Path) -> None:
    lines = talk("one", "two", "abandoned", "answered")
    write(tmp_path, "s1.jsonl", [*lines, message("n1", "m2", "instead")])
    assert read(tmp_path)[0] == ["one", "two", "instead"]


def test_a_branch_that_turns_back_into_what_was_read_is_read_whole(tmp_path: Path) -> None:
    file = write(tmp_path, "s1.jsonl", talk("one", "two", "three"))
    position = read(tmp_path)[2]
    append(file, message("n1", "m3", "four"), message("n2", "m1", "back"))
    assert read(tmp_path, position)[0] == ["one", "back"]


@pytest.mark.parametrize("cut", [1, 30, 60])
def test_a_line_half_written_is_left_for_the_next_time(tmp_path: Path, cut: int) -> None:
    [line] = talk("two", start=2)
    raw = json.dumps(line).encode() + b"\n"
    file = write(tmp_path, "s1.jsonl", talk("one"), raw[:cut])
    texts, faults, position = read(tmp_path)
    assert (texts, faults) == (["one"], {})
    with file.open("ab") as out:
        out.write(raw[cut:])
    assert read(tmp_path, position)[:2] == (["two"], {})


def test_a_last_line_without_its_end_is_read_when_it_is_whole(tmp_path: Path) -> None:
    [line] = talk("two", start=2)
    file = write(tmp_path, "s1.jsonl", talk("one"), json.dumps(line).encode())
    texts, _, position = read(tmp_path)
    assert texts == ["one", "two"]
    with file.open("ab") as out:
        out.write(b"\n")
    append(file, *talk("three", start=3))
    assert read(tmp_path, position)[0] == ["three"]


def test_a_file_that_was_replaced_or_cut_is_read_from_the_start(tmp_path: Path) -> None:
    file = write(tmp_path, "s1.jsonl", talk("one", "two", "three"))
    position = read(tmp_path)[2]
    for texts in (("one",), ("one", "other", "third", "more"), ()):
        write(tmp_path, "new", talk(*texts)).replace(file)
        assert read(tmp_path, position)[0] == [*texts]
    write(tmp_path, "s1.jsonl", talk("one", "two", "three"))
    assert file.stat().st_ino != 0
    position = read(tmp_path)[2]
    write(tmp_path, "s1.jsonl", talk("one", "TWO", "THREE", "four"))
    assert read(tmp_path, position)[0] == ["one", "TWO", "THREE", "four"]


def test_what_cannot_be_read_is_counted_and_passed_over(tmp_path: Path) -> None:
    file = write(tmp_path, "s1.jsonl", talk("one"), b"{broken\n[1]\nnull\n\n\0\0\0\n")
    with file.open("ab") as out:
        out.write(b"\0\0" + json.dumps(talk("two", start=2)[0]).encode() + b"\n")
        out.write(b"[" * 100_000 + b"\n")
        out.write(
            json.dumps(talk("three", start=3)[0]).encode().replace(b"three", b"thr\xffee") + b"\n"
        )
        out.write(b'{"type": 5, "id": {}, "parentId": []}\n')
    texts, faults, _ = read(tmp_path)
    assert texts == ["one", "two", "thr\ufffdee"]
    assert faults == {NOT_JSON: 4, NOT_UTF8: 1}


def test_a_replacement_character_of_the_writer_s_own_is_no_fault(tmp_path: Path) -> None:
    write(
        tmp_path,
        "s1.jsonl",
        [],
        '{"type": "message", "role": "user", "content": "\ufffd"}\n'.encode(),
    )
    assert read(tmp_path)[:2] == (["\ufffd"], {})


def test_a_lost_line_does_not_cut_off_what_came_before(tmp_path: Path) -> None:
    lines = talk("one", "two", "three", "four")
    file = write(tmp_path, "s1.jsonl", lines)
    file.write_bytes(file.read_bytes().replace(b'"m2", "parentId"', b'"m2" "parentId"'))
    assert read(tmp_path)[0] == ["one", "three", "four"]


def test_a_line_of_megabytes_is_read_and_one_without_bounds_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.stores.transcripts.jsonl.LONGEST_LINE", 100_000)
    file = write(tmp_path, "s1.jsonl", talk("one", "x" * 90_000, "y" * 400_000, "four"))
    texts, faults, position = read(tmp_path)
    assert [len(text) for text in texts] == [3, 90_000, 4]
    assert faults == {TOO_LONG: 1}
    with file.open("ab") as out:
        out.write(b'{"type": "message", "z": "' + b"z" * 300_000)
    texts, faults, unmoved = read(tmp_path, position)
    assert (texts, faults, unmoved.end) == ([], {}, position.end)


def test_transcripts_of_the_first_releases_have_neither_ids_nor_parents(tmp_path: Path) -> None:
    lines = [
        {"type": "message", "message": {"role": "user", "content": text}} for text in ("one", "two")
    ]
    file = write(tmp_path, "s1.jsonl", [header("s1"), *lines])
    texts, _, position = read(tmp_path)
    assert texts == ["one", "two"]
    append(file, *lines[:1])
    assert read(tmp_path, position)[0] == ["one"]


def test_archives_are_transcripts_of_the_session_in_their_name(tmp_path: Path) -> None:
    index(tmp_path, s1="agent:main:main")
    names = (
        "s1.jsonl",
        "s0.jsonl.reset.2026-02-04T03-59-00.000Z",
        "s2.jsonl.deleted.2026-02-04",
        "s3.jsonl.bak-1-2",
        "s1.checkpoint.aa.jsonl",
    )
    for at, name in enumerate((*names, "s4.jsonl.lock", "notes.txt", "s5.jsonl.tmp")):
        os.utime(write(tmp_path, name, talk(name)), (at, at))
    with open_transcripts(tmp_path) as found:
        assert [one.session.id for one in found.all] == ["s1", "s0", "s2", "s3", "s1"]
        assert [one.session.key for one in found.all] == [
            "agent:main:main",
            "",
            "",
            "",
            "agent:main:main",
        ]


def test_the_index_names_sessions_by_id_or_by_file(tmp_path: Path) -> None:
    write(tmp_path, "s1-topic-9.jsonl", talk("one"))
    listed = {
        "agent:main:old": {"sessionId": "s1", "sessionFile": "/x/s1-topic-9.jsonl", "updatedAt": 1},
        "agent:main:new": {
            "sessionId": "s1",
            "sessionFile": "/x/s1-topic-9.jsonl",
            "updatedAt": 2,
            "channel": "telegram",
        },
        "agent:main:odd": "odd",
    }
    (tmp_path / "sessions/sessions.json").write_text(json.dumps(listed))
    with open_transcripts(tmp_path) as found:
        [one] = found.all
    assert (one.session.key, one.session.channel) == ("agent:main:new", "telegram")


@pytest.mark.parametrize("broken", ["{", "[]", "\0"])
def test_a_broken_index_costs_only_the_names(tmp_path: Path, broken: str) -> None:
    write(tmp_path, "s1.jsonl", talk("one"))
    (tmp_path / "sessions/sessions.json").write_text(broken)
    with open_transcripts(tmp_path) as found:
        assert [one.session.key for one in found.all] == [""]
        assert [note.partition(" cannot")[0] for note in found.notes] == [
            str(tmp_path / "sessions/sessions.json")
        ]


def test_names_of_any_bytes_are_names_that_a_database_can_hold(tmp_path: Path) -> None:
    files = [
        tmp_path / "sessions" / os.fsdecode(name)
        for name in (b"\xff.jsonl", b"\xfe.jsonl", b"s1.jsonl")
    ]
    for file in files:
        write(tmp_path, file.name, talk("one"))
    index(tmp_path, s1="agent:\ud800")
    with open_transcripts(tmp_path) as found:
        names = [one.source.encode() for one in found.all]
        sessions = [(one.session.id + one.session.key).encode() for one in found.all]
    assert len(set(names)) == 3
    assert "agent:\ufffd" in b"".join(sessions).decode()


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.jsonl"
    secret.write_text("{}\n")
    write(tmp_path, "s1.jsonl", talk("one"))
    (tmp_path / "sessions/s2.jsonl").symlink_to(secret)
    with open_transcripts(tmp_path) as found:
        assert [one.session.id for one in found.all] == ["s1"]


def test_a_transcript_that_vanishes_is_an_error_of_its_own(tmp_path: Path) -> None:
    file = write(tmp_path, "s1.jsonl", talk("one"))
    with open_transcripts(tmp_path) as found:
        file.unlink()
        with pytest.raises(UnreadableTranscriptError, match="No such file"):
            TranscriptReading(found.all[0], Position())


def test_what_comes_between_the_two_looks_is_for_the_next_reading(tmp_path: Path) -> None:
    file = write(tmp_path, "s1.jsonl", talk("one", "two"))
    with open_transcripts(tmp_path) as found:
        reading = TranscriptReading(found.all[0], Position())
        entries = reading.entries()
        first = next(entries)
        append(file, *talk("three", start=3))
        last = [first, *entries][-1]
        position = reading.position(last)
    assert read(tmp_path, position)[0] == ["three"]


def test_an_agent_that_has_not_talked_yet_has_no_transcripts(tmp_path: Path) -> None:
    with open_transcripts(tmp_path) as found:
        assert (found.all, found.notes) == ((), [])


def test_the_limit_of_a_line_is_beyond_what_a_picture_takes() -> None:
    assert source.LONGEST_LINE >= 5 * 1024 * 1024
