"""Nasty Markdown, for every test that must hold for any text."""

from hypothesis import strategies as st

WORDS = st.sampled_from([
    "alpha", "beta", "记忆很重要", "🦞🧠", "日本語", "naïve", "e\u0301", "#event", "`code`", "a*b*", "x\\",
    "1.", "-", "\u2028", "\x0c", "\x85",
])  # fmt: skip
PROSE = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
INDENT = st.sampled_from(
    ["", "", "", "", " ", "  ", "   ", "    ", "\t", "     ", " \t", "      ", "\t\t"]
)
MARKER = st.sampled_from([
    "- ", "- ", "* ", "+ ", "-\t", "-   ", "-      ", "-", "1. ", "2. ", "1) ", "7)", "1.\t", "- - ",
    "1. - ",
])  # fmt: skip
OPENER = st.one_of(
    st.just(""),
    MARKER,
    st.sampled_from(["> ", ">", "> > ", ">\t", "> - ", "- > "]),
    st.sampled_from(["# ", "## ", "### ", "###### ", "#######", "#", "##\t"]),
    st.sampled_from(["```", "````", "~~~", "```py", "``` a`b", "- ```", "  ~~~~"]),
    st.sampled_from(["---", "***", "- - -", "___", "===", "--", "=", "**"]),
    st.sampled_from(
        ["<!--", "-->", "<!-- x -->", "<div>", "</div>", "<b>", "<a href='x'>", "<pre>", "</pre>",
         "<?x", "?>", "<!A", "<!--> "]
    ),
    st.sampled_from(["| a | b |", "| - | - |", "a: 1", "\\# no", "&nbsp;", "\xa0"]),
)  # fmt: skip
LINE = st.one_of(
    st.just(""),
    st.sampled_from([" ", "\t", "    "]),
    st.builds("{}{}{}".format, INDENT, OPENER, st.one_of(st.just(""), PROSE, MARKER)),
    st.builds("{}{}{}".format, INDENT, MARKER, PROSE),
)
LINES = st.lists(LINE, max_size=14)
NEWLINE = st.sampled_from(["\n", "\r\n"])


@st.composite
def markdown(draw: st.DrawFn) -> str:
    """Text that reaches every rule of the block structure; ends with or without a line end."""
    newline = draw(NEWLINE)
    front = draw(
        st.sampled_from(
            [[], [], [], ["---", "name: x", "---"], ["---", "# y", "'k': 1", "..."], ["---"]]
        )
    )
    return newline.join([*front, *draw(LINES)]) + draw(st.sampled_from(["", newline, newline * 2]))


@st.composite
def nested_lists(draw: st.DrawFn) -> str:
    """Lists as people write them: each line at the text of an item above, whatever stands on it."""
    lines: list[str] = []
    widths = [0]
    for _ in range(draw(st.integers(1, 12))):
        depth = draw(st.integers(0, len(widths) - 1))
        widths = widths[: depth + 1]
        indent = " " * widths[-1]
        kind = draw(
            st.sampled_from(["item", "item", "item", "more", "blank", "heading", "fence", "quote"])
        )
        if kind == "item":
            marker = draw(st.sampled_from(["- ", "-   ", "* ", "1. ", "10) "]))
            lines.append(f"{indent}{marker}{draw(PROSE)}")
            widths.append(widths[-1] + len(marker))
        else:
            plain = {
                "more": "text",
                "blank": "",
                "heading": "## Title",
                "fence": "```\n" + indent + "- x\n" + indent + "```",
            }
            lines.append(f"{indent}{plain.get(kind, '> - quoted')}" if kind != "blank" else "")
    return "\n".join(lines)


ANY_TEXT = st.one_of(
    markdown(),
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.lists(st.sampled_from(list("\r\n\t\x0b\x0c -#>`~<!=*1.a\ufeff\u2028")), max_size=60).map(
        "".join
    ),
)
"""Texts that need not make sense, lone surrogates (as surrogateescape makes them) included."""

Versions = tuple[str, str, str]
"""A base and what two sides made of it."""

UNITS = st.one_of(
    st.sampled_from(
        ["# A", "## B", "## C", "### D", "---", "```\nx\n\ny\n```", "| a |\n| - |", "<!-- note -->"]
    ),
    st.builds(
        "- {} {}".format,
        st.sampled_from(["red", "blue", "记忆"]),
        st.sampled_from(["one", "two", "three", "four"]),
    ),
    st.builds(
        "- {} <!-- claw:{} n={} -->".format,
        st.sampled_from(["red", "tea"]),
        st.sampled_from("pqr"),
        st.integers(1, 3),
    ),
    st.builds("Prose of {}.".format, st.sampled_from(["day", "night", "tides\nand moons"])),
    st.just("- outer\n  - inner\n\n  more"),
    st.just("1. first"),
)


def _longer(unit: str) -> str:
    first, newline, rest = unit.partition("\n")
    return f"{first} too{newline}{rest}"


@st.composite
def _edited(draw: st.DrawFn, units: list[str], verbs: list[str]) -> list[str]:
    units = list(units)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(units)))
        verb = draw(st.sampled_from(verbs))
        if verb == "add":
            units.insert(at, draw(UNITS))
        elif at < len(units):
            unit = units.pop(at)
            if verb == "change":
                units.insert(
                    at, draw(st.sampled_from([_longer(unit), unit.replace("n=1", "n=2"), "- else"]))
                )
            elif verb == "move":
                units.insert(draw(st.integers(0, len(units))), unit)
    return units


@st.composite
def versions(draw: st.DrawFn, *, tight: bool = True) -> Versions:
    """A small document of headings, entries and prose, and two edits of it. Tight ones may run into
    each other."""
    verbs = ["add", "add", "drop", "change", "move"]
    units = draw(st.lists(UNITS, max_size=7))
    joint, newline = draw(st.sampled_from(["\n\n", *["\n"] * tight])), draw(NEWLINE)
    base, ours, theirs = (
        (joint.join(part) + draw(st.sampled_from(["", joint]))).replace("\n", newline)
        for part in (units, draw(_edited(units, verbs)), draw(_edited(units, verbs)))
    )
    return base, ours, theirs
