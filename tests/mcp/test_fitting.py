"""An answer fits into its tokens, gives way in the order that its tool says, and tells what it left
out."""

import copy
import json
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.model.tokens import estimate_tokens
from clawgit.mcp import worker
from clawgit.mcp.worker import compact

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6)
    ),
    max_leaves=30,
)


class Found(NamedTuple):
    value: dict[str, Any]
    dropped: list[str]


def fitted(value: dict[str, Any], gives: tuple[str, ...], budget: int) -> Found:
    return Found(value, worker.fitted(value, gives, budget))


def size(value: Any) -> int:
    return estimate_tokens(compact(value))


def test_what_fits_stays_as_it_is() -> None:
    value = {"results": [{"path": "MEMORY.md"}], "mode": "core"}
    assert fitted(copy.deepcopy(value), ("results",), 500) == (value, [])


def test_a_list_gives_way_from_its_end() -> None:
    hits = [{"path": f"memory/{n}.md", "snippet": "the heron is grey " * 20} for n in range(20)]
    found = fitted({"results": copy.deepcopy(hits), "mode": "core"}, ("results",), 500)
    kept = found.value["results"]
    assert 0 < len(kept) < 20
    assert kept == hits[: len(kept)]
    assert found.value["mode"] == "core"
    assert found.dropped == [f"results: {20 - len(kept)} of 20 entries"]
    assert size(found.value) <= 500


def test_later_texts_give_way_before_earlier_ones_and_before_their_list() -> None:
    patch = "".join(f"+ line {n} of a patch\n" for n in range(80))
    files = [{"path": f"{n}.md", "patch": patch} for n in range(3)]
    found = fitted({"files": files}, ("files.patch", "files"), 1000)
    assert [one["path"] for one in found.value["files"]] == ["0.md", "1.md", "2.md"]
    assert found.value["files"][0]["patch"] == patch
    assert found.value["files"][2]["patch"] == "…"
    assert patch.startswith(found.value["files"][1]["patch"].removesuffix("…"))
    assert [told.split(":")[0] for told in found.dropped] == ["files[2].patch", "files[1].patch"]
    assert size(found.value) <= 1000


def test_a_single_long_line_is_cut_within() -> None:
    found = fitted({"text": "word " * 5000}, ("text",), 300)
    assert found.value["text"].startswith("word word")
    assert found.value["text"].endswith("…")
    assert 150 < size(found.value) <= 300


def test_what_no_tool_named_gives_way_last() -> None:
    found = fitted({"named": ["a"], "other": "x y z " * 2000}, ("named",), 300)
    assert found.value["named"] == []
    assert len(found.value["other"]) < 2000
    assert size(found.value) <= 300


def test_a_huge_value_is_cut_in_no_time() -> None:
    """Clipped before it is counted: counting all of it would take seconds."""
    found = fitted({"lines": ["the heron is grey " * 1000] * 5000}, ("lines",), 400)
    assert size(found.value) <= 400
    assert found.dropped


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=6), st.integers(200, 400))
def test_whatever_it_is_it_fits_or_nothing_is_left_to_give(
    value: dict[str, Any], budget: int
) -> None:
    before = copy.deepcopy(value)
    found = fitted(value, ("results",), budget)
    assert json.loads(compact(found.value)) == found.value
    assert (found.value == before) == (not found.dropped)
    if size(before) <= budget:
        assert size(found.value) <= budget
