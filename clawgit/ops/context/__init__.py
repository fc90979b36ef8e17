"""`context`: what a new conversation starts with, from files, search and the operator's systems."""
