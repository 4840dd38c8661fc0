"""The panel of the mask and the softmax."""
