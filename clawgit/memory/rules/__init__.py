"""One fact, and the upkeep of all: how sure it is, what says the same, what contradicts it.

`fact` decides what becomes of a new one, `likeness` compares two, `confidence` says how it ages.
`contradicting` compares two lines and has the rules for which one wins, `conflict_log` is
CONFLICTS.md. `promotion` and `marks`: which lines of notes belong among what lasts;
`organizing`: facts, each once; `compaction` gathers old notes, `tidy` keeps MEMORY.md short,
`lessons`.
"""
