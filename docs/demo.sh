# One day in the life of an agent, told by its commands: `make demo`. No model, no network; all in a scratch folder.
set -eu
templates="$(cd "$(dirname "$0")/.." && pwd)/templates/workspace"
demo="${CLAWGIT_DEMO:-${TMPDIR:-/tmp}/clawgit-demo}"
rm -rf "$demo" && mkdir -p "$demo/home"
for name in $(env | cut -d= -f1 | grep -E '^(CLAWGIT|OPENCLAW|XDG)_'); do unset "$name"; done
# The demo writes only into the git configuration of its scratch folder, not into the one that the caller names.
export HOME="$demo/home" GIT_CONFIG_GLOBAL="$demo/home/.gitconfig" GIT_CONFIG_NOSYSTEM=1 TZ=UTC PAGER=cat
git config --global user.name "Olga" && git config --global user.email "olga@example.org"
git config --global init.defaultBranch main
openclaw="$HOME/.openclaw/agents/main/agent/openclaw-agent.sqlite" agent="$HOME/.openclaw/workspace"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
typed() { printf '\033[36m$ %s\033[0m\n' "$*"; }
run() {
    shown=
    for word in "$@"; do
        case $word in *[!-A-Za-z0-9_./:=+]*) word="\"$word\"" ;; esac
        shown="$shown $word"
    done
    typed "${shown# }"
    "$@"
}
piped() { typed "$1" && sh -c "$1"; }
at() { export CLAWGIT_NOW="2026-02-$1:00+01:00"; }
# clawgit leaves a file alone that was saved this very second, since somebody may still be writing to it.
calm() { find . -name '*.md' -exec touch -d '1 minute ago' {} + 2>/dev/null || find . -name '*.md' -exec touch -t 202602010000 {} +; }
id_of() { clawgit log "$1" -n 1 --json 2> /dev/null | sed -n 's/.*"id": "\([k-z]*\)".*/\1/p'; }
number=0 parent=null
talk() { # TIME ROLE TEXT: one event of OpenClaw's own transcript
    number=$((number + 1))
    printf '{"type":"message","id":"m%s","parentId":%s,"timestamp":"2026-02-14T%s:00.000Z","message":{"role":"%s","content":[{"type":"text","text":"%s"}]}}' \
        "$number" "$parent" "$1" "$2" "$3" | python3 -c '
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("INSERT INTO transcript_events VALUES (?, ?, ?, 0)", ("day", int(sys.argv[2]), sys.stdin.read()))' "$openclaw" "$number"
    parent="\"m$number\""
    [ "$2" = user ] && printf '  \033[33mOlga\033[0m  %s\n' "$3" || printf '  \033[35mFig\033[0m   %s\n' "$3"
}

mkdir -p "$(dirname "$openclaw")" "$agent"
printf '{ agents: { defaults: { userTimezone: "Europe/Berlin" } } } // a real one is JSON5, too\n' > "$HOME/.openclaw/openclaw.json"
python3 - "$openclaw" << 'EOF'
import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript("""
CREATE TABLE session_entries (session_key TEXT PRIMARY KEY, session_id TEXT, entry_json TEXT, updated_at INTEGER);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);
INSERT INTO session_entries VALUES ('agent:main:main', 'day', '{"chatType": "direct", "channel": "webchat"}', 1);
""")
EOF
cd "$agent"

at 14T08:30
say "1. Bootstrap. OpenClaw has not set the folder up yet, so clawgit waits, and does not disturb its first conversation."
run clawgit init
mkdir .openclaw && for name in SOUL USER IDENTITY AGENTS BOOTSTRAP; do cp "$templates/$name.md" .; done
say "   Now OpenClaw's files are there. The folder becomes a workspace; what is in it is committed as it is."
calm && run clawgit init
say "   Olga and the agent find out who it is. It fills in IDENTITY.md and deletes BOOTSTRAP.md."
at 14T08:50
sed 's/^- \*\*Name:\*\*.*/- **Name:** Fig/; s/^- \*\*Creature:\*\*.*/- **Creature:** a fox in the wires/' IDENTITY.md > it && mv it IDENTITY.md
sed 's/^- \*\*Name:\*\*.*/- **Name:** Olga/' USER.md > it && mv it USER.md
printf -- '- Caching is done by Memcached. #decision\n' >> MEMORY.md
rm BOOTSTRAP.md && calm && run clawgit snapshot

