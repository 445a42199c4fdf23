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
| clocks | time control, what a move leaves on a clock, deadlines |
| setup | challenges: issue, accept, decline, withdraw, expire |
| play | moves |
| endings | resignation |
| automatic | what follows by itself |
| verify | checks a recorded match: draws, moves, result |

Nothing here does IO or reads a clock: times and draws are arguments.
"""
