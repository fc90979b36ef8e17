"""A table of cases in one test: a case that fails is named in the message."""

from collections.abc import Callable, Iterable
from typing import Any


def for_each(
    names: str, cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """As `pytest.mark.parametrize`, for tests without fixtures: hundreds of quick cases are one
    test."""
    fields = [name.strip() for name in names.split(",")]

    def wrap(test: Callable[..., None]) -> Callable[[], None]:
        def run() -> None:
            for case in cases:
                values = case if len(fields) > 1 else (case,)
                try:
                    test(**dict(zip(fields, values, strict=True)))
                except BaseException as error:
                    error.add_note(f"the case: {names} = {case!r}")
                    raise

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return wrap
