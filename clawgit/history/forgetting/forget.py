"""Forgets an entry or a text for good: from the files, from each place, and from history. Then it
searches every place within reach, and lists the places beyond it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from secrets import randbits, token_bytes

from clawgit.core import NamedTuple
from clawgit.core.disk.xdg import config_home
from clawgit.core.errors import ClawgitError, NotFoundError
from clawgit.core.markdown.comment import is_id
from clawgit.core.markdown.decoding import text_of
from clawgit.core.markdown.entry import Entry, entries, is_content_key
from clawgit.core.markdown.tag_table import untagged
from clawgit.git.batch import every_object
from clawgit.git.place import FORGOTTEN_REF
from clawgit.git.rules.ids import change_id
from clawgit.git.transaction import Change
from clawgit.history.backup import back_up, noted_backups
from clawgit.history.forgetting.places import (
    FilesWith,
    Found,
    Ground,
    clear_history,
    files_below,
    files_with,
    follow_commits,
    forget_files,
    has_server,
    holds,
    in_places,
    messages,
    refuse_running,
)
from clawgit.history.forgetting.rewriting import refuse_history, rewrite, signed, store_forgotten
from clawgit.history.rules.needle import Matcher, Needle, needle_of
from clawgit.history.rules.record import KEY_BYTES, Forgetting, Forgotten, hashed
from clawgit.memory.entries import named
from clawgit.safety.committed_texts import settle_returned
from clawgit.safety.operator import confirm, require_operator
from clawgit.safety.rules.remotes import shown_address
from clawgit.talk.stores.chat import ServerAwayError
from clawgit.workspace.stores import openclaw
from clawgit.workspace.workspace import Workspace

_PLACE = re.compile(r"[^\s:]+:\d+")
_ITEM = re.compile(r"\n(?=[-+*#] |\d+[.)] )")
_NESTED = re.compile(r"\s*(?:[-+*]|\d+[.)])\s")
_FORGET = "forget"
"""What the operator types to confirm if no entry was named."""

Step = Callable[[str], None]


class Proof(NamedTuple):
    """What was searched, and where the words still are.

    `history` is how many objects of git hold them, `left` every other place. `beyond` are places
    that this command cannot empty: remotes, clones, backups, files of other programs.
    """

    objects: int
    files: int
    history: int
    left: tuple[str, ...]
    beyond: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        return not (self.history or self.left)


class ForgetPlan(NamedTuple):
    """What would be removed.

    `word` is what the operator types to have history rewritten. `in_history` counts the objects of
    git that hold the words, those of the newest files included. At most `unsigned` commits lose
    their signature if history is rewritten.
    """

    needles: frozenset[Needle]
    word: str
    files: FilesWith
    places: tuple[Found, ...]
    in_history: int
    history: bool
    unsigned: int = 0


class Forgot(NamedTuple):
    """What was done.

    `id` names the act in the record; `commit` is the change of the files. `lines` and `files` count
    what was removed from the workspace. `rewritten` counts commits that have a new hash. `backup`
    still holds the words.
    """

    id: str
    commit: str | None
    changed: tuple[str, ...]
    lines: int
    places: tuple[Found, ...]
    rewritten: int = 0
    backup: Path | None = None
    proof: Proof | None = None
    dry_run: bool = False


def refuse_others(workspace: Workspace) -> None:
    """Raises for everybody but the operator, before any question or search."""
    how = "The operator runs this at a terminal: clawgit forget …"
    require_operator(workspace.caller, "have something forgotten", how)


def plan(workspace: Workspace, what: str, *, history: bool = False) -> ForgetPlan:
    """Finds what would be removed. Nothing is changed; NotFoundError if there is nothing."""
    refuse_others(workspace)
    texts, word = _target_of(workspace, what, history=history)
    needles = frozenset(map(needle_of, texts))
    ground = Ground(workspace, Matcher(needles))
    refuse_running(ground)
    if history:
        refuse_history(ground)
    found = ForgetPlan(
        needles,
        word,
        files_with(ground),
        in_places(ground, clear=False),
        sum(holds(found, ground.matcher) for found in every_object(workspace.cgit)),
        history,
        signed(workspace.cgit) if history else 0,
    )
    if not (found.files.lines or found.files.named or found.places or found.in_history):
        raise NotFoundError(
            "Nothing here holds these words: no file, no database, no commit.",
            hint="`clawgit memory list` shows the ids of entries; case and punctuation do not "
            "count, but each word does.",
        )
    return found


def forget(workspace: Workspace, what: ForgetPlan, *, at: Step = lambda _step: None) -> Forgot:
    """Does what was planned. Each step can be repeated: after a crash, run the command again.

    `at` is called with the name of each step.
    """
    refuse_others(workspace)
    ground = Ground(workspace, Matcher(what.needles))
    if workspace.dry_run:
        would = forget_files(ground, what.files)
        return Forgot("", None, would.changed, len(what.files.lines), what.places, dry_run=True)
    confirm(workspace.caller, "forget, also from history" if what.history else "forget")
    backup = None
    if what.history:
        at("making a backup")
        # Before the first word goes: until the proof it is the only way back.
        backup = _backed_up(ground)
    # The record first: from now on no agent can learn the words again from places not yet emptied.
    act = _recorded(workspace, what.needles)
    at("removing it from the files")
    change = forget_files(ground, what.files) if what.files.paths else Change()
    # Files that the transaction displaced are held for a moment; wait until they can be deleted.
    workspace.git.close()
    at("clearing databases, caches and logs")
    # After the files: an index emptied first would be filled from them by the next search.
    emptied = in_places(ground, clear=True)
    commits: Mapping[str, str] = {}
    if what.history:
        at("rewriting history")
        # After the places: a rewrite that is refused leaves them empty all the same, and is asked
        # for again.
        commits = rewrite(ground, act, workspace.forgotten())
        follow_commits(ground, commits)
        clear_history(ground)
        settle_returned(workspace)
    at("searching everything for what is left")
    proof = _prove(ground, backup)
    return Forgot(
        act.id,
        change.commit,
        change.changed,
        len(what.files.lines),
        emptied,
        len(commits),
        backup,
        proof=proof,
    )


def _backed_up(ground: Ground) -> Path:
    """A backup that only its owner can read; the operator is to delete it in the end."""
    workspace = ground.workspace
    folder = ground.state_home / "before-forgetting"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    stamp = f"{workspace.now:%Y%m%dT%H%M%S}"
    file = folder / f"{workspace.root.name}-{stamp}-{randbits(16):04x}.backup"
    if workspace.git.tip is None:
        raise ClawgitError(
            "There is no commit yet, so there is no history.", hint="leave --history out"
        )
    back_up(workspace, file)
    return file


def _recorded(workspace: Workspace, needles: frozenset[Needle]) -> Forgetting:
    """The act in the record: an earlier one of the same words, or a new one with its own key."""
    known = workspace.forgotten()
    for act in known:
        if act.hashes == hashed(bytes.fromhex(act.key), needles):
            return act
    key = token_bytes(KEY_BYTES)
    time = workspace.now.isoformat()
    act = Forgetting(change_id(randbits(32)), time, key.hex(), hashed(key, needles))
    publish(workspace, known.united(Forgotten((act,))))
    return act


def publish(workspace: Workspace, record: Forgotten) -> None:
    """Commits the record to its ref, signed if the operator has a key."""
    with workspace.git.alone(workspace.now) as repo:
        repo.set_ref(FORGOTTEN_REF, store_forgotten(repo, record, workspace.now))


def _target_of(workspace: Workspace, what: str, *, history: bool) -> tuple[list[str], str]:
    """The texts to forget, and the name that the operator types to confirm a rewrite.

    With `history`, an entry means all that it ever said, even if it is gone already.
    """
    what = what.strip()
    if not (is_id(what) or is_content_key(what) or _PLACE.fullmatch(what)):
        return [what], _FORGET
    said: list[str] = []
    ident = what
    try:
        entry = named(workspace, what)
        said.append(_said(entry))
        ident = entry.key
    except NotFoundError:
        if not is_id(what):
            raise
    if history and is_id(ident):
        said += _ever_said(workspace, ident)
    # Six letters that are no entry's id are just a word.
    return (said, ident) if said else ([what], _FORGET)


def _said(entry: Entry) -> str:
    """The first paragraph of an entry without its tags; what is nested goes with the entry."""
    lines = entry.text.split("\n")
    nested = (at for at, line in enumerate(lines) if at and (not line or _NESTED.match(line)))
    return untagged(" ".join(lines[: next(nested, len(lines))]))


def _ever_said(workspace: Workspace, ident: str) -> Iterator[str]:
    """What the entry with an id said in any version of any file."""
    for item in sorted(_items(workspace, f"claw:{ident}")):
        for entry in entries(item):
            if entry.meta and entry.meta.id == ident:
                yield _said(entry)


def _items(workspace: Workspace, mark: str) -> frozenset[str]:
    """The items with a mark, each once: most versions of a file have the same items."""
    found: set[str] = set()
    for held in every_object(workspace.cgit):
        if held.kind == "blob" and mark.encode() in held.data:
            found.update(item for item in _ITEM.split(text_of(held.data)) if mark in item)
    return frozenset(found)


def _prove(ground: Ground, backup: Path | None) -> Proof:
    """Makes the search. The `backup` that was just made may have the words."""
    held = objects = 0
    for found in every_object(ground.workspace.cgit):
        objects += 1
        held += holds(found, ground.matcher)
    files, left = 0, []
    for file in _files(ground):
        if file == backup:
            continue
        files += 1
        if ground.is_in(file) or ground.matcher.is_in(file.name):
            left.append(str(file))
    standing = files_with(ground)
    left += dict.fromkeys((*standing.paths, *standing.outside))
    backups = (f"backup: {row}" for row in noted_backups(ground.workspace.place))
    beyond = (*_remotes(ground), *backups, *_transcripts(ground), *_server(ground))
    return Proof(objects, files, held, tuple(left), beyond)


def _files(ground: Ground) -> Iterator[Path]:
    """Every file of `.git` except objects, which git reads, and of clawgit's folders elsewhere."""
    common, caller = ground.workspace.place.common_dir, ground.workspace.caller
    objects = common / "objects"
    yield from (file for file in files_below(common) if not file.is_relative_to(objects))
    yield from files_below(ground.log.folder)
    yield from files_below(ground.state_home / "connected")
    yield from ground.logs
    yield from files_below(config_home(caller.env, caller.home) / "clawgit")


def _remotes(ground: Ground) -> Iterator[str]:
    listed = ground.workspace.cgit.text("config", "--get-regexp", r"^remote\..*\.url$", ok=(0, 1))
    for row in listed.splitlines():
        key, _, url = row.partition(" ")
        name = key.removeprefix("remote.").removesuffix(".url")
        yield f"remote {name}: {shown_address(url)}"


def _transcripts(ground: Ground) -> Iterator[str]:
    """OpenClaw's transcripts with the words. They are only read."""
    if agent := openclaw.agent_in(ground.workspace.root, ground.workspace.caller):
        found = filter(ground.is_in, files_below(agent.state))
        yield from (f"file of OpenClaw: {file}" for file in found)


def _server(ground: Ground) -> Iterator[str]:
    try:
        if count := messages(ground, False):
            yield f"chat server: {count} messages"
    except ServerAwayError as error:
        yield f"chat server: {error.message}"
    if has_server(ground):
        yield "the logs and backups of the chat server"
    if url := ground.workspace.settings.chroma_url:
        yield f"Chroma server: {url} (`clawgit memory index` deletes the vectors there)"
