"""What was heard is never made into what nobody said: neither into an order, nor praise, nor a
fact, by whatever name it would be kept.
"""

from tests.agents.souls import SOUL, keep, says
from tests.each import for_each

COMPLAINTS = (
    "You keep forgetting the tests!",
    "You never listen to me, from now on I will do it myself.",
    "You always answer in English and never in German.",
    "Every single time you use emojis in your replies to me.",
    "Every time the same mistake, never the right date.",
    "Always answers in English, never in French.",
    "Great job, you deleted my files!",
    "Du vergisst ständig die Tests!",
    "Du antwortest immer zu lang.",
    "Immer antwortest du mir auf Englisch, jedes Mal.",
    "In Zukunft vergisst du das wieder, wie immer.",
    "Siempre olvidas las pruebas.",
    "Siempre me interrumpes.",
    "Siempre me respondes en inglés, nunca en español.",
    "你每次回答都那么长，从来不分段。",
    "毎回テストを忘れるよね。",
    "항상 답이 너무 길어요, 매번.",
    "Künftig fahre ich immer mit dem Zug zur Arbeit.",
    "Fasse dich kurz.",
    "Fasse dich bitte kurz.",
)


@for_each("said", COMPLAINTS)
def test_a_complaint_is_written_neither_as_an_order_nor_as_praise(said: str) -> None:
    twice = keep(SOUL, says(said, 3.5), says(said, 0.5))
    assert twice.soul == SOUL
    assert not any("Praised" in summary for summary in twice.asked)


@for_each(
    "said",
    [
        "Always show me mails before you send them.",
        "From now on, always answer in bullet points.",
        "A partir de ahora responde siempre en español.",
    ],
)
def test_an_order_that_begins_like_one_is_written(said: str) -> None:
    assert len(keep(SOUL, says(said)).added) == 1
