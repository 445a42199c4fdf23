"""The running service: receive, process, fire timers, let bots move, send.

`loops.Server` does one step of each until nothing is due (`run_until_idle`), or runs for ever
(`serve`). Each step is one or more
transactions; the process may die between any two.
"""
