# Whether a message may say who made the commit.
names() {
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in *[Cc][Ll][Aa][Ww][Gg][Ii][Tt]-[Oo][Pp]*) return 0 ;; esac
	done <"$1"
	return 1
}

# A commit without any file that clawgit keeps: its message stays as it is, but names nobody, since `log` believes it,
# too. Pre-commit of this git may have seen whether such a file is in it.
outside= found=
{ read -r found <"$git/clawgit/checked"; } 2>/dev/null
quiet='--quiet --no-ext-diff --no-textconv --ignore-submodules=dirty'
# shellcheck disable=SC2086 # words
if [ "$found" = "other $PPID" ] || {
	[ "$found" != "ours $PPID" ] && narrowed && within diff --cached $quiet && ! git diff --cached $quiet && ! amends
}; then
	names "$1" || exit 0
	outside=yes
fi

# Python starts only for a message with a word as long as a key, or that mentions one, or that names an actor itself.
# Hardly any does.
if LC_ALL=C grep -qiE 'clawgit-op|[^[:space:]]{20}|pass|pwd|token|secret|credential|key|bearer|basic|[^ -~]' "$1"; then
	ask commit-msg "$1" "$who"
fi
[ -z "$outside" ] || exit 0

# Adds an id and leaves the words untouched. A message that has an id keeps it; git itself refuses an empty one.
comment='(none)' template= # without an editor, no line is a comment
if [ "${GIT_EDITOR-}" != : ]; then # written in an editor: it has comments, and perhaps a template
	comment='#'
	while read -r key value; do
		case $key=$value in
		core.commentchar=?) comment=$value ;;
		commit.template=*) template=$value ;;
		esac
	done <<END
$(git config --type=path --get-regexp '^(core\.commentchar|commit\.template)$')
END
	named=$(arguments | sed -n -e '/^--template$/{n;p;}' -e '/^-[a-z]*t$/{n;p;}' -e 's/^--template=//p' -e 's/^-t\(.\)/\1/p')
	case $named in '') ;; /*) template=$named ;; *) template=${GIT_PREFIX-}$named ;; esac
fi

words= cut=
while IFS= read -r line || { [ -n "$line" ] && cut=yes; }; do
	case $line in
	"$comment ------------------------ >8 "*) break ;;
	Clawgit-Id:\ [k-z][k-z][k-z][k-z][k-z][k-z][k-z][k-z]*) exit 0 ;;
	"$comment"* | Signed-off-by:*) ;;
	*[![:space:]]*) words=yes ;;
	esac
done <"$1"
[ -n "$words" ] || exit 0
if [ -f "$template" ] && own=$(sed "/^$comment -* >8 -*/,\$d" "$1" | git stripspace -s); then
	[ "$own" != "$(git stripspace -s <"$template")" ] || exit 0
fi

# An amended change keeps its id, even if its words are new.
id=
if amends; then
	id=$(git log -1 --format='%(trailers:key=Clawgit-Id,valueonly)' HEAD)
	id=${id%%[!k-z]*}
fi
if [ ${#id} -ne 8 ] && read -r hex </proc/sys/kernel/random/uuid; then
	hex=${hex%%-*} codes=
	while [ -n "$hex" ]; do
		rest=${hex#?} digit=$((0x${hex%"${hex#?}"} + 43)) # the hex digit plus the code of k, which is 0153 in octal, 43 above 0100
		codes="$codes\\1$((digit / 8))$((digit % 8))" hex=$rest
	done
	# shellcheck disable=SC2059 # the codes are the format
	id=$(printf "$codes")
fi 2>/dev/null
[ ${#id} -eq 8 ] || id=$(LC_ALL=C tr -dc k-z </dev/urandom 2>/dev/null | head -c 8)
[ ${#id} -eq 8 ] || exit 0

actor=$who
if [ "$who" = agent ]; then
	# The same rule as for --actor. Each letter by itself: what a range covers depends on the locale.
	actor=${CLAWGIT_ACTOR-} plain=${CLAWGIT_ACTOR-}
	while :; do
		case $plain in *-*) plain=${plain%%-*}${plain#*-} ;; *) break ;; esac
	done
	case $actor in *[!abcdefghijklmnopqrstuvwxyz0123456789-]*) actor=unknown ;; esac
	case $plain in '' | @RESERVED@) actor=unknown ;; esac
	[ ${#actor} -le 40 ] || actor=unknown
fi
op="--trailer=Clawgit-Op: $actor/commit"
# A merge has what its sides have: where nobody says more, whoever ran git made it, by the author's name.
if [ "$actor" = unknown ] && [ -e "$git/MERGE_HEAD" ]; then op=; fi
[ "$comment" != '(none)' ] || comment='^'
[ -z "$cut" ] || echo >>"$1" # `git merge -m` writes no newline at the end; the trailers would continue its last line
# As if outside of any repository, and without settings: a `trailer.*.command` would run here, and a `trailer.*.key` make
# another line of the message one that names the actor.
GIT_DIR=/dev/null GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CONFIG_COUNT=0 GIT_CONFIG_PARAMETERS='' \
	command git -c core.commentChar="$comment" interpret-trailers --in-place --no-divider --where end --if-exists doNothing --if-missing add \
	--trailer "Clawgit-Id: $id" ${op:+"$op"} "$1"
exit 0
