"""What the commands say: results as text of at most 80 columns, the finding first."""
