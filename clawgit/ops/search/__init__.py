"""`memory search` from the question to the lines shown, its indexes, and the process that stays
open. `search` is the entry; `asked` reads a question, `answering` is the whole way from it to the
lines that answer, `meaning` compares meanings, `shown_hits` makes of the lines what is shown.
"""
