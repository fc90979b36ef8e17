"""What comes from systems of the operator's own: whom a message names, and how data becomes
text."""

from hypothesis import given

from clawgit.talk.context.asking import Profile
from clawgit.talk.context.fetching import (
    compact,
    crm_pieces,
    harmless,
    profiles_in,
)
from tests.strategies import ANY_TEXT


def test_an_answer_is_profiles_or_one_text() -> None:
    told = (
        '{"profiles": [{"name": "Ana", "text": "Tea."}, {"name": "Bob", "role": "CTO", "tags": '
        '["x"]}, 7]}'
    )
    assert profiles_in(told, "crm") == [
        Profile("Ana", "Tea.", "crm[0]"), Profile("Bob", '{\n "name": "Bob",\n "role": "CTO",\n "tags": [\n  "x"\n ]\n}', "crm[1]")
    ]  # fmt: skip
    assert profiles_in('[{"name": null, "text": "Tea."}]', "crm") == [
        Profile("crm", "Tea.", "crm[0]")
    ]
    assert profiles_in("Ana likes tea.", "crm") == [Profile("crm", "Ana likes tea.", "crm")]
    assert profiles_in(" \n", "crm") == []
    assert profiles_in("[1]", "crm") == profiles_in('"x"', "crm") == profiles_in("{}", "crm") == []


def test_signs_that_nobody_sees_go() -> None:
    assert harmless("a\u200bb\x1b[0m\u202ec\n\td") == "ab[0mc\n\td"


@given(ANY_TEXT)
def test_any_text_from_outside_can_be_shown(text: str) -> None:
    assert all(
        "<!--" not in part or "-->" not in part.partition("<!--")[2] or "`" in part
        for part in compact(text)
    )
    crm_pieces(profiles_in(text, "x"))
