"""What ranking finds, on our own sets and on strangers', and what each of its parts brings: `python
-m bench ranking`."""

import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import fmean

from bench.ranking_beside import beside_rows
from bench.ranking_lab import (
    FORMS,
    KINDS,
    LEXICON,
    REPAIR,
    SHOWN,
    STOP_WORDS,
    Asked,
    Case,
    Figures,
    is_answered,
    is_exact,
    is_shown,
    measured,
    no_words,
    numbers,
    place_of_answer,
)
from bench.ranking_scores import score_rows
from bench.ranking_sets import own_sets, strangers
from bench.workspace_questions import tallies
from clawgit.domain.search.ranking_weights import WEIGHTS, Weights

_ABSENT = "absent"
_WORKSPACES = Path(__file__).parent / "made_up_workspaces.tar.xz"
_UNREAD = Path(__file__).parent / "unread_operators.tar.xz"
"""Notes and questions by writers who did not know clawgit, one folder per language. No model learns
from them, and nobody who works on the search reads them.
"""

_PARTS: dict[str, dict[str, float]] = {
    "neighbours": {"ahead": 0.0, "behind": 0.0},
    "headings": {"heading": 0.0, "above": 0.0, "titled": 1.0},
    "other names": {"other_name": 1.0, "least_named": 0.0},
    "brevity": {"brevity": 0.0},
    "days": {"days": 0.0},
    "the speaker": {"speaker": 1.0},
    "who says it": {"operator": 1.0, "talk": 1.0},
    "questions damped": {"asking": 1.0},
    "what is asked for": {"wanted": 1.0},
    "phrases": {"phrase": 1.0},
    "short notes damped": {"brief": 0.0},
}
"""What is taken away by weights alone; what reading does is taken away by reading again."""

Rows = Iterator[tuple[str, ...]]
Sets = dict[str, dict[str, list[Case]]]


def report() -> str:
    """The tables, as text. Strangers' rows are there when `RANKING_SETS` names their folder."""
    sets = strangers()
    tables = [
        ("Own sets", _own()),
        ("Own sets, the kept third before and after (MRR)", _kept_third()),
        ("Own sets, what each part brings (MRR, tuning part)", _own_parts()),
        ("Made-up workspaces that no model learned from", _made_up()),
        ("Made-up operators that nobody here has read", _unread()),
        ("Strangers' sets", _strange(sets)),
        ("Beside others", beside_rows(sets)),
        ("All sets, the share of answers that are right", score_rows({"own": own_sets(), **sets})),
        (f"Strangers' sets, what each part brings ({_HEADLINES})", _strange_parts(sets)),
    ]
    return "\n\n".join(f"{title}\n{_table(rows)}" for title, rows in tables)


def variants(cases: Sequence[Case]) -> Iterator[tuple[str, Sequence[Case], Weights]]:
    """Ranking whole, with nothing but the words of a line, and without each of its parts in
    turn."""
    bare = WEIGHTS._replace(
        **{name: value for part in _PARTS.values() for name, value in part.items()}
    )
    plain = [case._replace(comparer=no_words) for case in cases]
    yield "all of it", cases, WEIGHTS
    yield "words of a line alone", plain, bare
    yield "and its neighbours", plain, bare._replace(ahead=WEIGHTS.ahead, behind=WEIGHTS.behind)
    for part, changes in _PARTS.items():
        yield f"without {part}", cases, WEIGHTS._replace(**changes)
    yield "without single words compared", plain, WEIGHTS
    for part in (FORMS, STOP_WORDS, REPAIR, LEXICON):
        yield f"without {part}", [case.reading(part) for case in cases], WEIGHTS


def _own() -> Rows:
    yield (
        "set",
        "tier",
        "part",
        *(f"{kind} @1 @5" for kind in KINDS),
        "MRR",
        "typos MRR",
        "wrongly answered",
        "kept",
    )
    for tier, cases in own_sets().items():
        for case in cases:
            for part in ("tune", "final"):
                yield (case.corpus.name, tier, part, *_found(case, part))


def _found(case: Case, part: str) -> Iterator[str]:
    for kind in KINDS:
        places = [_place(case, at) for at in numbers(case, kind, part)]
        yield f"{_count(places, 1)} {_count(places, 5)}/{len(places)}"
    known = [at for kind in KINDS for at in numbers(case, kind, part)]
    yield f"{_mrr(case, known):.2f}"
    yield f"{_mrr(case.mistyped(), [at for at in known if case.asked[at].kind == 'shared']):.2f}"
    absent = list(numbers(case, _ABSENT, part))
    yield f"{sum(is_answered(case, at) for at in absent)}/{len(absent)}"
    right = [at for at in known if (place := _place(case, at)) and place <= SHOWN]
    yield f"{sum(is_shown(case, at) for at in right)}/{len(right)}"


def _made_up() -> Rows:
    """What each way of searching finds in them, asked as a user would ask."""
    yield "", "right hit first, in five"
    with _unpacked(_WORKSPACES) as folder:
        for way, tally in tallies(folder / "other").items():
            yield way, str(tally)


