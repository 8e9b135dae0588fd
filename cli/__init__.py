"""The `hollywood` command: one thin file a command. Nothing imports this package."""
