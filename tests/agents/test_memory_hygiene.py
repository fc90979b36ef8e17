"""Spec 5.5.2: what goes from MEMORY.md, and which entries become one."""

from datetime import date

from clawgit.agents.memory_compactor import fade, merge_alike
from clawgit.core.config.settings import Settings
from clawgit.core.markdown.entry import entries
from tests.each import for_each

RULES = Settings()
TODAY = date(2026, 8, 1)
FAINT = "conf=0.60 n=1 first=2025-12-01 last=2025-12-01 src=inferred"


def _entry(text: str, facts: str = FAINT, ident: str = "abc234") -> str:
    return f"- {text} <!-- claw:{ident} {facts} -->\n"


def _faded(*lines: str) -> list[str]:
    return [
        entry.text
        for entry in entries(fade("MEMORY.md", "# Memory\n\n" + "".join(lines), RULES, TODAY)[0])
    ]


def test_entries_below_point_three_and_silent_for_sixty_days_are_removed() -> None:
    text = f"# Memory\n\n{_entry('Maybe tea #knowledge')}- Stays\n"
    kept, [gone] = fade("MEMORY.md", text, RULES, TODAY)
    assert kept == "# Memory\n\n- Stays\n"
    assert (gone.path, gone.what) == ("MEMORY.md", "“Maybe tea #knowledge” (abc234)")
    assert gone.why == "confidence 0.20, last mentioned 2025-12-01"


@for_each(
    "facts, stays",
    [
        ("conf=0.60 n=1 last=2026-02-02 src=inferred", True),
        ("conf=0.60 n=1 last=2026-01-02 src=inferred", False),
        ("conf=0.10 n=1 last=2026-06-03 src=inferred", True),
        ("conf=0.10 n=1 last=2026-06-02 src=inferred", False),
    ],
)
def test_both_must_hold(facts: str, stays: bool) -> None:
    assert bool(_faded(_entry("Maybe tea", facts))) is stays


@for_each(
    "line",
    [
        _entry("Tea, not coffee #correction"),
        "- Written by hand\n",
        _entry("Old", f"{FAINT} status=superseded by=zzz999"),
        _entry("Wrong", f"{FAINT} status=corrected"),
        f"- Tea <!-- claw:abc234 {FAINT} -->\n  - with milk #correction\n",
    ],
)
def test_what_was_corrected_replaced_or_written_by_hand_stays(line: str) -> None:
    assert len(_faded(line)) == 1


def _merged(*lines: str) -> str:
    return merge_alike("MEMORY.md", "# Memory\n\n" + "".join(lines), RULES)[0]


def test_near_duplicates_are_merged() -> None:
    one = _entry(
        "The nightly backup runs at 03:00. #knowledge",
        "conf=0.60 n=2 first=2026-05-01 last=2026-06-01 src=inferred ev=memory/a.md#L1",
    )
    two = _entry(
        "Nightly backup runs at 03:00 #knowledge",
        "conf=0.95 n=1 first=2026-04-01 last=2026-05-02 src=explicit ev=memory/b.md#L2",
        "def567",
    )
    kept, [gone] = merge_alike("MEMORY.md", f"# Memory\n\n{one}{two}- Tea\n", RULES)
    assert kept == (
        "# Memory\n\n- The nightly backup runs at 03:00. #knowledge <!-- claw:abc234 c=.9 n=3 "
        "first=2026-04-01"
        " last=2026-06-01 src=inferred ev=memory/a.md#L1 ev=memory/b.md#L2 -->\n- Tea\n"
    )
    assert gone.what == "“Nightly backup runs at 03:00 #knowledge” (def567)"
    assert "says the same as “The nightly backup runs at 03:00. #knowledge” (abc234)" in gone.why
    assert merge_alike("MEMORY.md", kept, RULES) == (kept, [])


SURE = "conf=0.95 n=1 first=2026-06-01 last=2026-06-01 src=explicit"


@for_each(
    "one, other",
    [
        (_entry("The port is 5432", SURE), _entry("The port is 5433", SURE, "def567")),
        (
            _entry("Ana likes green tea", SURE),
            _entry("Ana does not like green tea", SURE, "def567"),
        ),
        (_entry("Tea at ten", SURE), _entry("Tea at ten #correction", SURE, "def567")),
        (
            _entry("Tea at ten", SURE),
            _entry("Tea at ten", f"{SURE} status=superseded by=abc234", "def567"),
        ),
        (_entry("Tea at ten", SURE), _entry("Tea at ten", f"{SURE} expires=2026-09-01", "def567")),
        (
            f"## Harbor\n\n{_entry('It uses Redis', SURE)}\n",
            f"## Lagoon\n\n{_entry('It uses Redis', SURE, 'def567')}",
        ),
        ("- Tea at ten\n", "- Tea at ten\n"),
    ],
)
def test_what_differs_in_what_matters_stays_two(one: str, other: str) -> None:
    assert _merged(one, other) == f"# Memory\n\n{one}{other}"


def test_an_entry_that_another_names_as_its_successor_stays() -> None:
    lines = (
        _entry("Nightly backups reach the Frankfurt vault at 03:00", SURE),
        _entry("Nightly backups reach the Frankfurt vault at 03:00.", SURE, "def567"),
        _entry("Deploys run on Monday", f"{SURE} status=superseded by=def567", "old999"),
    )
    assert _merged(*lines) == "# Memory\n\n" + "".join(lines)


def test_a_line_written_by_hand_or_with_the_marks_of_others_stays() -> None:
    one = f"- Tea at ten <!-- importance: 7 --> <!-- claw:abc234 {SURE} -->\n"
    other = _entry("Tea at ten", SURE, "def567")
    assert _merged("- Tea at ten\n", one, other) == f"# Memory\n\n- Tea at ten\n{one}{other}"
