# Signs of Markdown, a key, a password or an unfinished merge. Whether it really is one is decided in Python.
telling='^diff --git .*[.][mM][dD]|^[+]<{7} |^[+].*([A-Za-z0-9]{20}|[a-z][-_][A-Za-z0-9_-]{20}|[A-Z]{2,6}[-.][A-Za-z0-9_-]{16}'
telling="$telling|[:.][A-Za-z0-9_-]{20}|eyJ|AIza|ya29|webhook|://[^ /]*:[^ /]*@|PRIVATE KEY|[Bb]earer|[Bb]asic |[^ -~]{6}"
telling="$telling|[Pp][Aa][Ss][Ss]|[Pp][Ww][Dd]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Tt][Oo][Kk][Ee][Nn]|[Cc][Rr][Ee][Dd]|[Kk][Ee][Yy]|contrase|A3-|[0-9]{15}[|]|dG9rO|WPL_AP|hooks[.]zapier"
# The word for password in other languages, as far as it is plain ASCII; the others match as non-ASCII.
telling="$telling|[Kk]ennwort|[Ss]enha|SENHA|[Ww]achtwoord|[Hh]eslo|HESLO|[Pp]arola|PAROLA|[Ss]ifre|SIFRE|[Ss]alasana"
telling="$telling|[Aa]dgangskode|[Ss]andi|[Ll]ozinka|[Cc]lave|CLAVE|[Cc]hi?ave|CHAVE|[Ss]leutel|[Kk]lucz|[Jj]eton)"
# A file that is empty or no text has its name alone, and that can be a key.
telling="$telling|^diff --git .*([A-Za-z0-9]{20}|[a-z][-_][A-Za-z0-9_-]{20}|[A-Z]{2,6}[-.][A-Za-z0-9_-]{16})"
# For git, UTF-16 is not text: it only names the file.
telling="$telling|^Binary files .*[.](txt|json|ya?ml|toml|env|csv|tsv|log|ini|conf|cfg|reg|xml|html?|sql|ps1|sh|py|[jt]s)"

# An amended commit was checked when it was made; if that was skipped, all of it is checked now.
base=
if amends && oid=$(git rev-parse -q --verify HEAD) && git show-ref -q --verify "refs/clawgit/unchecked/$oid"; then
	base=$(git rev-parse -q --verify "$oid^" || git hash-object -t tree /dev/null)
fi

# What is staged of our paths. It ends the shell that it runs in, so that no further one has to start.
narrowed
differs() {
	set -f
	IFS='
'
	# shellcheck disable=SC2086 # one word a line
	exec git $safely diff --cached --no-renames --no-ext-diff --no-textconv --ignore-submodules=dirty "$@" ${base:+"$base"} -- $narrow
}

# `true` rather than `:`, since a shell exits if it cannot open the file for a builtin like `:`. Trying the hook by hand
# leaves no mark.
checked=$git/clawgit/checked
[ $# -eq 0 ] || checked=/dev/null
{ true >"$checked"; } 2>/dev/null

# A plain `git commit`: it has something staged, else git would not go on. If that is not ours, the hooks that follow have
# nothing to do and no git to start. --allow-empty, --amend and --fixup=reword: are not plain, nor is what has no /proc.
plain() {
	[ -n "$narrow" ] && [ -r "/proc/$PPID/cmdline" ] || return 1
	[ ! -e "$git/MERGE_HEAD" ] && [ ! -e "$git/CHERRY_PICK_HEAD" ] || return 1
	seen=
	while IFS= read -r line || [ -n "$line" ]; do # the shell leaves out the zero between two words
		case $line in
		*--a* | *--f*) return 1 ;;
		gitcommit* | */gitcommit*) seen=yes ;;
		esac
	done <"/proc/$PPID/cmdline"
	[ -n "$seen" ]
}

# Python starts only if there is something to check. The names first: most commits have none, or one of Markdown, and then
# no text has to be read.
staged=$(differs --raw --no-abbrev 2>/dev/null)
case $staged in
'') told=1 ;;
*.[mM][dD]*) told=0 ;;
*)
	differs -U0 --no-color 2>/dev/null | LC_ALL=C grep -qE "$telling"
	told=$?
	;;
esac
if [ $# -gt 0 ] || [ $told -eq 0 ]; then
	printf '%s\n' "$staged" | {
		ask pre-commit "$who" "$@"
	} || exit
fi
# Only git itself names the hooks that follow: the pre-commit framework runs this one by a process of its own.
found=yes
if plain; then
	found="other $PPID"
	[ -z "$staged" ] || found="ours $PPID"
fi
{ echo "$found" >"$checked"; } 2>/dev/null
exit 0
