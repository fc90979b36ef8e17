"""The commands that say how a workspace is: its status and its faults."""
