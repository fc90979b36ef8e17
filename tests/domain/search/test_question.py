"""What a question asks for: its words, and what kind of answer."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.search.lexicon import Words
from clawgit.domain.search.question import SearchQuestion, read_question
from tests.each import for_each


def read(text: str) -> SearchQuestion:
    return read_question(text)


def asked(text: str) -> list[str]:
    return [forms[0] for forms in read(text).words]


@for_each(
    "text, is_brief",
    [
        ("kiln batch number", True),
        ("what is the kiln's batch", False),
        ("代理 密码", True),
        ("代理服务器的密码是什么", False),
    ],
)
def test_a_question_of_three_words_is_brief_also_where_no_spaces_part_them(
    text: str, is_brief: bool
) -> None:
    assert read(text).is_brief == is_brief


@for_each(
    "text, words",
    [
        ("Where did we order the stoneware clay?", ["order", "stoneware", "clay"]),
        ("What is the name of my landlord?", ["landlord"]),
        ("getUserName in user_names.py", ["getusername", "user", "usernames", "names", "py"]),
        ("小橘为什么不肯吃饭？", ["小橘", "不肯", "肯吃", "吃饭"]),
        ("고양이는 왜 기침을 했지?", ["고양", "양이", "이는", "기침", "침을"]),
        ('AND NEAR/2 "* OR', ["near", "2"]),
        ("🙂", ["🙂"]),
        ("", []),
    ],
)
def test_it_looks_for_the_words_that_carry_meaning(text: str, words: list[str]) -> None:
    assert asked(text) == words


def test_a_question_of_stop_words_alone_looks_for_them() -> None:
    assert asked("who am I") == ["who", "am", "i"]
    assert asked("什么？") == ["什么"]


def test_a_word_brings_its_irregular_forms_along() -> None:
    [bought, children] = read("Who bought the children?").words
    assert bought == ("bought", "buy")
    assert set(children) == {"children", "child", "kid"}


def test_two_forms_of_a_word_are_one_word() -> None:
    assert asked("buy what she bought, twice, two mugs") == ["buy", "twice", "mugs"]


def test_only_the_first_words_of_a_very_long_question_count() -> None:
    question = read(" ".join(f"word{number}" for number in range(5000)))
    assert len(question.words) == 40
    assert len(question.text) == 2000


@for_each(
    "wide, text",
    [
        ("ＷｈａｔｓＡｐｐ", "WhatsApp"),
        ("４月１５日", "4月15日"),
        ("キルン\u3000４２，０００？", "キルン 42,000?"),
    ],
)
def test_full_width_letters_digits_and_signs_are_read_as_others(wide: str, text: str) -> None:
    assert read(wide) == read(text)


@for_each(
    "text, when",
    [
        ("When is the notary appointment?", True),
        ("How long did it take?", True),
        ("How many mugs had pinholes?", False),
        ("Who knows when to stop?", False),
    ],
)
def test_a_question_for_a_time_is_known(text: str, when: bool) -> None:
    assert ("time" in read(text).wanted) is when


def test_a_repaired_word_is_looked_for_beside_what_was_written() -> None:
    assert read("the notray").repaired({"notray": "notary"}).words == (("notray", "notary"),)


@given(st.text(), st.sampled_from(["", "de", "ja"]))
def test_reading_never_fails(text: str, language: str) -> None:
    question = read_question(text, listed=Words(language=language, han=language))
    assert all(forms[0] for forms in question.words)
