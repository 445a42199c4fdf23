"""What of the phrases is looked for in a text as a whole: regular expressions, built once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pbem.legacy.mail.phrases.lists import Phrases, spoken

_WORDS: Final = r"(?:[.…]{0,3}+[ \t]++\w++){0,8}?"
"""A few words between a verb and the end of its clause."""

_ENDED: Final = r"[ \t]*+(?:[,.;:!?)\n]|$)"


@dataclass(frozen=True, kw_only=True, slots=True)
class Patterns:
    """The expressions that are made of phrases.

    `no_before_answer`: a `no` and the sign behind it, before an answer. `wish`: words that say what
    one would like to do. `partings`: wishes for the next time, and turns of speech that only seem
    to doubt. `replacing`: words that put a turn in the place of another, `reasons`: what begins the
    reason for one, `ending`: the end of a letter, which no sign parts from it. `refusing`: words
    after which nobody is asked again. `greeting`: a greeting before something else on its line; its
    comma tells it from a sentence. `clauses` part a line, `joints` the steps of a turn in it,
    `alternatives` what is left to choose.
    `original_message`: what stands above a quote. `subject_mark`: what mailers put before a subject
    that they answer or pass on, with the tags that gateways add; a verb of ours followed by a colon
    is none of them. `describing`: where a piece stands, by another. `parted`: a verb that the last
    word of its clause makes another one.
    """

    no_before_answer: re.Pattern[str]
    wish: re.Pattern[str]
    partings: re.Pattern[str]
    replacing: re.Pattern[str]
    reasons: re.Pattern[str]
    ending: re.Pattern[str]
    refusing: re.Pattern[str]
    greeting: re.Pattern[str]
    clauses: re.Pattern[str]
    joints: re.Pattern[str]
    alternatives: re.Pattern[str]
    original_message: re.Pattern[str]
    subject_mark: re.Pattern[str]
    describing: re.Pattern[str]
    parted: re.Pattern[str]


def patterns() -> Patterns:
    """The expressions of all languages."""
    return patterns_of(spoken())


@lru_cache(maxsize=2)
def patterns_of(said: Phrases) -> Patterns:
    """The expressions of such phrases."""
    hello, of_day, all_of_you = map(
        _any, (said.salutations, said.salutations_of_day, said.everybody)
    )
    pairs = (one.rpartition(" ") for one in said.parted)
    parted = (rf"{verb}(?={_WORDS}[.…]{{0,3}}+[ \t]++{end}{_ENDED})" for verb, _, end in pairs)
    joints, no_at_start = _any(said.joints), _any(said.no_at_start)
    return Patterns(
        no_before_answer=re.compile(
            rf"\s*{_any(said.no_before_answer)}\s*(?:[,.!:;…]+|\s-+\s)\s*(?=\w)", re.IGNORECASE
        ),
        wish=re.compile(rf"\b{_any(said.wishing)}\b".replace(r"\ ", r"\s+"), re.IGNORECASE),
        partings=re.compile(rf"\b{_any(said.partings)}\b", re.IGNORECASE),
        replacing=re.compile(rf"\b{_any(said.replacing)}\b", re.IGNORECASE),
        reasons=re.compile(
            rf"(?:^[\s,(;-]{{0,9}}|[,(;]\s{{0,3}}|\s-\s{{0,3}})(?={_any(said.reasons)}\b)",
            re.IGNORECASE,
        ),
        ending=re.compile(rf"\s(?={_any(said.ending)}\b)", re.IGNORECASE),
        refusing=re.compile(rf"\b{_any(said.refusing)}\b|^\W{{0,9}}{no_at_start}\b", re.IGNORECASE),
        greeting=re.compile(
            rf"(?i:{hello}|{of_day} \w+)(?: (?:{all_of_you}|[A-Z][\w-]*)){{0,2}}\s*[,!.:]\s*(?=\w)"
        ),
        clauses=re.compile(rf"[,.;:!?()\"]+|(?<!\S){_any(said.clause_words)}(?!\S)", re.IGNORECASE),
        joints=re.compile(rf",(?: {joints})?(?: |$)| {joints} ", re.IGNORECASE),
        alternatives=re.compile(rf"(?<!\S){_any(said.alternatives)}(?!\S)", re.IGNORECASE),
        original_message=re.compile(
            rf"^[-_=*~]{{3,}}|^\W{{0,3}}{_any(said.original_message)}\W{{0,3}}$", re.IGNORECASE
        ),
        subject_mark=re.compile(
            rf"\s*(?:{_any(said.subject_marks)}"
            r"\s?(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s?[:：]"
            r"|[\[(*<]{1,5}(?:ext|extern|external|spam|suspected spam)[\])*>:]{1,5})",
            re.IGNORECASE,
        ),
        describing=re.compile(rf"\b{_any(said.describing)} \w+", re.IGNORECASE),
        parted=re.compile(rf"(?<!\w)(?:{'|'.join(parted)})", re.IGNORECASE),
    )


def _any(phrases: Iterable[str]) -> str:
    """One of the phrases, the longest first."""
    longest_first = sorted(phrases, key=lambda one: (-len(one), one))
    return f"(?:{'|'.join(map(re.escape, longest_first))})"
