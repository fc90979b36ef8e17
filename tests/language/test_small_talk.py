"""A message is small talk if all its words greet, thank, agree, decline or say goodbye."""

from clawgit.language.clauses import is_small_talk
from tests.each import for_each


@for_each(
    "message",
    [
        "ok", "OK!", "Hi", "hello", "Thanks a lot! 🙏", "ok, thank you very much", "no, thanks",
        "Good morning.", "danke", "Danke dir", "vielen Dank", "Guten Morgen", "gracias",
        "¡Muchas gracias!", "hola, buenos días", "merci beaucoup", "au revoir", "obrigada", "bom dia",
        "好的", "好的，谢谢！", "謝謝", "你好", "ありがとう", "ありがとうございます。", "はい、ありがとう", "こんにちは",
        "감사합니다", "네, 고마워요", "안녕하세요",
    ],
)  # fmt: skip
def test_what_asks_and_tells_nothing_is_small_talk(message: str) -> None:
    assert is_small_talk(message)


@for_each(
    "message",
    [
        "", "…", "👍", "ok?", "thanks for the boat", "hi Maria", "thank Maria", "good boat", "2026",
        "danke, wo ist das Boot", "gracias por el barco", "merci Zoe", "好的方案", "谢谢小王", "お茶ありがとう",
        "감사 편지", "hello " * 40,
    ],
)  # fmt: skip
def test_a_message_with_any_other_word_or_a_question_is_not(message: str) -> None:
    assert not is_small_talk(message)
