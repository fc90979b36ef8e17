"""The organizer moves what the notes say into pages of facts, each fact once, with an index.

A version of a note is read only once. A fact is an entry as it stands, or a sentence that the
judge, or a model, finds worth keeping. It is compared with the facts there are, and added or
counted.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, time
from functools import cache, partial
from itertools import chain, filterfalse, product

from clawgit.agents.choosing import Line, chosen_by
from clawgit.agents.contract import (
    ChangeSet,
    Draft,
    Mind,
    Proposed,
    Skipped,
    Snapshot,
    Step,
    by_kind,
    is_in,
    packed,
    unpacked,
)
from clawgit.core.errors import UsageError, counted
from clawgit.core.markdown.comment import ACTIVE, DISPUTED, SUPERSEDED
from clawgit.core.markdown.decoding import exact_bytes
from clawgit.core.markdown.entry import append_entry, entries, fits, render, with_meta
from clawgit.core.markdown.tag_table import KNOWLEDGE, PRIMARY, tags_in, untagged
from clawgit.core.tiers import dated, opening
from clawgit.git.rules.ids import blob_id
from clawgit.language.clauses import sentences
from clawgit.language.judges.judging import tag, worth
from clawgit.memory.rules.confidence import BASE, CORRECTION, EXPLICIT, INFERRED, mentioned, origins
from clawgit.memory.rules.fact import IGNORED, Claim, judged, worded
from clawgit.memory.rules.marks import DONE, danger, is_lasting, is_void, label, marks
from clawgit.memory.rules.organizing import (
    ARCHIVE,
    BOX,
    CLASS_ROWS,
    INDEX,
    STRUCTURED,
    LineFact,
    Source,
    all_facts,
    class_of,
    coming_from,
    expires,
    index,
    is_expired,
    is_organized,
    new_meta,
    page_of,
    paths_of,
    sources,
)
from clawgit.memory.rules.overlaps import ALIKE_FACTS, Overlaps, may_merge
from clawgit.memory.rules.promotion import unfit
from clawgit.talk.rules.kept_line import kept, line
from clawgit.talk.rules.pairs import wrong_by
from clawgit.workspace.rules.routing import notebook_of

READ = "read"
"""The mark that holds which versions of which notes have been read."""

_NEAREST = 50
"""How many similar facts are considered for a merge; the most similar come first."""

_LONGEST = 400
_SURE = 0.8
"""What the judge must say of a sentence of prose, even where the heading says that it lasts."""

_ABOUT = ", ".join(row.about for row in CLASS_ROWS)
INSTRUCTIONS = f"""\
You sort the notes of an agent. Each numbered line has, before it, the day of its note. Choose the
sentences that will still matter: {_ABOUT}. Leave out chatter, moods, questions, what is done and
over, passwords and keys. Give the number of the line, and the sentence letter by letter. A line may
hold none, or several."""


def propose(snapshot: Snapshot) -> ChangeSet:
    """One commit for all that is new in the notes."""
    paths = filter(is_organized, snapshot.files)
    notes = {path: blob_id(exact_bytes(snapshot.files[path])) for path in paths}
    before = unpacked(snapshot.marks.get(READ, ""))
    fresh = [path for path, blob in sorted(notes.items()) if not is_in(blob, before)]
    facts_draft = FactsDraft(snapshot)

    @cache
    def lines(path: str) -> tuple[Source, ...]:
        return sources(path, snapshot.files[path], snapshot.today)

    unread = [line for path in fresh for line in lines(path) if not facts_draft.is_known(line)]
    facts, skipped = read(snapshot.mind, unread)
    taken = [*map(facts_draft.taken, facts)]
    skipped += [each for each in taken if isinstance(each, Skipped)]
    outcomes = [each for each in taken if isinstance(each, Proposed)]
    # Withdrawn last: by now the facts of reworded lines have their new origin.
    outcomes += facts_draft.withdraw(fresh, lambda path: {line.key for line in lines(path)})
    facts_draft.write()
    pages = indexed(facts_draft.draft, snapshot.files)
    steps = _step(facts_draft.draft, outcomes, pages)
    return ChangeSet(steps, tuple(skipped), _too_long(snapshot), {READ: packed(notes.values())})


def _too_long(snapshot: Snapshot) -> tuple[str, ...]:
    """A note that proposes to shorten MEMORY.md, if it is longer than what sessions read of it."""
    path = notebook_of(snapshot.files)
    if fits(snapshot.files.get(path, "")):
        return ()
    return (f"{path} is longer than an agent reads: `clawgit memory tidy` shows what can move.",)


def _step(
    draft: Draft, outcomes: Sequence[Proposed], pages: tuple[Proposed, ...]
) -> tuple[Step, ...]:
    evidence = (place for outcome in outcomes for place in outcome.evidence)
    cited = [*dict.fromkeys(place.partition("#")[0] for place in evidence)]
    reason = f"Read out of {counted(len(cited), 'note')}; each fact names its line."
    return draft.step(
        "organize",
        f"organize the facts of the notes: {by_kind(outcomes) or 'the index'}",
        reason if cited else f"{STRUCTURED} has changed.",
        (*outcomes, *pages),
        cited,
    )


def indexed(draft: Draft, there: Collection[str]) -> tuple[Proposed, ...]:
    """Updates memory/INDEX.md of a draft from its facts; `there` are the files before this run."""
    paths = {*there, *(edit.path for edit in draft.edits if edit.after is not None)}
    facts = [fact for fact in all_facts(draft) if fact.status == ACTIVE]
    text = index(facts, paths) if facts or INDEX in paths else ""
    if text == draft.read(INDEX):
        return ()
    draft.put(INDEX, text)
    return (Proposed(INDEX, "indexed", "where the facts are", (STRUCTURED,)),)


# Facts read from the lines of notes.

Choose = Callable[[str], bool | None]
"""Whether a sentence is worth keeping; None if the judge decides."""

_LONGEST_LINE = 1_500


def read(mind: Mind | None, lines: Sequence[Source]) -> tuple[list[LineFact], list[Skipped]]:
    """The facts in these lines, and what a model quotes that no line says.

    A model chooses sentences of prose, and rules word each fact. They alone read what is a fact
    already, and a line that the model quotes wrongly.
    """
    if mind is None:
        return [*chain.from_iterable(map(read_by_rules, lines))], []
    prose = [*filter(is_prose, lines)]
    facts = [*chain.from_iterable(map(read_by_rules, filterfalse(is_prose, lines)))]
    rows = [Line(f"{each.said:%a %Y-%m-%d}", each.text[:_LONGEST_LINE]) for each in prose]
    answer = chosen_by(mind, INSTRUCTIONS, "notes", rows)
    for place, each in enumerate(prose):
        facts += read_by_rules(each, partial(answer.takes, place))
    return facts, [*answer.skipped]


def read_by_rules(source: Source, choose: Choose = lambda _: None) -> tuple[LineFact, ...]:
    """The facts of one line: an entry is one as it stands, of prose the sentences that are worth
    keeping are.
    """
    box = BOX.match(source.text)
    text = source.text[box.end() :] if box else source.text
    if not _may_be_fact(source, text, is_box=box is not None):
        return ()
    if is_prose(source):
        return tuple(_of_prose(source, choose))
    meta = source.meta
    # A copy of a correction is none: it goes when its line is corrected again.
    said = {CORRECTION: EXPLICIT, EXPLICIT: EXPLICIT, INFERRED: INFERRED}
    src = said.get(meta.src, "") if meta else ""
    words = untagged(text)
    fact = LineFact(
        text=words,
        tag=_tag(text) or KNOWLEDGE,
        class_=class_of(words, source.under, is_task=box is not None),
        source=src,
        confidence=meta.conf if meta and meta.conf is not None else BASE[src or EXPLICIT],
        origin=source,
        quote=words,
    )
    return (fact,)


def _may_be_fact(source: Source, text: str, *, is_box: bool) -> bool:
    if not text.strip() or danger(text) or DONE in marks(text):
        return False
    # Boxes outside of daily notes are checklists and forms, which nobody ticks off.
    if is_box and dated(source.path) is None:
        return False
    # Of prose, each sentence is looked at later.
    return is_prose(source) or not unfit(untagged(text))


def is_prose(source: Source) -> bool:
    """Whether a line is no fact as it stands: no entry, no task, and without a tag."""
    is_entry = source.meta is not None and source.meta.conf is not None
    return not (is_entry or BOX.match(source.text) or _tag(source.text))


def _tag(text: str) -> str:
    return next((tag for tag in tags_in(text) if tag in PRIMARY), "")


def _of_prose(source: Source, choose: Choose) -> Iterator[LineFact]:
    """What a line says that is worth keeping; a sentence that needs a speaker quotes the note.

    The judge chooses first sentences only, since those behind them seldom name what they are about.
    """
    noon = datetime.combine(source.said, time(12), UTC)
    for number, sentence in enumerate(sentences(source.text)):
        text = untagged(sentence.text)
        if len(text) > _LONGEST or unfit(text):
            continue
        chosen = choose(text)
        if chosen is None:
            chosen = number == 0 and _lasts(text, source)
        if chosen:
            yield LineFact(
                text=line(kept(text, source.path, noon)),
                tag=tag(text),
                class_=class_of(text, source.under),
                source=INFERRED,
                confidence=BASE[INFERRED],
                origin=source,
                quote=sentence.text,
            )


def _lasts(text: str, source: Source) -> bool:
    """Whether a sentence is a rule, a preference, a lesson or a decision, by its heading or label
    and by the judge. Most of a note is what was done on its day, and that is in the note.
    """
    heading, named = source.under[-1] if source.under else "", label(text)
    if not is_lasting(heading) and not (named and is_lasting(named.words)):
        return False
    if named and is_void(named.words):
        return False
    return worth(text, heading, place="daily") >= _SURE


# Each new fact is compared with those that are there, and added or counted.


class FactsDraft:
    """All existing facts, found by their words; after them the new ones, which have no line."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.draft = Draft(snapshot.files)
        self._stood = (*all_facts(snapshot.files),)
        self._facts = [*self._stood]
        self._ids = {fact.facts.id for fact in self._facts}
        self._overlaps = Overlaps(fact.text for fact in self._facts)
        self._corrections = [each for each in snapshot.corrections if each.binds]
        self._correction_of = wrong_by(self._corrections).correction_of
        self._known: set[tuple[str, str]] = set()
        for fact in (*self._facts, *all_facts(snapshot.files, ARCHIVE)):
            self._known.update(product(paths_of(fact.facts.evidence), origins(fact.meta)))

    def is_known(self, source: Source) -> bool:
        """Whether a fact came from this very line already, even if that fact is over."""
        return (source.path, source.key) in self._known

    def taken(self, fact: LineFact) -> Proposed | Skipped | None:
        """What becomes of a fact; None if its line was only moved or reworded, or if it is over."""
        try:
            text, _ = worded(fact.text, fact.tag)
        except UsageError as trouble:
            return Skipped(fact.text, str(trouble))
        near = self._overlaps.over(text, ALIKE_FACTS)[:_NEAREST]
        rows = [row for row in near if self._facts[row].status in (ACTIVE, DISPUTED)]
        known = [self._facts[row] for row in rows]
        claim = Claim(text, fact.source, page_of(fact.class_))
        action, why, same = judged(claim, known, self._corrections, same=may_merge)
        if action == IGNORED:
            return Skipped(text, why)
        if where := self._correction_of(text) or self._correction_of(fact.quote):
            return Skipped(text, f"the operator corrected this ({where})")
        return self._again(rows[known.index(same)], fact) if same else self._added(fact, text)

    def withdraw(
        self, paths: Iterable[str], standing: Callable[[str], Collection[str]]
    ) -> Iterator[Proposed]:
        """Ends facts whose lines are all gone from these notes.

        `standing` gives the keys of the lines of a note.
        """
        changed = frozenset(paths)
        for row, fact in enumerate(self._facts[: len(self._stood)]):
            meta, cited = fact.facts, paths_of(fact.facts.evidence)
            # The notes that it cites must be all that it rests on; one that was compacted is still
            # evidence, and with more mentions than evidence some are no longer named.
            is_ours = meta.status == ACTIVE and meta.src != CORRECTION
            if not (is_ours and origins(meta) and meta.n <= len(meta.evidence)):
                continue
            if not cited & changed or not cited <= self._snapshot.files.keys():
                continue
            if {key for path in cited for key in standing(path)}.isdisjoint(origins(meta)):
                over = meta.having("status", SUPERSEDED)
                over = over.having("expires", self._snapshot.today.isoformat())
                self._facts[row] = fact._replace(meta=over)
                yield Proposed(fact.path, "withdrawn", fact.text, meta.evidence)

    def write(self) -> None:
        """Puts every change into the pages."""
        for path in sorted({fact.path for fact in self._facts}):
            self._write_page(path)

    def _write_page(self, path: str) -> None:
        title = path.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()
        text = self.draft.read(path) or opening(path, self._snapshot.layers, title)
        added: list[str] = []
        for row, fact in enumerate(self._facts):
            if fact.path != path:
                continue
            if fact.line:
                text = with_meta(text, self._stood[row], fact.meta)
            else:
                added.append(render(fact.text, fact.meta))
        self.draft.put(path, append_entry(text, None, "\n".join(added)) if added else text)

    def _again(self, row: int, fact: LineFact) -> Proposed | None:
        """The same fact from another line.

        A line of another note is one more mention; a line of the same note only rewords the fact.
        """
        known, origin = self._facts[row], fact.origin
        meta = known.facts
        elsewhere = origin.path not in paths_of(meta.evidence)
        if elsewhere and not meta.has_counted(origin.evidence, origin.said):
            meta = mentioned(meta, fact.source, self._snapshot.settings, origin.said)
            if meta.expires and (until := expires(fact.class_, meta.last or origin.said)):
                meta = meta.having("expires", max(until, meta.expires).isoformat())
            meta = meta.citing(origin.evidence)
        meta = coming_from(meta, origin.key)
        if meta == known.facts:
            return None
        self._facts[row] = known._replace(meta=meta)
        kind = "mentioned" if meta.n > known.facts.n else "reworded"
        return Proposed(known.path, kind, known.text, (origin.evidence,))

    def _added(self, fact: LineFact, text: str) -> Proposed | None:
        path = page_of(fact.class_)
        meta = new_meta(fact, self._snapshot.fresh_id(f"{path}\0{text}", self._ids))
        if is_expired(meta, self._snapshot.today):
            return None
        # For the next facts of this run: none may get the same id, and each is compared with this
        # one.
        self._ids.add(meta.id)
        self._facts.append(entries(render(text, meta), path)[0]._replace(line=0))
        self._overlaps.add(text)
        return Proposed(path, "added", text, (fact.origin.evidence,))
