"""Tables of `analysis` drawn and put into words: figures, and one self-contained page. See `reports.build`.

No statistics are computed here. matplotlib and jinja2 are imported by the modules that use them, not by this
one.
"""
