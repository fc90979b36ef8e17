"""`memory search`: from a question to the lines shown, with its indexes and its open process.

`search` is the entry; `asked` reads a question, `answering` is the whole way from it to the lines
that answer, `meaning` compares meanings, `shown_hits` makes of the lines what is shown. `index`
holds the words, `stores` the vectors and models; all of these can be deleted.

Rooms of its own floor (history, memory, soul, talk) and those above may call it.
"""
