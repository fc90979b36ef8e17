"""The commands for a workspace as a whole: set up, configure, name, back up."""
