"""soul verify names each change of the soul that had no authority, under each policy; a real
signature gives it."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from clawgit.core.errors import ConfigError
from clawgit.core.markdown.amend import Amendment
from clawgit.git.rules.actors import OPERATOR
from clawgit.git.signatures import is_valid, parsed, signers
from clawgit.history import changes
from clawgit.history import proposals as soul_changes
from clawgit.history.proposals import approve, propose
from clawgit.soul.changelog import SAME, changelog, check
from clawgit.soul.guarding import GuardError
from clawgit.soul.soul import snapshots
from clawgit.soul.verify import verify
from tests.conftest import Git, program
from tests.git.test_transaction import age
from tests.signing import make_key
from tests.soulful import KEEPER, SOUL, Soulful

FOREIGN = "an edit by hand, and nothing shows that the operator made it"


def named(soulful: Soulful, since: str | None = None) -> dict[str, tuple[str, ...]]:
    """The unauthorised changes by id or short hash."""
    return {
        one.change.id or one.change.sha[:10]: one.reasons
        for one in verify(soulful.space, since).unauthorised
    }


def test_what_agents_do_with_evidence_is_fine_where_the_soul_may_evolve(soulful: Soulful) -> None:
    soulful.write("Be kind.", "Be kinder.")
    soul_changes.edit(soulful.later(), Amendment(add="Sing."), "she likes it")
    found = verify(soulful.space)
    assert (found.ok, found.policy, found.checked, found.unauthorised) == (True, "evolve", 2, ())


def test_a_protected_principle_that_an_agent_dropped_is_named(soulful: Soulful) -> None:
    proof, line = "CORRECTIONS.md#p1", "- Never touch the payroll.\n"
    soulful.write("- Finish", f"{line}- Finish", evidence=proof, actor=OPERATOR)
    reworded = soulful.write("Never touch the payroll.", "**Never** touch the payroll.")
    soulful.git.write("SOUL.md", soulful.text().replace("- **Never** touch the payroll.\n", ""))
    told = "Clawgit-Op: soul-keeper/edit\nEvidence: memory/2026-02-13.md#L3"
    soulful.git.commit_all(f"keeper: tidy\n\nClawgit-Id: klmnopqr\n{told}")
    found = named(soulful)
    assert [*found] == ["klmnopqr"], reworded
    assert "comes from correction p1 and is dropped or reworded" in found["klmnopqr"][0]


def test_under_review_only_what_the_operator_approved_stands(soulful: Soulful) -> None:
    loose = soulful.write("Be kind.", "Be kinder.")
    soulful.set(soul_policy="review")
    asked = propose(soulful.as_actor(KEEPER), Amendment(add="Sing."), "she hums")
    approve(soulful.later(), str(asked.id))
    assert named(soulful) == {loose.id: ("made by soul-keeper without approval",)}


def test_locked_wants_the_operator_and_flags_what_was_found(soulful: Soulful) -> None:
    soulful.set(soul_policy="locked")
    start = soulful.git.head()
    with pytest.raises(GuardError, match="is locked"):
        soulful.write("Be kind.", "Be kinder.")
    soul_changes.edit(soulful.later(), Amendment(add="Sing."), "she likes it")
    age(soulful.git.write("SOUL.md", soulful.text().replace("Be kind.", "Be cruel.")))
    done = changes.snapshot(soulful.later())
    assert any("changed what only the operator may" in alert for alert in done.alerts)
    plain = soulful.git.commit_file("SOUL.md", soulful.text() + "- By git.\n", "by plain git")
    found = verify(soulful.space)
    assert not found.ok
    assert {one.change.id or one.change.sha: one.reasons for one in found.unauthorised} == {
        done.id: (FOREIGN,),
        plain: ("made by plain git, and by none of the signers",),
    }
    assert {one.next.rpartition(" ")[2] for one in found.unauthorised} == {done.id, plain[:10]}
    assert verify(soulful.space, since=plain).ok
    assert verify(soulful.space, since=start).checked == 3


def test_what_the_operator_calls_his_own_rings_no_alarm(soulful: Soulful) -> None:
    soulful.set(soul_policy="locked")
    age(soulful.git.write("SOUL.md", SOUL + "- Mine.\n"))
    assert changes.snapshot(soulful.later(), "my own words").alerts == ()
    assert verify(soulful.space).ok


def test_a_merge_that_only_joins_its_sides_is_no_change(soulful: Soulful) -> None:
    soulful.set(soul_policy="locked")
    git = soulful.git
    git("checkout", "-q", "-b", "side")
    short = Amendment(replace=("Short when short will do.", "Short."))
    soul_changes.edit(soulful.later(), short, "short")
    git("checkout", "-q", "main")
    soul_changes.edit(soulful.later(), Amendment(replace=("Be kind.", "Be kinder.")), "kind")
    git("merge", "-q", "side", "-X", "ours", "-m", "merge")
    assert verify(soulful.space).ok
    git.write("SOUL.md", soulful.text() + "- Slipped in.\n")
    git("commit", "-q", "--amend", "-a", "-m", "merge with more")
    assert [*named(soulful)] == [git.head()[:10]]


def test_a_merge_that_leaves_a_change_of_the_soul_out_is_named(soulful: Soulful) -> None:
    """Git lists no file with it: the soul is as in one of its sides."""
    soulful.set(soul_policy="locked")
    git, start = soulful.git, soulful.git.head()
    soul_changes.edit(soulful.later(), Amendment(replace=("Be kind.", "Be kinder.")), "kind")
    git("checkout", "-q", "-b", "side", start)
    git("commit", "-q", "--allow-empty", "-m", "nothing")
    git("merge", "-q", "-m", "joined", "main")
    assert verify(soulful.space).ok
    git("reset", "-q", "--hard", "HEAD~1")
    git("merge", "-q", "-s", "ours", "-m", "merge", "main")
    assert [*named(soulful)] == [git.head()[:10]]


def signed_change(git: Git, key: Path, line: str) -> str:
    git.stage("SOUL.md", (git.root / "SOUL.md").read_text() + line)
    private = key.with_suffix("")
    git("-c", "gpg.format=ssh", "-c", f"user.signingkey={private}", "commit", "-qS", "-m", line)
    return git.head()


@pytest.mark.host
def test_a_real_ssh_signature_of_a_signer_gives_authority_and_no_other_does(
    soulful: Soulful, tmp_path: Path
) -> None:
    mine, other = (make_key(tmp_path, name) for name in ("mine", "other"))
    soulful.set(soul_policy="locked", soul_signers=json.dumps([mine.read_text().strip()]))
    signed_change(soulful.git, mine, "- Signed by the operator.\n")
    stranger = signed_change(soulful.git, other, "- Signed by a stranger.\n")
    assert [*named(soulful)] == [stranger[:10]]
    raw = soulful.git("cat-file", "commit", "HEAD~").replace("Signed by the", "Signed for the")
    forged = soulful.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw).strip()
    soulful.git("reset", "-q", "--hard", forged)
    assert [*named(soulful)] == [forged[:10]]


@pytest.mark.host
def test_the_repository_cannot_say_who_verifies(soulful: Soulful, tmp_path: Path) -> None:
    mine, other = (make_key(tmp_path, name) for name in ("mine", "other"))
    soulful.set(soul_policy="locked", soul_signers=json.dumps([mine.read_text().strip()]))
    stranger = signed_change(soulful.git, other, "- Signed by a stranger.\n")
    liar = tmp_path / "liar"
    program(liar, "echo 'Good \"git\" signature for signer with ED25519 key SHA256:x'")
    soulful.git("config", "gpg.ssh.program", str(liar))
    assert [*named(soulful)] == [stranger[:10]]


@pytest.fixture
def gpg_key(soulful: Soulful) -> Iterator[str]:
    """A fresh key in the keyring of this test's own home; its fingerprint."""
    gpg = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]
    subprocess.run(
        [*gpg, "--quick-generate-key", "olga@example.org", "ed25519", "sign"], check=True
    )
    told = subprocess.run(
        [*gpg, "--list-keys", "--with-colons"], check=True, capture_output=True, text=True
    ).stdout
    yield next(row.split(":")[9] for row in told.splitlines() if row.startswith("fpr:"))
    subprocess.run(["gpgconf", "--kill", "all"], check=True)


