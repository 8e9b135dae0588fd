"""One chart a module: `figure(frame, size)` draws it, `words(frame)` says what it shows, from the same frame."""
