"""A table of cases in one test: each case that fails is named in the message."""

import inspect
from collections.abc import Callable, Container, Iterable
from typing import Any

import pytest


def for_each(
    names: str, cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, for cases that change nothing: hundreds of quick ones are one
    test, and share its fixtures. All of them run, whichever fail."""
    fields = [name.strip() for name in names.split(",")]
    table = [*cases]  # an iterator would be empty the second time
    if not table:
        raise ValueError(f"no case of {names}: a test of nothing cannot fail")

    def wrap(test: Callable[..., None]) -> Callable[..., None]:
        def run(**fixtures: object) -> None:
            failed: list[BaseException] = []
            for case in table:
                values = case if len(fields) > 1 else (case,)
                try:
                    test(**fixtures, **dict(zip(fields, values, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - raised below
                    error.add_note(f"the case: {names} = {case!r}")
                    failed.append(error)
            if len(failed) == 1:
                raise failed[0]
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(table)} cases", failed)

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        signature = inspect.signature(test)
        given = [one for name, one in signature.parameters.items() if name not in fields]
        run.__signature__ = signature.replace(parameters=given)  # type: ignore[attr-defined]
        return run

    return wrap


def slow_unless(kept: Container[Any], cases: Iterable[Any]) -> list[pytest.ParameterSet]:
    """Each case for `pytest.mark.parametrize`; those that are not kept wait for the slow tests."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if case in kept else pytest.mark.slow,
        )
        for case in cases
    ]
