"""Speed, as figures beside those of the peers: `make bench`. Not a test: a busy machine may be slow."""
