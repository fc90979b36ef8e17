# shellcheck shell=sh
# clawgit merge-driver: `clawgit deinit` removes this.
# The shell that git starts for a file of memory that both sides changed reads it: with the files that hold base, ours
# and theirs, then with the file's name and the length of a mark. Exit code 0: ours is merged; 10: it holds git's marks;
# any other: it is untouched, and git's own merge has to follow.
python='@PYTHON@'
# If the interpreter is gone, use the one that the `clawgit` on PATH names.
if [ ! -x "$python" ] && script=$(command -v clawgit); then
	read -r first <"$script" || first=
	case $first in '#!/'*/python* | '#!/'*/pypy*) python=${first#??} ;; esac
fi

# shellcheck disable=SC2154 # $d is git's folder: the setting that reads this file says so
index=$d/index
if [ -f .git ]; then
	read -r _ index <.git
	index=$index/index
fi

"$python" -EP -c 'import sys; from clawgit.hooks.__main__ import main, surroundings; surroundings.leave(main(sys.argv[1:]))' \
	merge "$@" "$index" >&2
exit $?
