"""What history says: of a path, of a line, of a commit; read by C git, and kept in a side index."""
