"""The conflicts of memory: listing them, and deciding one."""
