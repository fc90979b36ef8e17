"""The shapes of the answers of `clawgit run --serve`.

Another program may listen at the socket, so an answer of another shape is ignored.
"""

from collections.abc import Iterable, Mapping
from typing import Any

_LARGEST = 2**53
"""Above this, JSON's numbers are not exact, so it is no valid count."""

_TEXTS = [str]
_NUMBER_BY_NAME = {str: float}

_HIT = {
    "path": str,
    "startLine": int,
    "endLine": int,
    "score": float,
    "snippet": str,
    "source": str,
    "citation": str,
    "entryId": str,
    "tier": str,
    "line": int,
    "lastLine": int,
    "explain": (
        None,
        {
            "words": float,
            "near": _NUMBER_BY_NAME,
            "meaning": float,
            "cosine": (None, float),
            "fits": float,
            "exact": bool,
            "reranker": (None, float),
            "factors": _NUMBER_BY_NAME,
        },
    ),
    "agent": str,
    "disputed": _TEXTS,
    "before": str,
    "after": str,
    "headings": _TEXTS,
    "marks": _TEXTS,
    "text": (None, str),
    "also": _TEXTS,
    "more": [
        {
            "startLine": int,
            "endLine": int,
            "snippet": str,
            "entryId": str,
            "score": float,
            "also": _TEXTS,
        },
    ],
    "likely": bool,
}
_OUTSIDE = {"files": int, "places": [{"path": str, "files": int}], "next": str, "by": str}
_CHOICES = (None, [{"source": str, "tokens": int, "why": str}])
_SLOT = {
    "name": str,
    "budget": (None, int),
    "tokens": int,
    "sources": _TEXTS,
    "truncated": _TEXTS,
    "text": str,
    "own": int,
    "lent": int,
    "stolen": int,
    "given": int,
    "taken": _CHOICES,
    "left": _CHOICES,
}
_ENTRY = {
    "id": (None, str),
    "text": str,
    "tag": str,
    "path": str,
    "line": (None, int),
    "confidence": float,
    "mentions": int,
    "first": (None, str),
    "last": (None, str),
    "source": str,
    "status": str,
    "evidence": _TEXTS,
}

SHAPES: Mapping[str, Any] = {
    "search": {
        "results": [_HIT],
        "provider": str,
        "model": str,
        "mode": str,
        "fallback": (None, str),
        "indexedAt": str,
        "behind": int,
        "elapsedMs": float,
        "intent": (None, {str: str}),
        "searched": int,
        "outside": (None, _OUTSIDE),
        "missing": _TEXTS,
    },
    "context": {
        "budget": int,
        "used": int,
        "slots": [_SLOT],
        "session": str,
        "now": str,
        "at": (None, str),
        "notes": _TEXTS,
    },
    "remember": {
        "entry": _ENTRY,
        "action": str,
        "reason": str,
        "commit": (None, str),
        "id": (None, str),
        "changed": _TEXTS,
        "snapshots": _TEXTS,
        "alerts": _TEXTS,
        "parked": bool,
        "held": _TEXTS,
        "warnings": _TEXTS,
        "dry_run": bool,
        "preview": str,
        "of": str,
        "note": str,
        "moved": [{"line": int, "text": str, "target": str}],
    },
}
"""Question → the shape of its answer: a type, a tuple of alternatives, a list of one kind, or the
fields that it has. `str` as a field stands for any name."""


def fits(value: object, shape: Any) -> bool:
    """Whether a value of JSON has a shape; it may have more fields."""
    if isinstance(shape, tuple):
        return any(fits(value, choice) for choice in shape)
    if isinstance(shape, dict):
        return isinstance(value, dict) and _fields_fit(value, shape)
    if isinstance(shape, list):
        return isinstance(value, list) and _all_fit(value, shape[0])
    return value is None if shape is None else _is_of(value, shape)


def _all_fit(items: Iterable[object], shape: Any) -> bool:
    return all(fits(item, shape) for item in items)


def _fields_fit(value: Mapping[str, object], shape: Mapping[Any, Any]) -> bool:
    if str in shape:
        return all(fits(item, shape[str]) for item in value.values())
    return all(name in value and fits(value[name], item) for name, item in shape.items())


def _is_of(value: object, kind: type) -> bool:
    if kind in (str, bool) or isinstance(value, bool):
        return type(value) is kind
    kinds = (int, float) if kind is float else (int,)
    return isinstance(value, kinds) and abs(value) <= _LARGEST
