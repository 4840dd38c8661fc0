"""The panel of the heads."""
