"""`memory search` from the question to the lines shown, its indexes, and the process that stays
open. `search` is the entry; `preparing` reads one question and looks it up in one index, `asking`
ranks what it finds, `vector_search` compares meanings, `hit_text` reads the lines that are shown.
"""
