#!/bin/sh
# clawgit @NAME@ @SUM@: `clawgit hooks uninstall` takes this out and puts back what was here before.
python='@PYTHON@'
kept=${0%/*}/@NAME@.before-clawgit
# Where the interpreter is gone, the one that a `clawgit` on PATH names does as well.
if [ ! -x "$python" ] && script=$(command -v clawgit); then
	read -r first <"$script" || first=
	case $first in '#!/'*/python* | '#!/'*/pypy*) python=${first#??} ;; esac
fi

# The hook that was here first. A shell script is told the name that it had: husky's finds its way by it.
before() {
	[ -x "$kept" ] || return 0
	read -r first <"$kept" || first=
	first=${first#??}
	case ${first%% -*} in
	*/sh | */bash | */dash | */ksh | */zsh | *' sh' | *' bash' | *' dash' | *' ksh' | *' zsh')
		CLAWGIT_KEPT=$kept $first -c '. "$CLAWGIT_KEPT"' "$0" "$@"
		;;
	*) "$kept" "$@" ;;
	esac
}

# The same as `python -m clawgit.hooks`, 3 ms sooner.
start='import sys; from clawgit.hooks.__main__ import main; sys.exit(main(sys.argv[1:]))'

# 0: nothing against it; 10: refused. All else means that nobody could look; what leaves waits for who was stopped at it.
ask() {
	said=$("$python" -EP -c "$start" "$@" 2>&1)
	case @NAME@$? in
	*[a-z]0) ;;
	*[a-z]10)
		printf '%s\n' "$said"
		exit 1
		;;
	pre-push1[3-9][0-9])
		echo "clawgit was stopped before it had looked through this push, so it does not go. Try again."
		exit 1
		;;
	*) said="clawgit cannot be run by $python, so @NAME@ checked nothing. Install it again, or \`rm $0\`." ;;
	esac
	[ -z "$said" ] || printf '%s\n' "$said"
}

# A terminal is the operator, as everywhere in clawgit. Git gives a hook no standard input; its own tells.
who=agent
if [ -e "/proc/$PPID/fd/0" ]; then
	{ [ -t 0 ] <"/proc/$PPID/fd/0"; } 2>/dev/null && who=operator
elif [ ! -d /proc/self ] && [ -t 2 ]; then
	who=operator
fi

# How git was called; a shell alone sees it without the gaps.
arguments() {
	if [ -r "/proc/$PPID/cmdline" ]; then
		tr '\0' '\n' <"/proc/$PPID/cmdline"
	else
		ps -o args= -p "$PPID" | tr ' ' '\n'
	fi
}

# Two programs are only started for what may be an amend.
amends() {
	if [ -r "/proc/$PPID/cmdline" ]; then
		seen=
		while IFS= read -r line || [ -n "$line" ]; do
			case $line in *--amend*) seen=perhaps ;; esac
		done <"/proc/$PPID/cmdline"
		[ -n "$seen" ] || return 1
	fi
	arguments | grep -qxe --amend
}

# Git moves references all the time: it costs no process where nobody listens.
lines=
case @NAME@ in
pre-push) lines=$(cat) ;;
reference-transaction)
	[ -x "$kept" ] || [ -e "${GIT_DIR:-.git}/clawgit/needs-signature.$PPID" ] || exit 0
	lines=$(cat)
	;;
esac
if [ -n "$lines" ]; then
	printf '%s\n' "$lines" | before "$@"
else
	before "$@"
fi
code=$?
case @NAME@$code in
*[a-z]0 | post-*) ;; # what git has done is done, whatever others say of it
*) exit $code ;;
esac

# What follows asks git of its own accord, so no program that the repository's settings name runs for it. The hook that
# was here first ran above, as its owner wants it.
git() {
	command git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c log.showSignature=false "$@"
}

# A folder of hooks may serve many repositories; those that are no workspace are left alone.
git=${GIT_DIR:-.git}
common=$git
if [ -f "$git/commondir" ]; then
	read -r common <"$git/commondir"
	case $common in /*) ;; *) common=$git/$common ;; esac
fi
[ -d "$common/clawgit" ] || exit $code
[ -d "$git/clawgit" ] || mkdir "$git/clawgit" 2>/dev/null

# What is clawgit's, as pathspecs, written down with the settings. Where those are newer, everything is looked at.
narrow= config=CONFIG.md
[ ! -f CLAWGIT.md ] || config=CLAWGIT.md
if [ -r "$common/clawgit/pathspecs" ] && [ ! "$config" -nt "$common/clawgit/pathspecs" ]; then
	narrow=$(cat "$common/clawgit/pathspecs")
fi

# A question to git about these paths alone.
within() {
	(
		set -f
		IFS='
'
		# shellcheck disable=SC2086 # one word a line
		git "$@" -- $narrow
	)
}

