"""An answer fits into its tokens, its longest part gives way first, and it tells what it left out."""

import copy
import json
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.tokens import estimate_tokens
from clawgit.front.mcp import worker
from clawgit.front.mcp.worker import compact

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


def fitted(value: dict[str, Any], budget: int) -> Found:
    return Found(value, worker.fitted(value, budget))


def size(value: Any) -> int:
    return estimate_tokens(compact(value))


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=6), st.integers(200, 400))
def test_whatever_it_is_it_fits_or_nothing_is_left_to_give(
    value: dict[str, Any], budget: int
) -> None:
    before = copy.deepcopy(value)
    found = fitted(value, budget)
    assert json.loads(compact(found.value)) == found.value
    assert (found.value == before) == (not found.dropped)
    if size(before) <= budget:
        assert size(found.value) <= budget
