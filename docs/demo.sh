# One day in a workspace, told by its commands. `make demo` runs it; each later part of clawgit adds a scene.
set -eu
demo="${TMPDIR:-/tmp}/clawgit-demo"
rm -rf "$demo" && mkdir -p "$demo/home"
export HOME="$demo/home" GIT_CONFIG_NOSYSTEM=1 TZ=UTC
git config --global user.name "Olga" && git config --global user.email "olga@example.org"
git config --global init.defaultBranch main

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() { printf '\033[36m$ %s\033[0m\n' "$*"; "$@"; }
at() { export CLAWGIT_NOW="2026-02-$1:00+00:00"; }
calm() { find . -name '*.md' -exec touch -d '1 minute ago' {} + 2>/dev/null || find . -name '*.md' -exec touch -t 202602010000 {} +; }

at 13T09:00
say "Morning. A folder becomes a workspace: identity, memory, roles, one explained commit."
run clawgit init "$demo/workspace" --no-openclaw
cd "$demo/workspace"

at 13T11:30
say "The agent takes notes the way OpenClaw does it: it just writes to files. clawgit keeps them."
mkdir -p .openclaw
cat > memory/2026-02-13.md <<'NOTES'
# 2026-02-13

- Harbor dashboard ships on 3 March. #event
- Billing uses PostgreSQL, not MySQL; the team knows it. #decision
NOTES
cat >> MEMORY.md <<'FACTS'

- Olga prefers short answers with the reason first. #knowledge
- Public API is REST, not GraphQL. #decision
- Staging certificate is rotated at the end of each month. #skill
- Releases happen on Tuesdays, never on Fridays. #decision
- The Harbor team reads pull requests before ten in the morning. #knowledge
FACTS
calm
run clawgit snapshot

at 13T14:00
say "Olga sets her clock and writes a principle into the soul by hand. What git commits, clawgit reads."
run clawgit config set timezone Europe/Berlin
printf '\n- Ask before you delete anything.\n' >> SOUL.md
calm
run clawgit snapshot -m "She deleted a draft of mine; ask first."

at 13T16:00
say "Who is it, and since when? Each line of the soul has its life."
run clawgit soul log -n 2
run clawgit soul diff HEAD~1 HEAD

say "Olga locks the soul. The agent may still ask."
run clawgit config set soul_policy review
run clawgit soul propose --section Vibe --add "Answer in three sentences, then offer more." --reason "She said: shorter." --actor soul-keeper
run clawgit soul proposals

at 13T22:00
say "Night. An update goes wrong: MEMORY.md is overwritten with a stub. Nobody is there."
printf '# Memory\n\nNothing yet.\n' > MEMORY.md
calm
run clawgit snapshot

at 14T08:00
say "Next morning. Status says what happened, before anybody asks."
run clawgit status
say "One command takes it back; nothing that came after it is lost."
wiped=$(clawgit log MEMORY.md -n 1 --json | sed -n 's/.*"id": "\([k-z]*\)".*/\1/p')
run clawgit undo "$wiped"
run grep -c '^- ' MEMORY.md

say "Why does it believe that? The life of one line."
run clawgit why "MEMORY.md:$(grep -n 'REST' MEMORY.md | cut -d: -f1)"

say "The whole story, newest first. Every line is one commit, and plain git reads it too."
run clawgit log -n 8

say "The soul's own log is a page that plain git history gives, and it is checked."
run clawgit soul changelog --check
run clawgit soul drift

say "What does it remember? By words and meaning, now and as of yesterday noon."
run clawgit memory add "Caching is done by Redis; the old cache was too slow." --source explicit
run clawgit memory search "which database does billing use" -n 1
run clawgit memory search "when does the dashboard ship" -n 1 --explain
CLAWGIT_SEARCH_MODE=core run clawgit memory search "rest api" -n 1
run clawgit memory search "redis" --at 2026-02-13T12:00:00+00:00
run clawgit memory search "redis" -n 1 --json

say "Somebody commits by hand, and a key is in it. The hook says where; the file is not committed."
printf -- '- The key is ghp_%s\n' "$(printf 'x9Kq2LmZ7vRt4BwN8sHd3JfY6cGp5AaE1uTo')" > memory/keys.md
git add memory/keys.md
printf '\033[36m$ git commit -m "notes"\033[0m\n'
git commit -q -m "notes" || true
git reset -q memory/keys.md && rm memory/keys.md

say "A backup that is tried before it is trusted."
run clawgit backup "$demo/agent.backup"
run clawgit backup verify "$demo/agent.backup"

say "And is everything sound?"
run clawgit doctor
say "The workspace is yours to look at: $demo/workspace"
