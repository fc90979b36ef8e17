# What git did is done: this never fails, and what takes time goes on without anybody who waits.
case @NAME@ in
post-commit)
	# Nobody saw a message that has no id: --no-verify. Git's own picks and reverts are shown to nobody either.
	seen=
	while IFS= read -r line; do
		case $line in Clawgit-Id:\ *) seen=yes && break ;; esac
	done 2>/dev/null <"$git/COMMIT_EDITMSG"
	if [ -z "$seen" ]; then
		told=$(git -c log.showSignature=false log -g -1 --format='%H %gs%n%B' HEAD 2>/dev/null)
		oid=${told%% *}
		case $told in
		*'
Clawgit-Id: '*) ;;
		"$oid commit"[:\ ]*) git update-ref "refs/clawgit/unchecked/$oid" "$oid" 2>/dev/null ;;
		esac
	fi
	;;
post-merge) git diff --quiet ORIG_HEAD HEAD -- CONFIG.md 2>/dev/null || ask config ;;
post-checkout)
	[ "$3" = 1 ] || exit 0
	git diff --quiet "$1" "$2" -- CONFIG.md 2>/dev/null || ask config
	;;
esac

# A rebase says so when it is done, and an amend has been a commit. One whose Markdown nobody saw can wait.
case @NAME@$1 in
post-commit) [ -e "$git/clawgit/stale" ] || exit 0 ;;
post-rewriteamend) exit 0 ;;
esac
if [ @NAME@ != post-rewrite ] && { [ -d "$git/rebase-merge" ] || [ -d "$git/rebase-apply" ]; }; then
	exit 0
fi
[ -x "$python" ] || exit 0
{ read -r pid <"$git/clawgit/freshen.pid" && kill -0 "$pid"; } 2>/dev/null && exit 0
"$python" -EP -c "$start" freshen </dev/null >/dev/null 2>&1 &
{ echo $! >"$git/clawgit/freshen.pid"; } 2>/dev/null
exit 0
