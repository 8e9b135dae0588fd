"""Tables of `analysis` drawn and put into words: figures, and one self-contained page. See `reports.build`.

What is estimated, and how surely, is for `analysis` to say; here it is compared, rounded and told. matplotlib and
jinja2 are imported by the modules that use them, not by this one.
"""
