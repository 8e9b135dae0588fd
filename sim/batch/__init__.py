"""Running the game by the million: plan, parts, Parquet files, provenance, executors."""
