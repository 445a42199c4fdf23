"""Faults in the rules of the four games."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

_LOGGER_TESTS: Final = (
    "tests/games/logger/test_rejections.py",
    "tests/games/logger/test_examples.py",
    "tests/games/logger/test_endings.py",
    "tests/games/logger/test_second_opinion.py",
)
LOGGER: Final = [
    Mutant(
        "logger_left_cell_is_taken",
        "pbem/games/logger/growth.py",
        "empty = (free(position) | BIT[position.here]) & ~BIT[to]",
        "empty = free(position) & ~BIT[to]",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_saplings_stay",
        "pbem/games/logger/growth.py",
        "saplings ^ ripening | sprouting, mature | ripening, protested",
        "saplings ^ ripening | sprouting, mature, protested",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_pieces_without_end",
        "pbem/games/logger/growth.py",
        "empty & ~sown, hand, pieces - sown.bit_count())",
        "empty & ~sown, hand, pieces)",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_short_of_pieces",
        "pbem/games/logger/growth.py",
        "short = field.pieces < len(trees)",
        "short = False",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_one_cell_for_two",
        "pbem/games/logger/growth.py",
        "if chosen.count(cell) > 1:",
        "if chosen.count(cell) > 2:",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_plant_no_piece",
        "pbem/games/logger/actions.py",
        "return NEXT[field.here] & field.free if field.pieces else 0",
        "return NEXT[field.here] & field.free",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_chop_protested",
        "pbem/games/logger/actions.py",
        "return NEXT[field.here] & field.trees.mature & ~field.trees.protested",
        "return NEXT[field.here] & field.trees.mature",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_line_over_gaps",
        "pbem/games/logger/actions.py",
        "            break\n        felled |= BIT[cell]",
        "            continue\n        felled |= BIT[cell]",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_protesters_lost",
        "pbem/games/logger/actions.py",
        "field.hand + (felled & protested).bit_count()",
        "field.hand",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_pass_at_will",
        "pbem/games/logger/actions.py",
        "return kinds or [Act.PASS]",
        "return [*kinds, Act.PASS]",
        _LOGGER_TESTS,
    ),
    Mutant(
        "logger_protest_on_credit",
        "pbem/games/logger/actions.py",
        "if len(targets) > field.hand:",
        "if len(targets) > field.hand + 1:",
        _LOGGER_TESTS,
    ),
]

_LANDRUSH_TESTS: Final = (
    "tests/games/landrush/test_rejections.py",
    "tests/games/landrush/test_examples.py",
    "tests/games/landrush/test_endings.py",
    "tests/games/landrush/test_second_opinion.py",
)
LANDRUSH: Final = [
    Mutant(
        "landrush_short_tract_is_one",
        "pbem/games/landrush/scoring.py",
        "int(len(found) == len(scoring) == 1)",
        "int(len(found) == 1)",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_mixed_is_pure",
        "pbem/games/landrush/scoring.py",
        "if counts[largest] == one.bit_count() else 0",
        "if counts[largest] else 0",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_one_size_gone",
        "pbem/games/landrush/scoring.py",
        "int(not any(position.stash(seat)))",
        "int(not all(position.stash(seat)))",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_leavers_are_equal",
        "pbem/games/landrush/scoring.py",
        "scores.append((0, position.left.index(seat)))",
        "scores.append((0, 0))",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_corner_is_not_close",
        "pbem/games/landrush/validate.py",
        "around = beside(BIT[square], eight=True) & position.taken",
        "around = beside(BIT[square], eight=False) & position.taken",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_too_many_places",
        "pbem/games/landrush/validate.py",
        "return FULL & ~(position.taken | beside(position.taken, eight=True))",
        "return FULL & ~position.taken",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_any_tile",
        "pbem/games/landrush/validate.py",
        "if square not in TILES[position.coin]:",
        "if not TILES[position.coin]:",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_guessed_sizes",
        "pbem/games/landrush/resolve.py",
        "if count(len(targets), left) > 1:",
        "if count(len(targets), left) > 2:",
        _LANDRUSH_TESTS,
    ),
    Mutant(
        "landrush_sizes_may_differ",
        "pbem/games/landrush/validate.py",
        "if not position.setting.same:\n        return",
        "if position.setting.same:\n        return",
        _LANDRUSH_TESTS,
    ),
]

_LOGAN_STONES_TESTS: Final = (
    "tests/games/logan_stones/test_rejections.py",
    "tests/games/logan_stones/test_examples.py",
    "tests/games/logan_stones/test_endings.py",
    "tests/games/logan_stones/test_second_opinion.py",
    "tests/games/logan_stones/test_secrets.py",
    "tests/games/logan_stones/test_reached.py",
    "tests/games/logan_stones/test_board.py",
)
LOGAN_STONES: Final = [
    Mutant(
        "stones_beat_the_other_way",
        "pbem/games/logan_stones/stones.py",
        '{"R": "S", "S": "P", "P": "R"}',
        '{"R": "P", "P": "S", "S": "R"}',
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_any_player_knows",
        "pbem/games/logan_stones/stones.py",
        "(viewpoint is not None and self.seen_by == viewpoint)",
        "viewpoint is not None",
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_turned_unseen",
        "pbem/games/logan_stones/stones.py",
        "return Stone(self.under, self.top, EVERYBODY)",
        "return Stone(self.under, self.top, self.seen_by)",
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_reveal_nothing",
        "pbem/games/logan_stones/visibility.py",
        "return _unseen(after, seat) < _unseen(before, seat)",
        "return False",
        (
            "tests/matches/test_secrets.py",
            "tests/matches/second_thoughts/test_takebacks.py",
        ),
    ),
    Mutant(
        "stones_hide_nothing",
        "pbem/games/logan_stones/visibility.py",
        "return stone if stone.known_to(seat) else stone._replace(under=HIDDEN)",
        "return stone",
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_symbol_ignored",
        "pbem/games/logan_stones/resolve.py",
        "return symbol != stone.top",
        "return False",
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_double_conflicts",
        "pbem/games/logan_stones/resolve.py",
        "if symbol != stone.under:  # LS-8.29",
        "if symbol == stone.top:  # LS-8.29",
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_any_label_is_a_space",
        "pbem/games/logan_stones/resolve.py",
        "if typed.row is None or typed.number is None or typed.at is not None:",
        "if typed.text:",
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_only_the_last_count",
        "pbem/games/logan_stones/reached.py",
        "return self.counts[item] + self.chunk.count(item)",
        "return self.chunk.count(item)",
        _LOGAN_STONES_TESTS,
    ),
    Mutant(
        "stones_other_set",
        "pbem/games/logan_stones/stones.py",
        '"9x2": {"RR": 2, "PP": 2,',
        '"9x2": {"RR": 3, "PP": 1,',
        _LOGAN_STONES_TESTS,
    ),
]

_LOONEY_LUDO_TESTS: Final = (
    "tests/games/looney_ludo/test_rejections.py",
    "tests/games/looney_ludo/test_examples.py",
    "tests/games/looney_ludo/test_endings.py",
    "tests/games/looney_ludo/test_second_opinion.py",
)
LOONEY_LUDO: Final = [
    Mutant(
        "ludo_cheaper",
        "pbem/games/looney_ludo/steps.py",
        "left = course.points - piece % PIECES - 1",
        "left = course.points - piece % PIECES",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_dig_is_needless",
        "pbem/games/looney_ludo/steps.py",
        "if piece // PIECES != course.mover and not course.dig:",
        "if piece // PIECES != course.mover and course.dig:",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_covered_moves",
        "pbem/games/looney_ludo/steps.py",
        "if stack[-1] != piece:\n        above",
        "if piece not in stack:\n        above",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_nest_below",
        "pbem/games/looney_ludo/steps.py",
        "return stacks[CENTRES[colour]][-PIECES:] == NESTS[colour]",
        "return stacks[CENTRES[colour]][:PIECES] == NESTS[colour]",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_only_own_turn",
        "pbem/games/looney_ludo/steps.py",
        "if course.position.setting.own_turn and colour != course.mover:",
        "if colour != course.mover:",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_nest_of_who_left",
        "pbem/games/looney_ludo/steps.py",
        "return 0 if seat in position.left else seat",
        "return seat",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_two_actions",
        "pbem/games/looney_ludo/steps.py",
        'if not course.free:\n        raise Rejection("action_used")',
        'if course.free is None:\n        raise Rejection("action_used")',
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_tip_gives_seven",
        "pbem/games/looney_ludo/steps.py",
        "course.points += MOST_POINTS - (roll.points if roll else 0)",
        "course.points = MOST_POINTS",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_steps_after_the_nest",
        "pbem/games/looney_ludo/resolve.py",
        "return tuple(taken)  # LL-2.20: the rest is dropped",
        "pass",
        _LOONEY_LUDO_TESTS,
    ),
    Mutant(
        "ludo_reroll_beside",
        "pbem/games/looney_ludo/resolve.py",
        "alone = clause.meaning is not Bare.REROLL or count == 1",
        "alone = True",
        _LOONEY_LUDO_TESTS,
    ),
]
