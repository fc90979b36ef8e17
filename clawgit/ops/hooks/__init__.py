"""Git's hooks: what a commit is asked, and installing them beside what is there."""
