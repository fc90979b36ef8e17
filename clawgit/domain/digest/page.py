"""A growth digest as one page of HTML, which loads nothing and runs nothing."""

from collections.abc import Iterable, Iterator

from clawgit.domain.digest.digest import (
    CompactedNotes,
    Digest,
    DigestConflict,
    DigestCorrection,
    DigestSection,
    Period,
    PrincipleChange,
    SoulChange,
)
from clawgit.domain.digest.entries import ADDED, HEADINGS, MERGED, REMOVED, LearnedEntry
from clawgit.domain.digest.words import (
    ASKED,
    MOST,
    NOTHING,
    by_kind,
    count_by_kind,
    foreign,
    headline,
    moment,
    more,
    title,
)
from clawgit.domain.markdown.plain import sound
from clawgit.doors import html
from clawgit.errors import counted

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>TITLE</title>
<style>
:root {
  --ground: #faf8f4; --card: #fff; --ink: #23211d; --soft: #6d675d; --line: #e4ded2;
  --added: #2f7d4f; --corrected: #b4471f; --soul: #6a4fb3; --faded: #8b8478; --merged: #24698f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #17161a; --card: #201f24; --ink: #ebe7df; --soft: #a39d92; --line: #35333a;
    --added: #6cc48e; --corrected: #f0916a; --soul: #b39df0; --faded: #8f897f; --merged: #74b8dd;
  }
}
* { box-sizing: border-box; margin: 0; } body { background: var(--ground); color: var(--ink); font:
  16px/1.5 Charter, "Iowan Old Style", Georgia, serif; } main { max-width: 46rem; margin: 0 auto;
  padding: 3rem 1.25rem 4rem; overflow-wrap: anywhere; } header { border-bottom: 1px solid
  var(--line); padding-bottom: 1.5rem; } h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing:
  -.01em; } h2 { font-size: 1.3rem; margin-top: 2.75rem; } h2 small { display: block; font-weight:
  normal; } h3 { font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; margin: 1.75rem
  0 .5rem; color: var(--soft); } h2 small, h3, .when, .tiles, .facts, .more, footer { font-family:
  ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; } h2 small, .when, .more,
  .quiet, footer { color: var(--soft); } h2 small, .when, .more, footer { font-size: .85rem; } ul {
  list-style: none; padding: 0; } li { --mark: var(--faded); } .added li, li.added { --mark:
  var(--added); } .corrected li, li.corrected, .open li { --mark: var(--corrected); } .soul li,
  li.soul { --mark: var(--soul); } .merged li, li.merged { --mark: var(--merged); } section li,
  article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding:
  .6rem .9rem; margin: .45rem 0; } section li { border-left: 3px solid var(--mark); } article {
  padding: .9rem 1rem; border-top: 3px solid var(--soul); } article li { border-width: 0 0 0 3px;
  border-radius: 0; padding: .1rem .75rem; background: none; } .tiles { display: flex; flex-wrap:
  wrap; gap: .5rem; margin-top: 1.25rem; font-size: .85rem; } .tiles li { background: var(--card);
  border: 1px solid var(--line); border-radius: 2rem; padding: .25rem .85rem; } .tiles b { color:
  var(--mark); font-size: 1.05rem; margin-right: .15rem; } .what { font-weight: bold; } .why {
  font-style: italic; color: var(--soft); margin-top: .2rem; } .facts { font-size: .76rem; color:
  var(--soft); margin-top: .25rem; } .or { font-size: .8rem; color: var(--soft); font-style: italic;
  } .quiet { margin-top: 2rem; font-style: italic; } del { color: var(--soft);
  text-decoration-thickness: 1px; } code { font: .95em ui-monospace, SFMono-Regular, Menlo,
  Consolas, monospace; } footer { margin-top: 3.5rem; border-top: 1px solid var(--line);
  padding-top: 1rem; } @page { margin: 1.6cm; } @media print { :root { --ground: #fff; --card: #fff;
  --ink: #000; --soft: #555; --line: #ccc; --added: #2f7d4f; --corrected: #b4471f; --soul: #6a4fb3;
  --faded: #8b8478; --merged: #24698f; } body { font-size: 11pt; } main { max-width: none; padding:
  0; } li, article { break-inside: avoid; } h2, h3 { break-after: avoid; } } </style> </head> <body>
  <main> """


def page(digest: Digest) -> str:
    """A whole document. Everything that files or commits say is escaped."""
    # `replace` and not a format: the style sheet is full of braces.
    body = "\n".join(_body(digest))
    return f"{_HEAD.replace('TITLE', _text(title(digest)))}{body}\n</main>\n</body>\n</html>\n"


def _body(digest: Digest) -> Iterator[str]:
    yield "<header>"
    yield f"<h1>{_text(title(digest))}</h1>"
    yield f"<p class=when>{moment(digest.since)} to {moment(digest.until)}</p>"
    yield from _tiles(digest.periods)
    yield "</header>"
    if digest.is_quiet:
        yield f"<p class=quiet>{NOTHING}</p>"
    for period in digest.periods:
        yield from _period(period)
    if digest.open_conflicts:
        yield "<section>"
        yield "<h2>Open conflicts</h2>"
        yield from _list(map(_conflict, digest.open_conflicts), "open")
        yield "</section>"
    for section in digest.sections:
        yield from _section(section)
    yield "<footer>Made from git alone by <code>clawgit digest</code>; "
    yield (
        "<code>clawgit show ID</code> shows a change, <code>clawgit undo ID</code> takes it "
        "back.</footer>"
    )


def _tiles(periods: tuple[Period, ...]) -> Iterator[str]:
    tiles = [(kind, HEADINGS[kind], count) for kind, count in count_by_kind(periods)]
    tiles.append(("soul", "Soul", sum(len(period.soul) for period in periods)))
    items = [f"<li class={kind}><b>{count}</b> {name}</li>" for kind, name, count in tiles if count]
    if items:
        yield "<ul class=tiles>"
        yield from items
        yield "</ul>"


def _period(period: Period) -> Iterator[str]:
    day, _, counts = headline(period).partition(": ")
    yield "<section>"
    yield f"<h2>{_text(day)} <small>{_text(counts)}</small></h2>"
    if period.soul:
        yield "<h3>The soul</h3>"
        for change in period.soul:
            yield from _soul(change)
    for kind, rows in by_kind(period.learned):
        yield f"<h3>{HEADINGS[kind]}</h3>"
        yield from _list(map(_learned, rows[:MOST]), kind)
        if len(rows) > MOST:
            yield f"<p class=more>{_text(more(len(rows) - MOST))}</p>"
    yield from _others(period)
    yield "</section>"


def _others(period: Period) -> Iterator[str]:
    groups: tuple[tuple[str, str, list[str]], ...] = (
        ("Corrected by the operator", "corrected", [*map(_set_right, period.set_right)]),
        (ASKED, "asked", [*map(_set_right, period.asked)]),
        ("Conflicts settled", "settled", [*map(_conflict, period.settled)]),
        ("Compacted", "archived", [*map(_compacted, period.compactions)]),
        ("Written by others", "foreign", [_item(foreign(actor), "") for actor in period.foreign]),
    )
    for name, kind, items in groups:
        if items:
            yield f"<h3>{name}</h3>"
            yield from _list(items, kind)


def _compacted(compacted: CompactedNotes) -> str:
    return _item(
        compacted.summary, f"{counted(compacted.entries, 'entry', 'entries')} · {compacted.commit}"
    )


def _soul(change: SoulChange) -> Iterator[str]:
    yield "<article>"
    yield f"<p class=what>{_text(change.summary or change.file)}</p>"
    yield from _list(map(_principle, change.what[:MOST]), "soul")
    if change.why:
        yield f"<p class=why>{_text(change.why)}</p>"
    facts = [change.file, change.actor, moment(change.time), *change.evidence]
    yield f"<p class=facts>{_text(' · '.join(facts))}<br><code>{_text(change.take_back)}</code></p>"
    yield "</article>"


def _principle(principle: PrincipleChange) -> str:
    text, before = _text(principle.text.replace("**", "")), _text(principle.was.replace("**", ""))
    was = f"<del>{before}</del> " if before else ""
    now = f"<del>{text}</del>" if principle.kind == "dropped" else text
    section = _text(principle.section or "top")
    return f"<p>{was}{now}</p><p class=facts>{section} · {principle.kind}</p>"


def _learned(learned: LearnedEntry) -> str:
    was = f"<p class=was><del>{_text(learned.was)}</del></p>" if learned.was else ""
    text = f"<del>{_text(learned.text)}</del>" if learned.kind == REMOVED else _text(learned.text)
    times = [f"{learned.mentions} mentions"] if learned.kind == MERGED else []
    facts = " · ".join([learned.path, learned.entry, *times, learned.actor, learned.commit])
    is_explained = learned.why and learned.kind not in (MERGED, ADDED)
    why = f"<p class=why>{_text(learned.why)}</p>" if is_explained else ""
    return f"<p>{text}</p>{was}{why}<p class=facts>{_text(facts)}</p>"


def _set_right(correction: DigestCorrection) -> str:
    mark = (
        "<p class=or>or</p><p>{}</p>" if correction.is_asked else "<p class=was><del>{}</del></p>"
    )
    wrong = mark.format(_text(correction.said)) if correction.said else ""
    facts = _text(f"{correction.id} · {correction.status} · {correction.commit}")
    return f"<p>{_text(correction.correct)}</p>{wrong}<p class=facts>{facts}</p>"


def _conflict(conflict: DigestConflict) -> str:
    facts = _text(f"{conflict.outcome} · {conflict.id}")
    sides = f"<p>{_text(conflict.a)}</p><p class=or>or</p><p>{_text(conflict.b)}</p>"
    return f"{sides}<p class=facts>{facts}</p>"


def _section(section: DigestSection) -> Iterator[str]:
    yield "<section>"
    yield f"<h2>{_text(section.title)}</h2>"
    yield from _list((_item(line, "") for line in section.lines), "more")
    yield "</section>"


def _item(text: str, facts: str) -> str:
    return f"<p>{_text(text)}</p>" + (f"<p class=facts>{_text(facts)}</p>" if facts else "")


def _list(items: Iterable[str], kind: str) -> Iterator[str]:
    yield f"<ul class={kind}>"
    yield from (f"<li>{item}</li>" for item in items)
    yield "</ul>"


def _text(text: str) -> str:
    return html.escape(" ".join(sound(text).split()))
