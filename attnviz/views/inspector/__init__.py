"""The inspector: one number at a time, with its formula, its operands and the way to theirs."""
