"""The conflicts of memory: which wait for a decision, and making one."""
