# What leaves this machine cannot be taken back: the commits on their way are looked through for secrets.
[ -n "$lines" ] || exit 0
printf '%s\n' "$lines" | {
	ask pre-push "$who" "$@"
}
