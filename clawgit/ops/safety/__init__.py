"""Secrets in files, commits and pushes; what the operator allows; masks in what clawgit shows."""
