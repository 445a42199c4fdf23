"""What the service does with an email: who wrote it, what it asks for, and what follows.

`incoming.process_message` is the way of every email: it parses the message, finds the sender, reads
the commands and executes them in one unit of work. Each command is one decorated function in
`handlers`; the registry of these functions is also the source of `help` and of the words that
`pbem.mail.commands` reads.

| module | subject |
|---|---|
| app | what a running service consists of |
| unit_of_work | one cause, its consequences, one transaction |
| emails | from notifications and replies to rows of the outbox |
| registry | commands: names, words, permissions, functions |
| identity | who wrote an email, and how sure that is |
| questions | questions by email, and their answers |
| incoming | an inbound email, from bytes to its outcome |
| moves | moves, their undo window, and what takes them back |
| bots | the turns of bots, and receipts while one is slow |
| talk | what players say to each other |
| tournaments | their entries, start and standings |
| rulebook | the numbered rules of each game |
| handlers | the functions of the commands |
| timers | what is due at a time |
"""
