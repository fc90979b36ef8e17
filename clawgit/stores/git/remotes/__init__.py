"""Where two histories meet: fetched, joined, and the files that our merge driver works on."""
