"""The running service: it receives and processes emails, fires timers, moves for bots, and sends.

`loops.Server` repeats these steps until nothing is due (`run_until_idle`), or runs forever
(`serve`). Each step is one or more transactions. The process may crash between any two of them.
"""
