"""Which notes are due, and that no correction is ever among what they tell."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.scan import scan
from clawgit.memory.rules.compaction import holds_correction, parted
from tests.each import for_each


def test_a_correction_stays_with_the_headlines_above_it() -> None:
    text = (
        "# 2026-01-03\n\nA quiet day.\n\n## Servers\n\n- Port 5432\n- No, port 5433. "
        "#correction\n\n"
        "## Food\n\n- Tea\n\n### Deep\n\n- Was wrong <!-- claw:abc234 conf=1.00 src=correction "
        "-->\n"
    )
    found = parted(text)
    assert found.left == (
        "# 2026-01-03\n\n## Servers\n\n- No, port 5433. #correction\n\n"
        "## Food\n\n### Deep\n\n- Was wrong <!-- claw:abc234 conf=1.00 src=correction -->\n"
    )
    told = "".join(block.text for block in found.told)
    assert ("Port 5432" in told, "Tea" in told, "quiet" in told) == (True, True, True)
    assert ("5433" in told, "wrong" in told) == (False, False)


@for_each(
    "text, expected",
    [
        ("- No. #correction\n", True),
        ("- Parent\n  - No. #correction\n", True),
        ("## #correction of today\n", True),
        ("- Only in code: `#correction`\n", False),
        ("```\n#correction\n```\n", False),
        ("- It is Berlin <!-- claw:abc234 src=correction -->\n", True),
    ],
)
def test_a_correction_is_known_wherever_it_stands(text: str, expected: bool) -> None:
    assert holds_correction(scan(text)[0]) is expected


@given(
    st.lists(
        st.sampled_from(
            ["# A", "## B", "- x", "- y #correction", "text", "", "  - z #correction", "```", "> q"]
        )
    )
)
def test_no_correction_is_told_and_none_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    found = parted(text)
    assert not any(holds_correction(block) for block in found.told)
    assert [
        block.text
        for block in scan(text)
        if holds_correction(block) and block.text not in (found.left or "")
    ] == []
