"""Facts read out of notes: their classes, how long they hold, their pages, memory/INDEX.md."""
