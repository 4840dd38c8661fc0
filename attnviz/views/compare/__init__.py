"""The panel that compares the present document with a snapshot of it."""
