"""The life of a match as pure functions: decisions give events, events make the state.

A match is event-sourced. A command is decided by one function, such as `play.play_move`, which
returns the events that follow from it or raises `Rejection`. The caller applies the events with
`state.apply` and lets `automatic.run_automatic_steps` add what needs no choice by a player: draws,
forced moves, the start and the end. `state.replay` rebuilds a match from its events alone; it needs
no clock, no randomness and no other data, because events carry their outcomes.

| module | subject |
|---|---|
| events | the facts of a match, as frozen dataclasses |
| state | `Match`, and what each event makes of it |
| clocks | time control, banks, pauses and allowances, as values |
| setup | challenges: issue, accept, join, decline, expire; rematches, pairings of tournaments |
| play | moves and standing orders |
| timing | deadlines, more time, pauses, vacation, reminders, time-outs |
| endings | resignation, agreement on a draw |
| takeback | requests to take a move back |
| operator_actions | void, adjudicate, roll back, reassign |
| automatic | what follows by itself: start, draws, forced moves, the end, opened seals |
| verify | checks a recorded match: draws, moves, result |

Nothing here does IO or reads a clock: times and draws are arguments.
"""
