"""Weeks of life on several machines, by a seed: facts, edits, corrections, undos, compactions, words
that are forgotten, plain git, and syncs in between, some of them killed.
"""

from collections.abc import Callable
from contextlib import suppress
from random import Random

from clawgit.agents.frame.corrections import add
from clawgit.core.errors import ClawgitError, NotFoundError
from clawgit.git.place import FORGOTTEN_REF
from clawgit.git.rules.actors import AGENT
from clawgit.history.forgetting.forget import forget, plan
from clawgit.history.synced import Synced
from clawgit.history.undo import undo
from clawgit.history.why import why
from clawgit.memory.editing import edit, remove
from clawgit.memory.entries import EntryFilter, listed
from clawgit.memory.remember import NewFact, remember
from clawgit.memory.upkeep import compact_quarterly
from tests.history.machines import Machine, killed_at, meet

_STEPS = (
    "asking", "bringing", "looked", "journaled", "prepared", "exchanged", "placed", "placed:2",
    "ref-moved", "index-published", "sending",
)  # fmt: skip
_THINGS = (
    "the boiler", "the red bicycle", "invoice copies", "the night train", "green paint",
    "the backup disk", "Greek lessons", "the garden gate", "a violin", "the tax office",
)  # fmt: skip
_DEEDS = ("keeps", "repairs", "asks about", "sells", "has lost", "pays for", "dreams of")
_NAMES = ("Ana", "Bodo", "Cleo", "Dmitri", "Esra", "Farid")


class Life:
    """What happened: `said` has each word that was written down once, `gone` those that somebody
    took out, edited or put right since, `forgotten` those that went from history too.
    """

    def __init__(self, seed: int, clones: list[Machine]) -> None:
        self.random = Random(seed)
        self.clones = clones
        self.said: set[str] = set()
        self.gone: set[str] = set()
        self.states: list[str] = []
        self.forgotten: list[str] = []
        self.killed = 0
        self._number = 0
        self._coined = ""

    def round(self, *, kills: bool = False) -> None:
        """Something happens on each machine; one of them syncs."""
        for clone in self.clones:
            self.act(clone)
        clone = self.random.choice(self.clones)
        if kills and self.random.random() < 0.2:
            self.killed += killed_at(clone, self.random.choice(_STEPS)) != 0
        else:
            self.states.append(clone.sync().state)

    def act(self, clone: Machine) -> None:
        self.random.choices(
            (self.learn, self.note, self.reword, self.drop, self.correct, self.take_back,
             self.gather, self.by_git, self.forget, self.ask_when),
            (6, 4, 3, 2, 2, 2, 1, 2, 1, 1),
        )[0](clone)  # fmt: skip
        # What the rules refused or held was never said.
        self.gone |= {self._coined} - self._words(clone)

    def forget_for_good(self, clone: Machine) -> None:
        """From history too, as docs/history.md says: the remote is overwritten, and the same is
        forgotten on the others.
        """
        word = self.word()
        clone.append(f"- {self.sentence()} with {word}.\n")
        assert {done.state for done in self.all_meet()} <= {"in_sync", "pushed", "merged"}
        workspace = clone.workspace()
        done = forget(workspace, plan(workspace, word, history=True))
        assert done.proof is not None
        assert done.proof.is_clean
        clone("push", "-q", "--force", "origin", "main", FORGOTTEN_REF)
        for other in self.clones:
            with suppress(NotFoundError):  # here, or where the words never came
                forget(other.workspace(), plan(other.workspace(), word, history=True))
        self.gone.add(word)
        self.forgotten.append(word)

    def all_meet(self, rounds: int = 1) -> list[Synced]:
        return meet(self.clones, rounds)

    def learn(self, clone: Machine) -> None:
        word = self.word()
        remember(clone.workspace(AGENT), NewFact(f"{self.sentence()} in {word}."))

    def note(self, clone: Machine) -> None:
        """A hand that types a line at the end of a daily note, without an id."""
        day = f"memory/2026-02-{self.random.randint(10, 14)}.md"
        clone.append(f"- {self.sentence()} at {self.word()}.\n", day)

    def reword(self, clone: Machine) -> None:
        self._on_entry(
            clone,
            lambda key: edit(clone.workspace(), key, f"{self.sentence()} near {self.word()}."),
        )

    def drop(self, clone: Machine) -> None:
        self._on_entry(clone, lambda key: remove(clone.workspace(), (key,)))

    def correct(self, clone: Machine) -> None:
        self._on_entry(
            clone, lambda key: add(clone.workspace(), f"{self.sentence()} by {self.word()}.", key)
        )

    def take_back(self, clone: Machine) -> None:
        before = self._words(self._healed(clone))
        self._tried(lambda: undo(clone.workspace()))
        self.gone |= before ^ self._words(clone)

    def gather(self, clone: Machine) -> None:
        clone.append(f"- {self.sentence()} on {self.word()}.\n", "memory/2025-08-03.md")
        compact_quarterly(clone.workspace(), days=90, remove=True)

    def forget(self, clone: Machine) -> None:
        """From the files; history holds it still."""
        self._on_entry(clone, lambda key: self._forgotten(clone, key))

    def ask_when(self, clone: Machine) -> None:
        entries = listed(self._healed(clone).workspace(), EntryFilter()).entries
        if entries:
            found = why(clone.workspace(), self.random.choice(entries).key)
            assert found.changes or found.state == "uncommitted", found

    def by_git(self, clone: Machine) -> None:
        self._healed(clone)
        clone.append(f"- {self.sentence()} for {self.word()}.\n")
        clone("commit", "-qam", "by hand")

    def word(self) -> str:
        """One that stands nowhere else."""
        self._number += 1
        self._coined = f"Place{self._number}"
        self.said.add(self._coined)
        return self._coined

    def sentence(self) -> str:
        choose = self.random.choice
        return f"{choose(_NAMES)} {choose(_DEEDS)} {choose(_THINGS)}"

    def _on_entry(self, clone: Machine, deed: Callable[[str], object]) -> None:
        entries = listed(clone.workspace(), EntryFilter()).entries
        if not entries:
            return
        before = self._words(self._healed(clone))
        entry = self.random.choice(entries)
        self._tried(lambda: deed(entry.key))
        self.gone |= before - self._words(clone)

    @staticmethod
    def _forgotten(clone: Machine, key: str) -> None:
        workspace = clone.workspace()
        forget(workspace, plan(workspace, key))

    def _healed(self, clone: Machine) -> Machine:
        """What a killed sync left is finished by the next command; until then plain git waits, and
        files may lack what the branch is about to have.
        """
        clone.workspace().git.heal(clone.now)
        return clone

    def _tried(self, deed: Callable[[], object]) -> None:
        """What the rules refuse does not happen."""
        try:
            deed()
        except ClawgitError as refused:
            self.states.append(refused.kind)

    def _words(self, clone: Machine) -> set[str]:
        texts = {word.strip(".,;:()“”\"'") for text in clone.texts() for word in text.split()}
        return self.said & texts
