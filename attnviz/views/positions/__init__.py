"""The panel of the positions."""
