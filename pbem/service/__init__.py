"""Processing of inbound email: identify the sender, execute commands, queue the replies.

Every email goes through `incoming.process_message`. It parses the email, identifies the
sender, reads the commands and executes them in one unit of work. Each command is one
decorated function in `handlers`. The registry of these functions also supplies the `help`
texts and the words that `pbem.mail.commands` recognises.

These are the main modules:

| module | subject |
|---|---|
| app | the parts of a running service |
| unit_of_work | one cause and all its consequences, in one transaction |
| drafts | what an email says before it is rendered, and how two drafts are joined |
| email_viewer | what an email shows: its match, its reply address, its links |
| emails | notifications and replies, held back or rendered into rows of the outbox |
| registry | commands: names, words, permissions, functions |
| identity | who wrote an email, and how certain that is |
| questions | questions by email |
| strangers | emails that do not prove who wrote them, and answers to questions |
| incoming | an inbound email, from bytes to its outcome |
| moves | moves, their undo window, and how they are retracted |
| bots | the turns of bots, and receipts while a bot is slow |
| talk | messages between players |
| tournaments | entries, start and standings of tournaments |
| rulebook | the numbered rules of each game |
| handlers | the functions of the commands |
| timers | actions that are due at a time |
"""
