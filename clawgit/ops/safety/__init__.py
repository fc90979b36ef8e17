"""Secrets in files, commits and pushes; what the operator lets out; masks on the way out."""