def _unread() -> Rows:
    yield "", "", "right hit first, in five; doubted"
    with _unpacked(_UNREAD) as folder:
        for language in sorted(folder.iterdir()):
            for way, tally in tallies(language).items():
                yield language.name, way, str(tally)


@contextmanager
def _unpacked(archive: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
        yield Path(folder)


def _kept_third() -> Rows:
    """What nothing was tuned on, by the words of a line alone and by all of it."""
    tiers = own_sets()
    yield (
        "",
        *(
            f"{tier}: {', '.join(case.corpus.name for case in cases)}"
            for tier, cases in tiers.items()
        ),
    )
    for what in ("words of a line alone", "all of it"):
        weights = {name: one for name, _, one in variants(())}[what]
        yield (what, *(_set_value("final", cases, weights) for cases in tiers.values()))


def _own_parts() -> Rows:
    tiers = own_sets()
    yield ("", *tiers)
    by_tier = [list(_valued(cases, partial(_set_value, "tune"))) for cases in tiers.values()]
    for row in zip(*by_tier, strict=True):
        yield (row[0][0], *(value for _, value in row))


def _strange(sets: Sets) -> Rows:
    yield (
        "set",
        "tier",
        "n",
        "first",
        "any@5",
        "R@10",
        "R@400",
        "R@1500",
        "exact",
        "kept",
        "absent",
    )
    for name, tiers in sets.items():
        for tier, cases in tiers.items():
            yield (name, tier, *_strange_row(cases))


def _strange_row(cases: Sequence[Case]) -> Iterator[str]:
    known, absent, exact = (list(_asked(cases, test)) for test in (_is_known, _is_absent, _exact))
    yield f"{len(known)}"
    figures = [measured(case, at, WEIGHTS) for case, at in known]
    means = Figures(*(fmean(column) for column in zip(*figures, strict=True)))
    for value in (means.first, means.any_5, means.recall_10, means.recall_400, means.recall_1500):
        yield f"{value:.3f}"
    yield f"{sum(is_exact(case, at) for case, at in exact)}/{len(exact)}" if exact else "-"
    right = [(case, at) for case, at in known if (place := _place(case, at)) and place <= SHOWN]
    yield f"{sum(is_shown(case, at) for case, at in right)}/{len(right)}"
    yield f"{sum(is_answered(case, at) for case, at in absent)}/{len(absent)}" if absent else "-"


def _asked(cases: Sequence[Case], test: Callable[[Asked], bool]) -> Iterator[tuple[Case, int]]:
    return ((case, at) for case in cases for at, one in enumerate(case.asked) if test(one))


def _is_known(one: Asked) -> bool:
    return bool(one.expect)


def _is_absent(one: Asked) -> bool:
    return not one.expect


def _exact(one: Asked) -> bool:
    return one.exact


def _strange_parts(sets: Sets) -> Rows:
    columns = [(name, tier) for name, tiers in sets.items() for tier in tiers]
    yield ("", *(f"{name} {tier}" for name, tier in columns))
    valued = [
        list(_valued(sets[name][tier], _HEADLINE.get(name, _any_5))) for name, tier in columns
    ]
    for row in zip(*valued, strict=True):
        yield (row[0][0], *(value for _, value in row))


def _any_5(cases: Sequence[Case], weights: Weights) -> str:
    known = _asked(cases, _is_known)
    return f"{fmean(measured(case, at, weights).any_5 for case, at in known):.3f}"


def _recall_10(cases: Sequence[Case], weights: Weights) -> str:
    known = _asked(cases, _is_known)
    return f"{fmean(measured(case, at, weights).recall_10 for case, at in known):.3f}"


def _recall_1500(cases: Sequence[Case], weights: Weights) -> str:
    known = _asked(cases, _is_known)
    return f"{fmean(measured(case, at, weights).recall_1500 for case, at in known):.3f}"


def _whole(cases: Sequence[Case], weights: Weights) -> str:
    return f"{sum(is_exact(case, at, weights) for case, at in _asked(cases, _exact))}"


def _valued(
    cases: Sequence[Case], value: Callable[[Sequence[Case], Weights], str]
) -> Iterator[tuple[str, str]]:
    for what, read, weights in variants(cases):
        yield what, value(read, weights)


def _set_value(part: str, cases: Sequence[Case], weights: Weights) -> str:
    every = [[at for kind in KINDS for at in numbers(case, kind, part)] for case in cases]
    return " ".join(
        f"{_mrr(case, some, weights):.3f}" for case, some in zip(cases, every, strict=True)
    )


def _place(case: Case, at: int, weights: Weights = WEIGHTS) -> int | None:
    found = place_of_answer(case, at, weights)
    return found[0] if found else None


def _mrr(case: Case, some: Iterable[int], weights: Weights = WEIGHTS) -> float:
    places = [_place(case, at, weights) for at in some]
    return fmean(1 / place if place else 0.0 for place in places) if places else 0.0


def _count(places: Iterable[int | None], within: int) -> int:
    return sum(place is not None and place <= within for place in places)


def _table(rows: Rows) -> str:
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


_HEADLINE = {"beam": _recall_10, "locomo": _recall_1500, "precision": _whole}
_HEADLINES = "beam R@10, locomo R@1500, precision exact, others any@5"


if __name__ == "__main__":
    print(report())