@pytest.mark.host
def test_a_real_gpg_signature_counts_by_its_fingerprint(soulful: Soulful, gpg_key: str) -> None:
    soulful.set(soul_policy="locked", soul_signers=json.dumps([gpg_key]))
    soulful.git.write("SOUL.md", SOUL + "- Signed.\n")
    soulful.git("-c", f"user.signingkey={gpg_key}", "commit", "-q", "-a", "-S", "-m", "signed")
    assert verify(soulful.space).ok
    soulful.set(soul_policy="locked", soul_signers=json.dumps([FINGERPRINT]))
    assert [*named(soulful)] == [soulful.git("rev-parse", "HEAD~1")[:10]]


ED25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGqCJ2m1nJ0eTqf0mTz0q1y0mN5b8Qm0J8mW3uVhQ0aB"
FINGERPRINT = "0123456789ABCDEF0123456789ABCDEF01234567"


def test_signers_are_ssh_keys_and_full_fingerprints() -> None:
    spaced = " ".join(FINGERPRINT.lower()[at : at + 4] for at in range(0, 40, 4))
    found = signers([f"{ED25519} olga@home", spaced])
    assert found.ssh == (ED25519,)
    assert found.gpg == {FINGERPRINT}
    with pytest.raises(ConfigError, match="DEADBEEF"):
        signers(["DEADBEEF"])


