"""The handlers of orders: one module a family of verbs, named after what it is about.

A handler takes the transaction, the letter's context, the line as typed and its order. It decides
commands, says what became of the order with `txn.done`, owes notices with `txn.tell`, and raises
Rejection before it has changed anything. Which order leads here it says itself, by `carries_out`.
"""
