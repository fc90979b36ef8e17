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


def test_an_address_and_a_session_end(clock: Clock) -> None:
    sessions = Sessions(clock)
    late, session = sessions.new_address(), sessions.enter(sessions.new_address())
    assert session is not None
    clock.goes_on(minutes=16)
    assert sessions.enter(late) is None
    clock.goes_on(hours=11)
    assert sessions.find(session.key)
    clock.goes_on(hours=11)
    assert sessions.find(session.key, is_used=False), "a page that is only open"
    clock.goes_on(hours=2)
    assert sessions.find(session.key) is None


def test_who_shared_the_session_that_was_unlocked_is_not_the_operator(clock: Clock) -> None:
    sessions = Sessions(clock)
    shared = _session(sessions)
    code = str(sessions.new_code(shared))
    opened = sessions.unlock(shared, code)
    assert opened is not None
    assert {shared.key, shared.form_key}.isdisjoint({opened.key, opened.form_key})
    assert (shared.is_operator, opened.is_operator) == (False, True)
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


def _session(sessions: Sessions) -> Session:
    made = sessions.enter(sessions.new_address())
    assert made is not None
    return made
