# Git has finished already: this never fails.
# With --no-verify, pre-commit left no mark, or commit-msg gave the message no id.
checked=yes named=
if [ -w "$git/clawgit" ]; then
	checked=
	{ read -r checked <"$git/clawgit/checked" && true >"$git/clawgit/checked"; } 2>/dev/null
fi
case $checked in
"other $PPID") named=yes ;; # pre-commit of this git saw that none of it is ours
"ours $PPID") checked=yes ;;
o*) checked= ;;
esac
[ -n "$named" ] || while IFS= read -r line; do
	case $line in Clawgit-Id:\ *) named=yes && break ;; esac
done 2>/dev/null <"$git/COMMIT_EDITMSG"
changed='diff-tree --root -m -r --name-only --no-commit-id HEAD'
# shellcheck disable=SC2086 # words
if { [ -z "$checked" ] || [ -z "$named" ]; } &&
	{ ! narrowed || [ -n "$(within $changed)" ] || [ -z "$(git $changed)" ]; }; then
	told=$(git log -g -1 --format='%H %gs%n%B' HEAD 2>/dev/null)
	oid=${told%% *}
	case $checked:$told in
	yes:*'
Clawgit-Id: '*) ;;
	*"$oid commit"[:\ ]*'
'* | :"$oid commit"[:\ ]*)
		git update-ref "refs/clawgit/unchecked/$oid" "$oid" 2>/dev/null
		;;
	esac # an empty message gets no id, and git runs no hooks for its own picks and reverts
fi
exit $code
