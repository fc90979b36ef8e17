# What has left this machine cannot be taken back: the commits to push are searched for secrets.
[ -n "$lines" ] || exit 0
printf '%s\n' "$lines" | {
	ask pre-push "$who" "$@"
}
