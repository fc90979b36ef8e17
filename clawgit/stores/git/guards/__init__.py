"""What a repository that somebody else prepared must not do: hide, run, or lead elsewhere."""
