"""The panel of the matrices: each as a grid of numbers to type and to scrub, with the commands that shape it."""
