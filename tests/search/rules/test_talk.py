"""Which lines are turns of a conversation, and who says them."""

from clawgit.core.markdown.item import items
from clawgit.search.rules.row import as_talk, speaker
from tests.each import for_each


@for_each(
    "text, is_talk",
    [
        ("- **Ready:** yes?\n", False),
        ("**Error:** no route\n\n**Fix:** a gateway\n\n**Tested:** yes\n", False),
        ("**Ana:** who has it?\n\n**Bo:** I have\n\n**Ana:** fine\n\n**Ana:** so\n", True),
        ("**Ana:** a plumber\n\n**Ana:** a painter\n\n" + "Costs.\n\n" * 9, False),
        ("user: who pays?\n", True),
        ("**Assistant**: Bo pays.\n", True),
    ],
)
def test_names_are_speakers_where_most_lines_have_them_and_roles_everywhere(
    text: str, is_talk: bool
) -> None:
    found = [*as_talk(items("memory/a.md", text))]
    assert any(item.kind == "turn" for item in found) == is_talk


@for_each(
    "text, name",
    [
        ("**Ana:** yes", "Ana"),
        ("- **Ana Ruiz**: yes", "Ana Ruiz"),
        ("user: yes", "user"),
        ("Assistant: yes", "Assistant"),
        ("note: yes", ""),
        ("**bold** yes", ""),
        ("", ""),
        ("*" * 9_999, ""),
    ],
)
def test_the_speaker_is_the_name_before_a_turn(text: str, name: str) -> None:
    assert speaker(text) == name
