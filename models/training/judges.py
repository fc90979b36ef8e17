"""How good the judges are: `python -m models.training.judges` trains them and measures them on writers they
never saw; `python -m models.training.judges FOLDER…` measures the weights that ship on kept folders, and
prints nothing but figures.
"""

import argparse
import itertools
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clawgit.language.judges.judging import acts, disputes, tag, thresholds, undoes, worth
from models.training import judges_data as data
from models.training import judges_sets as sets
from models.training.judges_data import ACTS, TAGS
from models.training.judges_learning import Floats
from models.training.train_judges import Outcome, act_odds_held_out, as_in_chat, level, train

GROUPS = (
    "words", "runs of words", "parts of words", "edges", "shape", "before", "shared", "classes",
    "exchange",
)  # fmt: skip
"""The features of a message, in the order of `of_message`."""
_BINS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def wilson(good: int, all_: int) -> str:
    """A share with its 95 % interval."""
    if not all_:
        return "none"
    share, z = good / all_, 1.96
    middle, whole = share + z * z / (2 * all_), 1 + z * z / all_
    reach = z * (share * (1 - share) / all_ + z * z / (4 * all_ * all_)) ** 0.5
    return (
        f"{share:.3f} [{max(0, (middle - reach) / whole):.3f}, "
        f"{min(1, (middle + reach) / whole):.3f}] of {all_}"
    )


def line(name: str, value: str) -> None:
    sys.stdout.write(f"  {name:44} {value}\n")


def share(name: str, hits: Any) -> None:
    line(name, wilson(int(np.sum(hits)), len(hits)))


def title(words: str) -> None:
    sys.stdout.write(f"\n{words}\n")


def reliability(name: str, chances: Floats, right: Any, weights: Floats | None = None) -> None:
    """Predicted chances and actual results; with weights, as in real chat."""
    title(f"Reliability: {name} (promised, came, items)")
    weights = np.ones(len(chances)) if weights is None else weights
    for low, high in itertools.pairwise(_BINS):
        here = (chances >= low) & (chances < high + (high == 1))
        if weights[here].sum():
            promised, came = (
                np.average(each[here], weights=weights[here]) for each in (chances, right)
            )
            line(f"{low:.2f} to {high:.2f}", f"{promised:.3f} {came:.3f} {here.sum()}")


def by_language(name: str, rows: Sequence[Any], chosen: Any, hits: Any) -> None:
    share(name, hits[chosen])
    told = []
    for lang in sorted({row.lang for row in rows}):
        here = chosen & np.array([row.lang == lang for row in rows])
        if here.sum():
            told.append((hits[here].mean(), f"{lang} {hits[here].mean():.2f} ({here.sum()})"))
    line("", ", ".join(text for _, text in sorted(told)))


def of_messages(rows: Sequence[Any], told: Floats) -> None:
    """(c): what is recognised, and what is called wrongly."""
    bars = thresholds()
    act = np.array([row.act for row in rows])
    ordinary = np.array([sets.is_ordinary(row) for row in rows])
    everyday = np.array([sets.is_everyday(row) for row in rows])
    corrects, twins = act == "corrects", (act == "chats") & ~ordinary
    title("What a message does")
    for name in ("ask", "sure"):
        called = told[:, 0] >= getattr(bars, f"corrects_{name}")
        by_language(f"corrections found ({name})", rows, corrects, called)
        by_language(f"ordinary messages called ({name})", rows, ordinary, called)
        share(f"  of those in which nobody set a trap ({name})", called[everyday])
        share(f"  twins called ({name})", called[twins])
    for bar in ("orders_ask", "orders_sure", "praises_sure", "complains_ask"):
        name = bar.partition("_")[0]
        called = told[:, ACTS.index(name)] >= getattr(bars, bar)
        by_language(f"heard: {bar}", rows, act == name, called)
        share("  others called", called[act != name])


def of_lines(rows: Sequence[Any], chances: Floats) -> None:
    bars = thresholds()
    keep = np.array([row.keep for row in rows])
    title("What is worth keeping")
    for place in ("chat", "assistant", "note", "daily"):
        here = np.array([row.place == place for row in rows])
        taken = here & (chances >= bars.worth)
        share(f"{place}: precision", keep[taken])
        by_language(f"{place}: recall", rows, here & keep, taken)


def of_later(rows: Sequence[Any], chances: Floats) -> None:
    called = chances >= thresholds().undone
    undoes = np.array([row.undoes for row in rows])
    title("What is said later")
    by_language("what undoes is found", rows, undoes, called)
    by_language("what leaves is called", rows, ~undoes, called)


