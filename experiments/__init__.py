"""Questions put to the simulator. `simulate` plays pairings and says who wins."""
