"""The scheduled runner: one process that starts each job when it is due."""
