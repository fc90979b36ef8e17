"""Quoting for a model: what is quoted cannot end its quote."""

from clawgit.agents.llm import RULE, fenced


def test_each_text_stands_between_its_marks() -> None:
    assert (
        fenced({"chat": "tea", "notes\nof old": "coffee"}, "M1")
        == "<<M1 chat\ntea\nM1>>\n\n<<M1 notes of old\ncoffee\nM1>>"
    )
    assert "<<M1" in RULE.format(mark="M1")
