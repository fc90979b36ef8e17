"""The rules of the upkeep of memory, without losing a line.

Notes of past days are gathered in books, and COMPACTION_LOG.md says where everything went
(`compaction`); MEMORY.md is kept within its limits (`tidy`). `promotion` and `plan`: which lines of
daily notes belong among what lasts; `marks`: what people write before what lasts, and the edits
that move it. `organizing`: facts, each once. `lessons`: what failed and then worked.
"""
