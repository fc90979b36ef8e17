"""How people and programs reach clawgit: command line, MCP, the page, other programs.

Nothing is decided here. A front end parses, calls one function of a room, and shows its answer;
only front ends, commands and `terminal` read the environment, print or prompt. Nothing calls it.
"""
