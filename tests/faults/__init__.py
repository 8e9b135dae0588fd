"""What a run survives: killed, interrupted, out of disk, damaged, edited, with players that fail; in real processes."""