at 14T09:00
say "2. A session begins. This is what the agent reads first, each part within its budget."
piped 'clawgit context --message "What do we cache with?" --explain | grep "tokens$"'
piped 'clawgit context --message "What do we cache with?" | grep -A 9 "What memory says"'

say "3. They talk. A decision, a wish, and something that the agent remembers wrongly."
talk 08:05 user "We decided to ship the Harbor dashboard on 3 March."
talk 08:06 assistant "Noted: the dashboard ships on 3 March."
talk 08:09 user "We decided to bill in euros from January, on Mira's advice."
talk 08:10 user "What do we cache with?"
talk 08:11 assistant "Caching is done by Memcached."
talk 08:12 user "No, it's Redis, not Memcached."
talk 08:13 assistant "You are right: Redis."
talk 08:20 user "From now on, always ask me before you delete anything."
talk 08:21 assistant "Understood."
at 14T09:25
say "   clawgit reads OpenClaw's transcript and finds the correction. It corrects the memory at once, and cites the message."
run clawgit chat ingest --openclaw
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do grep -q Redis MEMORY.md && break || sleep 0.2; done
run grep -n Redis MEMORY.md
run clawgit corrections list

at 14T14:00
say "4. Flush. The context is nearly full; before it is shortened, the agent writes down what must last."
run clawgit session flush-check --session agent:main:main --tokens 180000
mkdir -p memory
printf '# 2026-02-14\n\n- Harbor: five customers try the dashboard first. #event\n- The Harbor demo is on Tuesday. #event\n' > memory/2026-02-14.md
calm && run clawgit snapshot

at 14T17:00
say "5. Olga types /new. The last messages are saved as a note."
talk 16:00 user "/new" > "$demo/new"
run clawgit session new --session agent:main:main

at 15T02:30
say "6. Night. The Soul Keeper finds a standing order and makes it a principle; CHANGELOG.md says so in the same commit."
run clawgit agent run soul-keeper
run grep -m 1 -B 2 -A 2 "added: Olga: “From now on, always ask" CHANGELOG.md

at 15T06:00
say "7. Mining. What will matter later goes into memory: each fact once, tagged, with the message it is based on."
run clawgit agent run memory-miner

at 15T09:00
say "8. Next morning. A question, the line that answers it, and where that line is."
run clawgit memory search "what did we decide about the Harbor dashboard" -n 1
run clawgit memory search "what do we cache with" -n 1
piped 'clawgit memory search "what do we cache with" -n 1 --json | grep citation'
say "   Why does it believe that? And what did it know yesterday at nine?"
run clawgit why "MEMORY.md:$(grep -n Redis MEMORY.md | cut -d: -f1)"
run clawgit memory search "what do we cache with" -n 1 --at 2026-02-14T09:00:00+01:00

say "9. Revert. Olga wanted to be asked about mails, not about every file: that one change of the soul is taken back."
run clawgit soul log -n 1 2> /dev/null
run clawgit soul revert "$(id_of SOUL.md)" --reason "only for mails"
run clawgit soul log --check

at 15T22:00
say "10. Restore drill. At night, an update replaces MEMORY.md with a stub."
printf '# Memory\n\nNothing yet.\n' > MEMORY.md
calm && run clawgit snapshot
at 16T08:00
run clawgit status
run clawgit undo "$(id_of MEMORY.md)"
run grep -c '^- ' MEMORY.md
say "    And if the whole disk is lost: one backup file, verified first, restores everything."
run clawgit backup "$demo/fig.backup"
run clawgit backup verify "$demo/fig.backup"
run clawgit backup restore "$demo/fig.backup" "$demo/again"
run diff -r --exclude .git --exclude .openclaw --exclude Archive . "$demo/again"
echo "  (diff prints nothing: every byte is the same)"

at 16T09:00
say "11. What waits for Olga. Fig notes another day, and offers a correction that no message of hers is behind: she decides."
run clawgit memory add "The Harbor demo is on Thursday." --tag event --actor fig
run clawgit agent run conflict-detector
run clawgit corrections add "The Harbor dashboard ships on 10 March." --was "$(grep -o '3 March.*claw:[a-z0-9]*' MEMORY.md | sed 's/.*claw://')" --actor fig
run clawgit corrections list --open

say "The whole story, newest first. Each line is one commit, and plain git reads it too."
run clawgit log
piped 'clawgit doctor | tail -n 1'
say "All of it is yours to look at: cd $agent"
say "Or in a browser, as it was that morning:"
echo "HOME='$HOME' '$(command -v clawgit)' -C '$agent' page --now $CLAWGIT_NOW"
