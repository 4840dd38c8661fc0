"""The token editor: a sentence line and a table."""
