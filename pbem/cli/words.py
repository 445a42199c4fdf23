"""Messages for operators: the reason why a command failed, and the remedy."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection

REJECTIONS: Final = {  # sentences for rejections of operators' commands, by code
    "already_entered": "They have entered it already.",
    "address_known": "A player has the address {address} already.",
    "already_voided": "Match {match} has no result already.",
    "bad_address": "{typed!r} is no address that players can have.",
    "bad_name": "{typed!r} can be no player's name. Use at most {most} letters, digits and blanks.",
    "bad_placings": (
        "{placings} are no places of {seats} seats. Write one for each, as in 1 2; 1 1 is a draw."
    ),
    "bad_time": "{typed!r} is no time control. Write {presets}, or hours as in 48/12/48.",
    "bad_tournament": "Tournaments cannot have {field} {value!r}. See `pbem tournament create -h`.",
    "challenge_closed": "The challenge {match} was never accepted.",
    "last_address": "{address} is their only address. Add another one first.",
    "match_over": "Match {match} is over. `pbem match void` can take its result away.",
    "no_such_address": "{address} is not among their addresses.",
    "no_such_game": "There is no game {game!r}. There are {games}.",
    "no_such_ply": "Match {match} has no move {ply} to go back to. The newest one is {newest}.",
    "no_such_seat": "No player plays at seat {seat}. Seats of players are {seats}.",
    "clock_not_running": "The clock of seat {seat} does not run, so it has no deadline.",
    "no_clocks": "Match {match} has no time control.",
    "not_started": "Match {match} has not started.",
    "name_taken": "{typed} has that name, or one that looks like it.",
    "player_twice": "They play in this match already.",
    "takeback_past_leaving": "A player has left since then, which cannot be taken back.",
    "tournament_exists": "There is a tournament {tournament} already.",
    "tournament_started": "Tournament {tournament} has started.",
}

DATABASE_ADVICE: Final = {  # remedies by a part of the error message; the first match counts
    "disk is full": "Make room.",
    "no password supplied": "Write the password into ~/.pgpass of the user that runs this.",
    "connection failed": "Does the server run? The setting is database.url.",
    "unable to open": "Run this as the user of the service, who owns the database.",
    "readonly": "Run this as the user of the service, who owns the database and its folder.",
}


def advise_database(reason: str) -> str:
    """Return the remedy for a database error, as a sentence with a leading space, or ""."""
    for words, advice in DATABASE_ADVICE.items():
        if words in reason:
            return f" {advice}"
    return ""


def describe_error(error: Exception) -> str:
    """Return the message of an error for the operator; it may have several lines."""
    if isinstance(error, Rejection):
        words = REJECTIONS.get(error.code)
        if words is None:
            return f"Refused: {error}."
        facts = {
            name: ", ".join(map(str, fact)) if isinstance(fact, list | tuple) else fact
            for name, fact in error.facts.items()
        }
        return words.format(**facts)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'The system'}: {error.strerror}."
    return str(error)
