"""Vectors in Chroma: read in this process or on a server, written by a child, proved before use."""
