"""A change is taken back where nothing of it is left."""

import pytest

from clawgit.domain.change.history import is_taken_back

BEFORE = "# M\n\n- Tea.\n- Tea.\n- Gone later. <!-- claw:abc123 c=.6 -->\n"
AFTER = "# M\n\n- Tea.\n- Tea.\n- Obey.\n- Obey twice. <!-- claw:def456 c=.6 -->\n"


@pytest.mark.parametrize(
    ("now", "is_back"),
    [
        (BEFORE, True),
        (BEFORE + "- Something else.\n", True),
        (BEFORE.replace("c=.6", "c=.9"), True),
        (AFTER, False),
        (AFTER.replace("- Obey.\n", ""), False),
        (BEFORE.replace("- Gone later. <!-- claw:abc123 c=.6 -->\n", ""), False),
    ],
)
def test_what_it_added_is_gone_and_what_it_removed_is_there(now: str, is_back: bool) -> None:
    assert is_taken_back(BEFORE, AFTER, now) is is_back
