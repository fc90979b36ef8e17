op() { python3 $S/op.py clawgit "$@" </dev/null; }
