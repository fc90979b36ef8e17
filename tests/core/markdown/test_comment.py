"""How an entry's facts are written: the short form, the long one of earlier versions, and both."""

from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.markdown.comment import KEYS, STATUSES, Meta, read_meta, split
from clawgit.core.markdown.entry import render
from tests.each import for_each

DAY = st.dates().map(str)
PLACE = st.sampled_from(["chat:main/3", "memory/2026-02-14.md#L9", "CORRECTIONS.md#kkm2p9", "a b"])
CONF = st.one_of(
    st.floats(0, 1).map("{:.2f}".format), st.sampled_from(["1", ".5", "0.950", "1.00", "0", "high"])
)
VALUES = {
    "conf": CONF,
    "n": st.integers(1, 40).map(str),
    "first": DAY,
    "last": DAY,
    "src": st.sampled_from(["explicit", "inferred", "correction"]),
    "status": st.sampled_from(STATUSES),
    "by": st.just("m7k2q8"),
    "class": st.sampled_from(["tasks", "general"]),
    "expires": DAY,
    "of": st.just("h1a2b3c4,h5d6e7f8"),
    "mood": st.just("odd"),
}


@st.composite
def facts(draw: st.DrawFn) -> tuple[str, ...]:
    """Any facts, in any order, unknown ones too."""
    keys = draw(st.lists(st.sampled_from([*VALUES]), unique=True))
    pairs = [f"{key}={draw(VALUES[key])}" for key in keys]
    cited = draw(st.lists(PLACE, max_size=3, unique=True))
    return Meta("", tuple(pairs)).citing(*cited).facts


def told(meta: Meta | None) -> tuple[object, ...]:
    """All that anybody reads of a comment."""
    assert meta is not None
    others = sorted(fact for fact in meta.facts if fact.partition("=")[0] not in KEYS)
    return (
        *(meta.id, meta.conf, meta.n, meta.first, meta.last, meta.src, meta.evidence, meta.status),
        *(meta.by, meta.class_, meta.expires, meta.get("of"), others),
    )


@given(facts())
@example(("conf=0.00", "of=h1a2b3c4,h5d6e7f8", "n=1"))
def test_what_is_written_is_read_again(written: tuple[str, ...]) -> None:
    short = render("A fact.", Meta("m7k2q9", written))
    again = read_meta(split(short))
    assert told(again) == told(Meta("m7k2q9", written))
    assert again
    assert render("A fact.", again) == short


@for_each(
    "long, short",
    [
        ("conf=0.95 n=2 last=2026-03-01 src=explicit", "c=.95 n=2 last=2026-03-01"),
        ("conf=0.60 n=1 last=2026-03-01 src=inferred", "c=.6 last=2026-03-01 src=inferred"),
        ("conf=1.00 n=1 src=correction", "c=1 src=correction"),
        ("conf=0.00 n=1 src=explicit", "c=0"),
        # Written by hand, and mentioned since: no source is not the operator's word.
        ("conf=0.95 n=2 last=2026-03-01", "c=.95 n=2 last=2026-03-01 src=hand"),
        # Without a confidence nothing is left out that is not left out of a comment by hand.
        ("n=1 src=explicit status=archived", "src=explicit status=archived"),
        ("status=superseded by=m7k2q8", "status=superseded by=m7k2q8"),
        ("conf=high n=x mood=odd what", "c=high n=x src=hand mood=odd what"),
    ],
)
def test_what_is_usual_is_left_out(long: str, short: str) -> None:
    assert str(Meta("m7k2q9", tuple(long.split()))) == f"<!-- claw:m7k2q9 {short} -->"
