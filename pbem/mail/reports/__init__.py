"""What other mail systems report: a mail came back (RFC 3464), its reader complained (RFC 5965).

A report is read for whom and which mail it is about; what is done then is decided elsewhere.
Whoever wrote it may be anybody, so it counts only with the marks that our own mails carry.
"""
