"""The language model, if the operator has named one; without it, rules are used."""
