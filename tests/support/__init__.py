"""What tests share: naive twins of the kernels, a reference engine, and loaders of the checked cases."""
