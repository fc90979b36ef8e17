"""The git store: everything that reads or writes the repository goes through `store.GitStore`."""
