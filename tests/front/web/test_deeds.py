"""What a form does to what is no longer as it was shown."""

import json
from collections.abc import Sequence

import pytest

from clawgit.front.web.app import OutdatedError, do
from clawgit.front.web.asking import ITEMS, Asker, seal


def test_what_was_changed_a_moment_ago_is_seen_before_a_form_does_anything() -> None:
    """Answers are kept; a form must not be judged by one of those."""
    said, done = {"id": "c1", "words": "Nine."}, list[list[str]]()

    def run(words: Sequence[str], as_operator: bool) -> str:
        if as_operator:
            done.append(list(words))
            return "{}"
        return json.dumps({"corrections": [said]})

    ask = Asker(run, mark=lambda: None)
    form = {"id": "c1", "seal": seal(ITEMS["correction"](ask, "c1"))}
    said["words"] = "Ten."
    with pytest.raises(OutdatedError):
        do(ask, "accept", form)
    assert not done
    said["words"] = "Nine."
    do(ask, "accept", form)
    assert done == [["corrections", "settle", "--accept", "--", "c1"]]


def test_a_form_of_yesterday_counts_although_confidence_has_decayed() -> None:
    shown = {"key": "k", "text": "Nine.", "confidence": 0.91}
    assert seal(shown | {"confidence": 0.9}) == seal(shown)
    assert seal(shown | {"text": "Ten."}) != seal(shown)
