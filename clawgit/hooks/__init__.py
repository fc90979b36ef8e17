"""What git's hooks run: one small module a hook, loaded by name, since each commit waits for it."""
