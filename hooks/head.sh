#!/bin/sh
# clawgit @NAME@: `clawgit hooks uninstall` removes this and restores what was here before.
python='@PYTHON@'
kept=${0%/*}/@NAME@.before-clawgit
# If the interpreter is gone, use the one that the `clawgit` on PATH names.
if [ ! -x "$python" ] && script=$(command -v clawgit); then
	read -r first <"$script" || first=
	case $first in '#!/'*/python* | '#!/'*/pypy*) python=${first#??} ;; esac
fi

# Runs the hook that was here before. A shell script is run under its old name, which husky's hooks depend on.
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

# The same as `python -m clawgit.hooks`, but 3 ms faster.
start='import sys; from clawgit.hooks.__main__ import main, surroundings; surroundings.leave(main(sys.argv[1:]))'

# Exit code 0: accepted; 10: refused. Any other means that nothing was checked: a commit goes on, but a push that was
# stopped by a signal in the middle of the check does not.
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

# A terminal means the operator, as everywhere in clawgit. Git gives a hook no standard input, so git's own is looked at.
who=agent
if [ -e "/proc/$PPID/fd/0" ]; then
	{ [ -t 0 ] <"/proc/$PPID/fd/0"; } 2>/dev/null && who=operator
elif [ ! -d /proc/self ] && [ -t 2 ]; then
	who=operator
fi

# The arguments of git, one a line. Without /proc, arguments that contain spaces are split.
arguments() {
	if [ -r "/proc/$PPID/cmdline" ]; then
		tr '\0' '\n' <"/proc/$PPID/cmdline"
	else
		ps -o args= -p "$PPID" | tr ' ' '\n'
	fi
}

# Reading /proc in the shell is cheap; the two programs start only if an amend is possible.
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

lines=
case @NAME@ in
pre-push) lines=$(cat) ;;
esac
if [ -n "$lines" ]; then
	printf '%s\n' "$lines" | before "$@"
else
	before "$@"
fi
code=$?
case @NAME@$code in
*[a-z]0 | post-*) ;; # git has finished already, so a failure of another hook changes nothing
*) exit $code ;;
esac

# From here on our own calls of git must run no program that the repository's settings name. The hook from before ran
# above with the user's settings.
safely='-c
core.fsmonitor=false
-c
core.hooksPath=/dev/null
-c
log.showSignature=false'
git() {
	# shellcheck disable=SC2086 # words
	command git $safely "$@"
}

# A hooks folder may serve many repositories; those that are not workspaces are left alone.
git=${GIT_DIR:-.git}
common=$git
if [ -f "$git/commondir" ]; then
	read -r common <"$git/commondir"
	case $common in /*) ;; *) common=$git/$common ;; esac
fi
[ -d "$common/clawgit" ] || exit $code
[ -d "$git/clawgit" ] || mkdir "$git/clawgit" 2>/dev/null

narrow= config=CONFIG.md
[ ! -f CLAWGIT.md ] || config=CLAWGIT.md

# The paths that clawgit keeps, as pathspecs, saved when the settings were read. If the settings are newer, check all paths.
narrowed() {
	if [ -z "$narrow" ] && [ -r "$common/clawgit/pathspecs" ] && [ ! "$config" -nt "$common/clawgit/pathspecs" ]; then
		# Read by the shell itself: each program that is started here costs every commit a millisecond.
		while IFS= read -r line || [ -n "$line" ]; do
			[ -z "$line" ] || narrow=$narrow$line'
'
		done <"$common/clawgit/pathspecs"
	fi
	[ -n "$narrow" ]
}

# Runs a git command on these paths only.
within() {
	narrowed
	(
		set -f
		IFS='
'
		# shellcheck disable=SC2086 # one word a line
		exec git $safely "$@" -- $narrow
	)
}

