"""What every chat store does, held against all of them."""

from datetime import UTC, datetime, timedelta

from clawgit.talk.rules.chat import Message, recorded, told
from clawgit.talk.stores.chat import MessageQuery
from tests.conftest import NOW
from tests.each import for_each
from tests.talk.stores.chat.servers import LocalChat

KEY = "agent:main:main"


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def record(text: str, minutes: float = 0, session: str = KEY, role: str = "user") -> Message:
    return recorded(f"{session}-id", session, role, text, at(minutes), f"r{minutes}")


def live(text: str, minutes: float = 0) -> Message:
    return told(KEY, "user", text, at(minutes), "")


def texts(store: LocalChat, query: str = "", **wanted: object) -> list[str]:
    return [message.text for message in store.find(MessageQuery(query, **wanted))]  # type: ignore[arg-type]


def test_what_is_put_in_comes_out_as_it_was(store: LocalChat) -> None:
    when = datetime(2026, 2, 14, 9, 0, 0, 123_456, tzinfo=UTC)
    message = recorded("c", KEY, "user", "It’s 東京 \u2400 🦞\n\nline", when, "1")
    message = message._replace(priority=True)
    assert store.put([message]) == [message]
    assert store.find(MessageQuery()) == [message]
    assert store.get("c/1") == message
    assert store.get("c/2") is None
    assert store.count() == 1
    assert store.find(MessageQuery())[0].time.utcoffset() == timedelta()
    # A text of megabytes with very many words is kept whole.
    long = " ".join(f"word{number}" for number in range(20_000)) + "x" * 1_000_000
    store.put([record(long)])
    assert store.find(MessageQuery("word17 word4999"))[0].text == long


def test_the_same_again_changes_nothing_and_is_not_new(store: LocalChat) -> None:
    batch = [record("one", 1), record("two", 2), record("one", 3)]
    assert store.put(batch) == batch
    assert store.put(batch) == []
    assert store.put([*batch, record("three", 4)]) == [record("three", 4)]
    assert store.count() == 4
    assert store.put([]) == []
    # Priority can be given later, and is kept.
    store.put([batch[1]._replace(priority=True)])
    store.put([batch[1]])
    assert [one.text for one in store.find(MessageQuery()) if one.priority] == ["two"]


def test_equal_messages_stay_apart(store: LocalChat) -> None:
    for _ in range(3):
        store.put([live("yes")])
    assert store.count() == 3
    four = [record("yes", minutes) for minutes in (0.1, 0.2, 0.3, 0.4)]
    assert store.put(four) == four[3:]
    assert store.put([live("yes")]) == []
    assert store.count() == 4


def test_messages_are_chosen_by_session_role_and_time(store: LocalChat) -> None:
    answer, elsewhere = record("b", 2, role="assistant"), record("c", 3, session="other")
    store.put([record("a", 1), answer, elsewhere, record("d", 4)])
    assert texts(store, session=KEY) == ["a", "b", "d"]
    assert texts(store, roles=("assistant",)) == ["b"]
    assert texts(store, roles=("assistant", "user"), limit=3) == ["b", "c", "d"]
    assert texts(store, since=at(2), until=at(4)) == ["b", "c"]
    assert texts(store, session=KEY, roles=("user",), limit=1) == ["d"]


SAID = (
    "Rotate the Staging certificates!", "Meet at the Café", "我們決定用 TypeScript",
    "call get_user_name()",
)  # fmt: skip


@for_each(
    "query, expected",
    [
        ("certificate", [SAID[0]]),
        ("cafe", [SAID[1]]),
        ("決定", [SAID[2]]),
        ("get_user", [SAID[3]]),
        ("staging café", []),
        ("* OR NOT (", []),
        ("a' & !b:*", []),
    ],
)
def test_a_search_finds_what_holds_all_words(
    store: LocalChat, query: str, expected: list[str]
) -> None:
    store.put([record(text, at) for at, text in enumerate(SAID)])
    assert texts(store, query) == expected


def test_what_is_too_old_goes_and_what_is_to_be_forgotten_and_both_are_found_no_more(
    store: LocalChat,
) -> None:
    store.put([record(f"redis {at}", at) for at in range(5)])
    assert store.drop_before(at(3)) == 3
    assert texts(store, "redis") == ["redis 3", "redis 4"] == texts(store)
    assert store.drop_before(NOW) == 0
    store.put([record("gate code", 6)])
    assert [store.forget(lambda text: "redis" in text) for _ in range(2)] == [2, 0]
    assert texts(store) == ["gate code"]
    assert texts(store, "redis") == []


def test_what_arrived_comes_once_in_the_order_of_its_coming(store: LocalChat) -> None:
    """However old it is: a transcript may be taken in long after."""
    result, answer = record("a result", 3, role="tool"), record("answer", 4, role="assistant")
    store.put([record("second", 2), result, answer])
    first = store.arrived(0, 10)
    assert [message.text for _, message in first] == ["second", "answer"]
    assert store.arrived(first[-1][0], 10) == []
    store.put([record("second", 2), record("old", -100_000), live("answer", 4.1)])
    late = store.arrived(first[-1][0], 10)
    assert [message.text for _, message in late] == ["old", "answer"]
    assert [message.text for _, message in store.arrived(0, 1)] == ["second"]
    assert store.drop_before(NOW) == 1
    store.put([record("new", 9)])
    assert [message.text for _, message in store.arrived(late[-1][0], 10)] == ["new"]
