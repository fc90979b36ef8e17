"""What of a conversation a language model is shown."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.conversation.chat import ASSISTANT, USER, Message, told
from clawgit.domain.model.showing import BUDGET, LONGEST, for_a_model, worth_showing
from clawgit.domain.model.tokens import estimate_tokens
from tests.conftest import NOW

TEXTS = (
    "We decided to move the weekly call to Thursday at 10:00.", "ok", "thanks!",
    "No, it's on Friday.",
    "From now on, always answer in German.", "what is 7 times 8", "lol", "x " * 3000, "",
)  # fmt: skip


def said(number: int, role: str, text: str, session: str = "main") -> Message:
    return told(session, role, text, NOW, str(number))


@given(
    st.lists(
        st.tuples(
            st.sampled_from((USER, ASSISTANT)), st.sampled_from(TEXTS), st.sampled_from("ab")
        ),
        max_size=12,
    ),
    st.integers(0, 600),
)
def test_what_is_shown_keeps_its_order_and_the_budget(
    turns: list[tuple[str, str, str]], budget: int
) -> None:
    messages = [said(number, *turn) for number, turn in enumerate(turns)]
    shown = worth_showing(messages, budget)
    assert [*shown] == [one for one in messages if one in shown]
    assert sum(estimate_tokens(one.text[:LONGEST]) for one in shown if one.role == USER) <= budget
    for one in (each for each in shown if each.role == ASSISTANT):
        after = [
            each for each in messages[messages.index(one) + 1 :] if each.session == one.session
        ]
        assert after[0] in shown, "an assistant's turn is there for the message that answers it"


def test_the_likeliest_come_first_where_there_is_little_room() -> None:
    order = said(1, USER, TEXTS[4])
    small_talk = [
        said(number, USER, text)
        for number, text in enumerate(("lol", "ok", "thanks!", "hm", "hi"), 2)
    ]
    assert worth_showing([*small_talk, order], estimate_tokens(order.text)) == (order,)


def test_a_model_sees_all_of_a_short_conversation_and_of_a_long_one_what_may_matter() -> None:
    order, talk = said(1, USER, TEXTS[4]), said(2, USER, "lol")
    assert for_a_model([order, talk]) == (order, talk)
    long = [said(number, USER, "lol " * 400) for number in range(3, 3 + BUDGET // 100)]
    assert for_a_model([order, talk, *long]) == (order,)
