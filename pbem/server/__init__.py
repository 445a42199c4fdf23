"""The running service: it receives, processes and sends emails, fires timers, and moves for bots.

`loops.Server` repeats these steps until nothing is due (`run_until_idle`), or runs forever
(`serve`). Each step is one or more transactions. The process may crash between any two of them.
"""
