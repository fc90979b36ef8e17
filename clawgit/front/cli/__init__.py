"""The command line: `root` reads the arguments, `setup` and `connect` are commands of no room."""
