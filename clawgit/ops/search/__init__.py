"""`memory search` from question to lines shown, its indexes, and the process that stays open.

`search` leads; `asking` puts one question to one index, `vector_search` compares meanings,
`hit_text` reads the lines that are shown.
"""
