"""One runner on several machines, by PostgreSQL and git remotes."""
