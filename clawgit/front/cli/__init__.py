"""The command line. `root` has the table's commands, each imported only when it runs; what a plain
search needs loads no click.
"""
