"""The running service: receive, process, fire timers, send.

`service.Server` does one step of each until nothing is due (`run_until_idle`), or runs for ever
(`serve`). Every step is its own transaction, so the process may end between any two of them.
"""
