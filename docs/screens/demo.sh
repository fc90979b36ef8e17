# The workspace of the pictures: an agent a week old. docs/make_screens.py types this at a terminal,
# in a scratch HOME.
at() { export CLAWGIT_NOW="2026-$1:00+00:00" GIT_AUTHOR_DATE="2026-$1:00+0000" GIT_COMMITTER_DATE="2026-$1:00+0000"; }
mkdir -p "$HOME" && cd "$HOME"
git config --global user.name Ana && git config --global user.email ana@example.org
git config --global init.defaultBranch main && git config --global gc.auto 0

at 02-24T09:00
mkdir agent && cd agent
mkdir memory
cat > SOUL.md <<'END'
# Soul

- I help Ana run her small studio.
- I answer in one paragraph.
- I never send a message without asking.
END
cat > IDENTITY.md <<'END'
# Identity

Name: Finch
END
cat > USER.md <<'END'
# User

Ana runs a studio for letterpress prints in Lisbon.
END
cat > memory/2026-02-23.md <<'END'
# 2026-02-23

- Ana prepares the demo for the museum.
- The paper comes from Porto.
END
clawgit init .

at 02-25T10:30
clawgit memory add "Ana drinks coffee in the morning." --tag knowledge
clawgit memory add "The demo for the museum is on Wednesday, March 4." --tag event

at 02-26T16:10
cat > memory/2026-02-26.md <<'END'
# 2026-02-26

- The museum wants six posters for the demo.
- Ana asked for a shorter summary of each day.
END
clawgit snapshot

at 02-27T08:45
sed -i.bak 's/one paragraph/three sentences/' SOUL.md && rm SOUL.md.bak
git commit -qam "Shorter answers, as Ana asked"

at 02-28T11:20
clawgit corrections add "Ana drinks green tea." --was "Ana drinks coffee in the morning."

at 03-01T18:00
cat > memory/2026-03-01.md <<'END'
# 2026-03-01

- Ana and the museum agreed on the frames.
END
clawgit snapshot
