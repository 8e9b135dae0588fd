"""The sections of a page of two sides, one module each: a function from the run's tables to a `Section`."""
