from clawgit.domain.markdown.label import label_of
from tests.each import for_each


@for_each(
    "text, label",
    [
        ("- **Time zone:** CET", "time zone"),
        ("**Time zone**: CET", "time zone"),
        ("时间：09:00", "时间"),
        ("see https://x.org", ""),
        ("no label", ""),
    ],
)
def test_the_label_of_a_line(text: str, label: str) -> None:
    assert label_of(text) == label
