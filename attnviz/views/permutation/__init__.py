"""The panel of the permutation laboratory."""
