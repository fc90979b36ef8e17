"""The rules of the upkeep of memory, without losing a line.

Notes of past days are gathered in books (`compaction`), MEMORY.md is kept within its limits
(`tidy`), and COMPACTION_LOG.md says where everything went (`log`). `promotion` and `plan`: which
lines of daily notes belong among what lasts; `shape` names what never leaves a note, `marks` what
people write before what lasts. `organizing`: facts, each once. `lessons`; and what a `digest` says.
"""
