"""The compiled part of pygit2, as clawgit loads it, is as good as the whole package."""

import json
import subprocess
import sys

from tests.conftest import Git

ASKED = """
import json, sys
if sys.argv[2] == "whole":
    import pygit2 as first
from clawgit.core.doors import pygit2
print(sys.argv[2] == "whole", "pygit2.remotes" in sys.modules, file=sys.stderr)
repo = pygit2.Repository(sys.argv[1])
head = repo.lookup_reference("HEAD")
commit = repo[head.resolve().target]
tree = commit.peel(pygit2.Tree)
blob = tree["memory/a.md"]
said = {
    "head": [head.target, str(head.resolve().target), repo.listall_branches()],
    "tree": [(entry.name, int(entry.filemode)) for entry in tree],
    "blob": [int(repo.odb.read(blob.id)[0]), repo.odb.read(blob.id)[1].decode()],
    "there": [blob.id in repo, pygit2.Oid(hex="1" * 40) in repo, str(pygit2.hash(b"a"))],
    "config": [repo.config["user.name"], "no.such" in repo.config,
        ["remote.far.promisor", "true"] in [[key.name, key.value] for key in repo.config]],
    "bare": repo.is_bare,
    "log": [entry.message for entry in head.log()],
    "walked": [commit.message for commit in repo.walk(commit.id)],
}
for wrong in (lambda: repo[pygit2.Oid(hex="1" * 40)], lambda: repo.config["no.such"],
        lambda: repo.lookup_reference("refs/heads/none"), lambda: repo.odb.read("1" * 40)):
    try:
        wrong()
    except KeyError as error:
        said.setdefault("missing", []).append(str(error.args[0]))
print(json.dumps(said))
# Whoever asks for the package itself gets all of it.
import pygit2 as package
assert package.Repository(sys.argv[1])[commit.id].message == commit.message
assert isinstance(package.Repository(sys.argv[1]).head.peel().tree["memory"].filemode,
    package.enums.FileMode)
assert isinstance(commit, package.Commit)
"""


def asked(ws: Git, *which: str) -> "subprocess.CompletedProcess[str]":
    argv = (sys.executable, "-c", ASKED, str(ws.root), *which)
    return subprocess.run(argv, capture_output=True, text=True, check=True)


def test_its_compiled_part_answers_as_the_whole_package(ws: Git) -> None:
    ws.write("memory/a.md", "- tea\n")
    ws.commit_all("tea")
    ws("config", "remote.far.promisor", "true")
    part, whole = asked(ws, "part"), asked(ws, "whole")
    assert (part.stderr, whole.stderr) == ("False False\n", "True True\n")
    assert json.loads(part.stdout) == json.loads(whole.stdout)
    assert "tea" in part.stdout
