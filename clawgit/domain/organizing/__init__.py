"""Facts read out of notes as they were written: class, lifetime, their pages, memory/INDEX.md."""
