"""The game of gin rummy under Hollywood scoring, and its compiled kernels. Start reading at `sim.api`."""
