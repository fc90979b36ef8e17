"""The growth digest: what the agent learned in a day or a week, as Markdown."""
