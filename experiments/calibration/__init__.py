"""The proof of calibration (`hollywood doctor --stats`): the statistics put to the test on simulated players."""
