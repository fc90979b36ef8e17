"""Who may look at the page, and who may change something there."""

from datetime import datetime, timedelta

import pytest

from clawgit.web.sessions import Session, Sessions
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
    session = _session(clock)
    code = session.new_code(clock.now)
    assert session.unlock(typed.format(code), clock.now) is opens
    assert session.is_operator is opens


def test_a_code_ends_after_a_while_after_a_few_tries_and_once_it_was_used(clock: Clock) -> None:
    late, guessed, replaced = (_session(clock) for _ in range(3))
    code = late.new_code(clock.now)
    assert not late.unlock(code, clock.now + timedelta(minutes=6))
    code = guessed.new_code(clock.now)
    for _ in range(5):
        assert not guessed.unlock("1", clock.now)
    assert not guessed.unlock(code, clock.now)
    code = replaced.new_code(clock.now)
    while replaced.new_code(clock.now) == code:
        pass
    assert not replaced.unlock(code, clock.now)
    assert not replaced.unlock("", clock.now)


def _session(clock: Clock) -> Session:
    sessions = Sessions(clock)
    made = sessions.enter(sessions.new_address())
    assert made is not None
    return made
