# A change of the soul that its guard refuses is accepted if the operator signed it. Only now is there a commit to check.
needed=$git/clawgit/needs-signature.$PPID
[ -e "$needed" ] || exit $code
case $1 in
prepared) printf '%s\n' "$lines" | { ask reference-transaction "$needed"; } || exit ;;
committed | aborted) case $lines in *refs/heads/* | *' HEAD'*) rm -f "$needed" ;; esac ;;
esac
exit $code