def test_what_git_says_of_signatures_is_read() -> None:
    """The output was recorded from git 2.39: an SSH signature that is listed, one that is not, GPG,
    none."""
    told = (
        ("a", "G", "SHA256:iWviZv0eTzYlklhTPP6vM0FzqacPv8mY73bqzfk3lyk", ""),
        ("b", "U", "SHA256:gjeaTSq0Ps7dC1CkIqiNx5ba9qz+CaGVwt13XJ/N4Cg", ""),
        ("c", "U", "F" * 40, FINGERPRINT),
        ("d", "N", "", ""),
    )
    rows = ("\0".join((name * 40, *rest, "\n")) for name, *rest in told)
    words = parsed("".join(rows).encode())
    allowed = signers([ED25519, FINGERPRINT])
    valid = [is_valid(*words[letter * 40], allowed) for letter in "abcd"]
    assert valid == [True, False, True, False]
    assert not any(is_valid(verdict, FINGERPRINT, "", allowed) for verdict in "BXYREN")
    assert not is_valid("G", "F" * 40, "", signers([ED25519]))


# Many changes by three actors, corrections among them: explained, verified, and taken back in any


def live(soulful: Soulful, changes: int) -> dict[str, str]:
    """One line more with each change; which change brought which."""
    brought: dict[str, str] = {}
    for number in range(changes):
        line = f"- Lesson {number} of {('kindness', 'patience', 'order', 'tea')[number % 4]}."
        if number % 4 == 0:
            wish = Amendment(add=line, section="Core truths")
            done = soul_changes.edit(soulful.later(), wish, f"because {number}")
        elif number % 4 == 1:
            done = soulful.write("\n## Vibe", f"{line}\n\n## Vibe")
        elif number % 4 == 2:
            proof = f"CORRECTIONS.md#p{number}"
            new = f"{line}\n\n## Bound"
            done = soulful.write("\n## Bound", new, evidence=proof, actor=OPERATOR)
        else:
            text = soulful.text().rstrip("\n")
            soulful.git.write("SOUL.md", f"{text}\n{line}\n")
            brought[soulful.git.commit_all(f"plain {number}")[:10]] = line
            continue
        brought[str(done.id)] = line
    return brought


@pytest.mark.parametrize(
    ("changes", "taken"), [(5, 3), pytest.param(40, 8, marks=pytest.mark.slow)]
)
def test_a_life_is_taken_back_line_by_line_in_any_order(
    soulful: Soulful, changes: int, taken: int
) -> None:
    soulful.set(soul_max_tokens="4000", soul_policy="evolve")
    brought = live(soulful, changes)
    assert len(changelog(soulful.space)) == changes + 1
    assert verify(soulful.space).ok
    order = random.Random(5).sample(sorted(brought), taken)
    for name in order:
        soul_changes.revert(soulful.later(), name)
        assert brought[name] not in soulful.text().splitlines()
    left = [line for name, line in brought.items() if name not in order]
    assert sorted(set(soulful.text().splitlines()) - set(SOUL.splitlines())) == sorted(left)
    found = check(soulful.space)
    assert (found.state, found.waiting) == (SAME, 0)
    assert len(changelog(soulful.space)) == changes + 1 + taken
    assert len(snapshots(soulful.space).snapshots) == changes + taken
    body = soulful.git("log", "-1", "--format=%(trailers:key=Clawgit-Op,valueonly)")
    assert body.strip() == "operator/revert"
    back = order[:2]
    for name in back:
        taking = next(one.name for one in changelog(soulful.space) if name in one.evidence)
        soul_changes.revert(soulful.later(), taking)
    left += [brought[name] for name in back]
    assert sorted(soulful.text().splitlines()) == sorted([*SOUL.splitlines(), *left])
