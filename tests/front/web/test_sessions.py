"""Who may look at the page, and who may change something there."""

from datetime import datetime, timedelta

import pytest

from clawgit.front.web.sessions import Session, Sessions
from tests.conftest import NOW


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_address_opens_the_page_once(clock: Clock) -> None:
    sessions = Sessions(clock)
    address = sessions.new_address()
    session = sessions.enter(address)
    assert session is not None
    assert sessions.find(session.key) is session
    assert not session.is_operator
    assert sessions.enter(address) is None
    assert sessions.enter("") is None
    assert sessions.find("") is None


def test_an_address_and_a_session_end(clock: Clock) -> None:
    sessions = Sessions(clock)
    late, session = sessions.new_address(), sessions.enter(sessions.new_address())
    assert session is not None
    clock.goes_on(minutes=16)
    assert sessions.enter(late) is None
    clock.goes_on(hours=11)
    assert sessions.find(session.key)
    clock.goes_on(hours=13)
    assert sessions.find(session.key) is None


def test_who_comes_often_drives_out_who_never_came_back(clock: Clock) -> None:
    sessions = Sessions(clock)
    first, second = (sessions.enter(sessions.new_address()) for _ in range(2))
    assert first is not None
    assert second is not None
    for _ in range(63):
        assert sessions.find(first.key)
        assert sessions.enter(sessions.new_address())
    assert sessions.find(first.key)
    assert sessions.find(second.key) is None


@pytest.mark.parametrize(
    ("typed", "opens"), [("{}", True), (" {} ", True), ("", False), ("0", False)]
)
def test_only_the_code_makes_the_operator(clock: Clock, typed: str, opens: bool) -> None:
    sessions = Sessions(clock)
    session = _session(sessions)
    opened = sessions.unlock(session, typed.format(sessions.new_code(session)))
    assert (opened is not None) is opens
    assert opened is None or opened.is_operator


def test_who_shared_the_session_that_was_unlocked_is_not_the_operator(clock: Clock) -> None:
    sessions = Sessions(clock)
    shared = _session(sessions)
    code = str(sessions.new_code(shared))
    opened = sessions.unlock(shared, code)
    assert opened is not None
    assert {shared.key, shared.form_key}.isdisjoint({opened.key, opened.form_key})
    assert not shared.is_operator
    assert sessions.find(opened.key) is opened
    assert sessions.unlock(shared, code) is None


def test_a_code_ends_after_a_while_after_a_few_tries_and_with_the_next(clock: Clock) -> None:
    sessions = Sessions(clock)
    late, guessed, replaced = (_session(sessions) for _ in range(3))
    code = str(sessions.new_code(guessed))
    for _ in range(5):
        assert sessions.unlock(guessed, "1") is None
    assert sessions.unlock(guessed, code) is None
    code = str(sessions.new_code(replaced))
    while sessions.new_code(replaced) == code:
        pass
    assert sessions.unlock(replaced, code) is None
    assert sessions.unlock(replaced, "") is None
    code = str(sessions.new_code(late))
    clock.goes_on(minutes=6)
    assert sessions.unlock(late, code) is None


def test_nobody_asks_for_codes_without_end(clock: Clock) -> None:
    """All sessions together get a few codes, until the operator does something."""
    sessions = Sessions(clock)
    sessions_asking = [_session(sessions) for _ in range(20)]
    codes = [sessions.new_code(each) for each in sessions_asking]
    assert sum(code is not None for code in codes) == 8
    clock.goes_on(hours=5)
    assert sessions.new_code(sessions_asking[0]) is None
    sessions.operator_is_here()
    code = str(sessions.new_code(sessions_asking[0]))
    for _ in range(7):
        assert sessions.new_code(sessions_asking[1])
    assert sessions.new_code(sessions_asking[1]) is None
    assert sessions.unlock(sessions_asking[0], code)
    assert sessions.new_code(sessions_asking[1])


def _session(sessions: Sessions) -> Session:
    made = sessions.enter(sessions.new_address())
    assert made is not None
    return made
