"""What of a conversation a language model is shown."""

from clawgit.agents.choosing import BUDGET, for_a_model
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, told
from tests.conftest import NOW

ORDER = "From now on, always answer in German."


def said(number: int, role: str, text: str, session: str = "main") -> Message:
    return told(session, role, text, NOW, str(number))


def test_a_model_sees_all_of_a_short_conversation_and_of_a_long_one_what_may_matter() -> None:
    order, talk = said(1, USER, ORDER), said(2, USER, "lol")
    assert for_a_model([order, talk]) == (order, talk)
    long = [said(number, USER, "lol " * 400) for number in range(3, 3 + BUDGET // 100)]
    assert for_a_model([order, talk, *long]) == (order,)
    turns = [said(0, ASSISTANT, "Done.", "b"), said(1, ASSISTANT, "In English?"), order]
    assert for_a_model([*turns, talk, *long]) == (turns[1], order)
