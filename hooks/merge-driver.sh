# shellcheck shell=sh
# clawgit merge-driver @SUM@: `clawgit deinit` removes this.
# The shell that git starts for a file of memory that both sides changed reads it: with the files that hold base, ours
# and theirs, then with the file's name and the length of a mark. Exit code 0: ours is merged; 10: it holds git's marks;
# any other: it is untouched, and git's own merge has to follow.
python='@PYTHON@'
# shellcheck disable=SC2154 # $d is git's folder: the setting that reads this file says so
merged=$d/clawgit/merged
# If the interpreter is gone, use the one that the `clawgit` on PATH names.
if [ ! -x "$python" ] && script=$(command -v clawgit); then
	read -r first <"$script" || first=
	case $first in '#!/'*/python* | '#!/'*/pypy*) python=${first#??} ;; esac
fi

key=
for oid in $(git hash-object --no-filters -- "$1" "$2" "$3"); do key=$key$oid; done
[ -n "$key" ] || exit 2

ask() {
	"$python" -EP -c 'import sys; from clawgit.hooks.__main__ import main; sys.exit(main(sys.argv[1:]))' merge "$@" >&2 ||
		exit 2
}

# Git wrote its index after the files that it is about to replace, and does not look at them again: what an editor saved
# since would be overwritten, so it becomes a part of the result.
index=$d/index
if [ -f .git ]; then
	read -r _ index <.git
	index=$index/index
fi

# A result belongs to its three versions, so it is never out of date. Taking it is one rename: all of it, or nothing.
take() {
	if [ -f "$merged/clean/$key/$4" ]; then
		[ ! "$4" -nt "$index" ] || ask --saved "$merged/clean/$key/$4" "$2" "$4"
		mv -f "$merged/clean/$key/$4" "$2" && exit 0
	elif [ -f "$merged/marked/$key/$4" ] && [ "$5" = 7 ]; then
		mv -f "$merged/marked/$key/$4" "$2" && exit 10
	fi
}

take "$@"
# One call merges every file that both sides changed, and leaves the results where the next calls look.
ask "$merged" "$key" "$PPID" "$1" "$2" "$3" "$4"
take "$@"
exit 2