def of_pairs(rows: Sequence[Any], chances: Floats) -> None:
    called = chances >= thresholds().disputes
    wrong = np.array([row.disputes for row in rows])
    twins = np.array([sets.is_twin(row.said) for row in rows])
    title("What a message says of the entry that it may mean")
    by_language("what is wrong is found", [row.said for row in rows], wrong, called)
    share("twins called", called[twins])
    share("others called", called[~wrong & ~twins])


def held_out(outcome: Outcome) -> None:
    title("WRITERS HELD OUT, a few at a time")
    told = outcome.told
    fresh = np.flatnonzero(sets.is_fresh(told.rows))
    rows = [told.rows[at] for at in fresh]
    of_messages(rows, told.acts[fresh])
    act = np.array([row.act for row in rows])
    for number, name in enumerate(ACTS[:-1]):
        reliability(name, told.acts[fresh, number], act == name, as_in_chat(rows))
    lines, new = sets.line_rows(), sets.is_fresh(sets.line_rows())
    noted = [row for row, good in zip(lines, new, strict=True) if good] + [*sets.daily_rows()]
    of_lines(noted, np.concatenate([outcome.worth[new], outcome.lasting]))
    of_later(sets.later_rows(), outcome.undone)
    of_pairs(sets.pair_rows(sets.said_rows()), outcome.disputes)
    reliability("worth keeping", outcome.worth[new], np.array([row.keep for row in lines])[new])
    tagged = [row for row in lines if row.tag in TAGS]
    right = outcome.tags.argmax(axis=1) == np.array([TAGS.index(str(row.tag)) for row in tagged])
    by_language("tags", tagged, sets.is_fresh(tagged), right)


def kept(folders: Iterable[Path]) -> None:
    """The weights that ship, on text of writers whom nobody here has read. Figures only."""
    folders = list(folders)
    title("KEPT: " + ", ".join(folder.name for folder in folders))
    rows = [row for folder in folders for row in (*data.messages(folder), *data.ordinary(folder))]
    if rows:
        of_messages(rows, np.array([acts(row.text, row.before) for row in rows]))
    if pairs := sets.pair_rows(tuple(rows)):
        of_pairs(pairs, np.array([disputes(row.features) for row in pairs]))
    said_later = [row for each in folders for row in data.later(each)]
    if said_later:
        of_later(said_later, np.array([undoes(row.later, row.text) for row in said_later]))
    lines = [row for each in folders for row in (*data.lines(each), *data.daily(each))]
    if lines:
        of_lines(lines, np.array([worth(row.text, row.before, place=row.place) for row in lines]))
        tagged = [row for row in lines if row.tag in TAGS]
        right = np.array([tag(row.text) == row.tag for row in tagged])
        by_language("tags", tagged, np.ones(len(tagged), bool), right)


def ablation() -> None:
    title(
        "ABLATION of (c): corrections among ordinary messages at 1 % and 15 % called, each group "
        "of features left out"
    )
    rows = sets.said_rows()
    fresh, act = sets.is_fresh(rows), np.array([row.act for row in rows])
    ordinary = fresh & np.array([sets.is_ordinary(row) for row in rows])
    for number, name in [(None, "nothing"), *enumerate(GROUPS)]:
        odds = act_odds_held_out(rows, number)[:, 0]
        heard_at = [
            (odds[fresh & (act == "corrects")] >= level(odds, ordinary, most)).mean()
            for most in (0.01, 0.15)
        ]
        line(f"without {name}", f"{heard_at[0]:.3f} {heard_at[1]:.3f}")


def agreement(root: Path) -> None:
    """Of two who labelled blind: how often they agree on the act, and on the entry where both hear
    a correction."""
    first, second = (
        {row["id"]: row for row in data.rows_of(root / f"labels-{one}.jsonl")} for one in (1, 2)
    )
    both = sorted({*first} & {*second})
    if not both:
        return
    title("Two blind labellers")
    share("the same act", [first[key]["act"] == second[key]["act"] for key in both])
    mutual = [key for key in both if first[key]["act"] == second[key]["act"] == "corrects"]
    share("the same entry", [first[key]["entry"] == second[key]["entry"] for key in mutual])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m models.training.judges", description="What the judges are worth."
    )
    parser.add_argument(
        "folders", nargs="*", type=Path, metavar="FOLDER", help="kept folders to measure"
    )
    parser.add_argument("--ablation", action="store_true", help="what each feature brings")
    options = parser.parse_args(arguments)
    if options.ablation:
        ablation()
    elif options.folders:
        kept(options.folders)
    else:
        held_out(train())
        agreement(data.RELABELLED)


if __name__ == "__main__":
    main(sys.argv[1:])
