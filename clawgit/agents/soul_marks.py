"""What one run of the Soul Keeper leaves for the next: signs that wait, and used evidence."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from clawgit.domain.soul.growth import KINDS, Growth, Sign

A_DAY = 3
"""How many changes of the soul are made per day: few enough for the operator to notice each."""

_KEPT = timedelta(days=180)
_MOST_SIGNS = 300
_MOST_USED = 2000


class SignMarks(NamedTuple):
    """`signs` are those of conversations, which no file holds.

    They are stored under the name “heard”, since an older version wrote `signs` with words that
    nobody had said. `used` names evidence by the change that it was used for. `spent` is how many
    changes this day has seen; `told` the newest change of the soul that was looked at.
    """

    signs: tuple[Sign, ...] = ()
    used: tuple[str, ...] = ()
    spent: int = 0
    told: str = ""


def read(marks: Mapping[str, str], now: datetime) -> SignMarks:
    """Reads the marks; what cannot be read counts as absent."""
    day, _, count = marks.get("spent", "").partition(" ")
    spent = int(count) if day == now.date().isoformat() and count.isdecimal() else 0
    return SignMarks(
        tuple(_signs(marks.get("heard", ""))),
        tuple(marks.get("used", "").split()),
        spent,
        marks.get("told", ""),
    )


def written(marks: SignMarks, now: datetime) -> dict[str, str]:
    signs = sorted(
        (sign for sign in marks.signs if now - sign.when < _KEPT), key=lambda sign: sign.when
    )
    rows = [
        [
            sign.kind,
            sign.rule,
            sign.when.isoformat(),
            sign.evidence,
            sign.quote,
            sign.about,
            sign.sure,
        ]
        for sign in signs
    ]
    columns = {
        # Sorted by time, so the oldest are dropped if there are too many.
        "heard": json.dumps(rows[-_MOST_SIGNS:], ensure_ascii=False) if rows else "",
        "used": " ".join(dict.fromkeys(marks.used[-_MOST_USED:])),
        "spent": f"{now.date().isoformat()} {marks.spent}" if marks.spent else "",
        "told": marks.told,
    }
    # For `read`, a missing mark is an empty one.
    return {name: value for name, value in columns.items() if value}


def fingerprint(evidence: str, about: str) -> str:
    """A piece of evidence, and what it was used for."""
    return hashlib.sha256(f"{evidence}\0{about}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def fingerprints(growth: Growth) -> tuple[str, ...]:
    return tuple(fingerprint(sign.evidence, sign.rule) for sign in growth.signs)


def is_used(sign: Sign, used: Collection[str]) -> bool:
    return fingerprint(sign.evidence, sign.rule) in used


def _signs(text: str) -> Iterable[Sign]:
    try:
        rows = json.loads(text or "[]")
        return [
            Sign(kind, rule, datetime.fromisoformat(when), evidence, quote, about, bool(sure))
            for kind, rule, when, evidence, quote, about, sure in rows
            if kind in KINDS
        ]
    except (ValueError, TypeError):
        return []
