"""The controls, made from the descriptions of the scalars."""
