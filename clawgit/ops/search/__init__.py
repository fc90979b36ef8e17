"""`memory search` from the question to the lines shown, its indexes, and the process that stays
open. `search` is the entry; `asking` puts one question to one index, `vector_search` compares
meanings, `hit_text` reads the lines that are shown.
"""
