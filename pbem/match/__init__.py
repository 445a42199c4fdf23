"""The life of a match as pure functions: decisions return events, events change the state.

A match is event-sourced. A command is decided by one function, such as `play.play_move`, which
returns the events that follow from it or raises `Rejection`. The caller applies the events with
`state.apply` and calls `automatic.run_automatic_steps` for everything that needs no choice by a
player: random draws, forced moves, the start and the end. `state.replay` rebuilds a match from its
events alone. It needs no clock, no randomness and no other data, because events contain their
outcomes.

| module | subject |
|---|---|
| events | the facts of a match, as frozen dataclasses |
| state | `Match`, and how each event changes it |
| clocks | time control, time banks, pauses and allowances, as values |
| setup | challenges: issue, accept, join, decline, expire; rematches, tournament pairings |
| play | moves and standing orders |
| timing | deadlines, more time, pauses, vacation, reminders, time-outs |
| endings | resignation, agreement on a draw |
| takeback | requests to take a move back |
| operator_actions | void, adjudicate or roll back a match; give a seat to another player |
| automatic | steps that follow by themselves: start, random draws, forced moves, the end |
| verify | checks a recorded match: random draws, moves, result |

Nothing here does IO or reads a clock: times and random values are arguments.
"""
