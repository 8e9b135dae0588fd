"""What `hollywood doctor` looks at: this installation, and the solver and kernels against stored answers."""
