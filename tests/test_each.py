"""A table in one test fails where any of its cases does."""

from pathlib import Path

import pytest

from tests.each import for_each


def test_every_case_runs_and_each_that_fails_is_named() -> None:
    seen = list[int]()

    @for_each("one", (number for number in range(4)))
    def test(one: int) -> None:
        seen.append(one)
        if one == 3:
            pytest.fail("three")
        assert one % 2 == 0

    for times in (1, 2):  # the second time as well
        with pytest.raises(BaseExceptionGroup, match="2 of 4 cases") as failed:
            test()
        assert [error.__notes__ for error in failed.value.exceptions] == [
            ["the case: one = 1"],
            ["the case: one = 3"],
        ]
        assert seen == [0, 1, 2, 3] * times


@for_each("number", (1, 2))
def test_cases_share_the_fixtures_of_their_test(tmp_path: Path, number: int) -> None:
    (tmp_path / str(number)).touch()
    assert len([*tmp_path.iterdir()]) == number
