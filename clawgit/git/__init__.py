"""The git store: everything that reads or writes the repository goes through `store.GitStore`.

Reading: `head`, `read`, `commit`, `history`, `changed_paths`, `dirt`. Writing: `transaction(intent,
now)` with `tx.read`, `tx.put`; `snapshot(now)`; `heal(now)`. `tx.outcome` is then the `Change` that
the command answers. A transaction has these steps; in another order something could be lost:

1. Lock (`lock`), finish what a crash left (`recovery`), look whether git itself is busy (`dirt`).
   The lock is a flock and dies with its holder. A busy git and a detached HEAD are left alone; a
   change that can wait is parked on `refs/clawgit/parked/*`.
2. The body edits in memory (`transaction`). An exception writes nothing.
3. The rules judge (`commit_rules`): refuse, or hold as a proposal. They run at the end of every
   transaction, so undo, restore and agents pass the same guard.
4. Foreign edits become commits of their own, staged ones first (`foreign`). If ours came first,
   theirs would be attributed to us, or overwritten. What was saved since the body read it is merged
   into ours; then CHANGELOG.md is derived.
5. Blobs, trees and commits are written (`objects`). No ref moves yet: a crash here leaves garbage,
   no damage.
6. The journal is written (`landing`): `refs/clawgit/tx/<worktree>` names the commit to land, and
   protects it from gc. From here on a crash is finished forwards, by the same `land`.
7. Git's own `index.lock` is taken with our mark (`gitindex`). HEAD and index are read
   again; if they moved, the transaction starts over.
8. Files are replaced one by one (`placing`, `held`): exchanged with the old file, which
   is compared with what was expected, held for 50 ms, and compared again. Whatever somebody saved
   meanwhile becomes a snapshot.
9. The branch moves by compare-and-swap (`repo`), then the index is published from a private copy.
   If the branch moved first, plain git in between would show our change as taken back, and could
   commit that.

What a step needs is on the disk before the step (`NewObjects.sync`, `Repo.sync_ref`,
`Placer.sync`), so a power cut leaves no more than a kill. What is not synced may be empty then: a
lock is therefore a link.

The crash tests kill at `Repo.seam`, which is called between these steps. On Linux a lease shows
whether an editor still has a displaced file open. Git's index is read by libgit2, and written on a
private copy; a sparse checkout and a split index are refused with the command that ends them.

What else is here: `batch` reads objects by C git, for commands that have no time to load libgit2;
`revisions` says what a user may call a commit; `forgotten` and `rewriting` are the one case in
which history is rewritten. There are three more folders:

- `history`: `pathlog` (commits by path, change id, alert and time, as git tells them), `patches`
  (diffs), `streams` (what commits brought in and took away).
- `remotes`: a remote's branch is brought in by the same steps. `joining` merges the files by
  entries. `landing.meeting` makes the merge commit, the same on every machine. The journal is then
  an internal merge of HEAD and that commit (`landing.goal_of`). `transport` talks to remotes.
- `guards`: every git that we start goes through `hardened`, so no key of a repository's
  configuration runs a program. `filters` finds what a repository would run, `belonging` whether a
  `.git` belongs to its folder. `gitdir` checks the owner.
"""

RECORD = "forgotten.json"
"""The file that holds what was forgotten: in the commit of `refs/clawgit/forgotten`, and a copy of
ours."""
