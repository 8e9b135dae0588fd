"""Players' advice, tested: `claims` lists it, `play` plays what it is about, `document` says what came out."""
