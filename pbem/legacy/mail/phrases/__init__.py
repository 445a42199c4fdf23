"""What people say around their orders, in the languages that they write: lists, no grammar.

A language is one file, `CODE.toml`; `lists.py` reads them all and says what each list is for,
`patterns.py` makes of some of them what is searched for. All languages are known always, since
nobody says which one a letter is in. What is in no list is asked about, so they need not be
complete. A new way of saying something is a word in a file and a phrase in the tests.
"""
