"""The commands that work in the background: scheduled jobs and watching files."""
