"""The Jinja2 environment of all templates: their folders, their language, and their filters.

Templates in an operator's folders take precedence over pbem's own templates. These take precedence
over templates in the folder `templates` of a package with a game. All these folders have the same
structure. Each language has an environment of its own, whose filters write times, moves, commands
and lists of names in that language.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    pass_context,
    select_autoescape,
)
from jinja2.runtime import Context

PHRASES: Final = "email/phrases.txt.j2"
MAX_SUBJECT_NAME: Final = 16  # characters of a player's name in a subject

_HEADING: Final = re.compile(r"\b([A-Z][a-z]{2,})(?!\w) *")
"""The pattern of a capitalised word of at least three letters on a board, with the spaces after it.

Such a word is a heading, as `Suns`; names of pieces and squares are shorter.
"""

_PROPOSAL_WORDS: Final = frozenset({"with", "easy", "medium", "strong"})
"""The words that are translated in the argument of the command `new`; other words are names."""


def make_environment(folders: Sequence[Path], language: str) -> Environment:
    """Return the Jinja2 environment for a language, with the templates in `folders`.

    Templates and translations in earlier folders take precedence.
    """
    environment = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html.j2"], default=False),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
    )
    catalogue = gettext.NullTranslations()
    for folder in reversed(folders):  # the operator's come first
        translations = gettext.translation("pbem", folder / "locale", [language], fallback=True)
        translations.add_fallback(catalogue)
        catalogue = translations
    environment.install_gettext_translations(catalogue, newstyle=True)  # type: ignore[attr-defined]  # of the i18n extension
    word = partial(catalogue.pgettext, "word")
    environment.filters |= {
        "duration": _format_duration,
        "exactly": _format_exactly,
        "either": partial(_join, catalogue.gettext(" or ")),
        "player_name": partial(_translate_name, catalogue.pgettext),
        "in_list": partial(_join, catalogue.gettext(" and ")),
        "in_words": _say_move,
        "moment": _format_moment,
        "subject_names": _shorten_names,
        "time_of_day": _format_time_of_day,
        "proposal": partial(catalogue.pgettext, "proposal"),
        "word": word,
        "command": partial(_translate_command, catalogue.pgettext),
        "translate_headings": partial(_translate_headings, word),
    }
    return environment


def render_template(template: Template, variables: dict[str, Any]) -> str:
    """Return the text of a template, rendered with these variables by name."""
    # The globals of a template are a ChainMap, which is slow to copy.
    context = template.new_context(template.environment.globals | variables, shared=True)
    return "".join(template.root_render_func(context))


def render_block(template: Template, name: str, variables: dict[str, Any]) -> str:
    """Return the text of the block `name` of a template, rendered with these variables by name.

    The block cannot use other blocks of the template.
    """
    # A context with all blocks takes longer to make than most blocks to render.
    environment = template.environment
    context = Context(environment, environment.globals | variables, template.name, {})
    return "".join(template.blocks[name](context))


@pass_context
def _format_duration(context: Context, span: timedelta) -> str:
    """Return a time span in words, rounded to days, hours or minutes.

    Spans of at least three days are rounded to days, others of at least twelve hours to hours.
    """
    minutes = span // timedelta(minutes=1)
    unit = 24 * 60 if minutes >= 3 * 24 * 60 else 60 if minutes >= 12 * 60 else 1
    minutes = round(minutes / unit) * unit
    return _say_span(context, minutes // (24 * 60), minutes // 60 % 24, minutes % 60)


@pass_context
def _format_exactly(context: Context, span: timedelta | int) -> str:
    """Return a span of whole hours in words: in days if they are whole days, otherwise in hours.

    `span` is a timedelta or the number of hours.
    """
    hours = span if isinstance(span, int) else span // timedelta(hours=1)
    return _say_span(context, 0, hours, 0) if hours % 24 else _say_span(context, hours // 24, 0, 0)


def _say_span(context: Context, days: int, hours: int, minutes: int) -> str:
    template = context.environment.get_template(PHRASES)
    variables = {"days": days, "hours": hours, "minutes": minutes}
    return render_block(template, "duration", variables)


@pass_context
def _format_moment(context: Context, moment: datetime | str) -> str:
    """Return a date and time in the reader's time zone, with the name of the zone.

    The year is shown if the moment is some ten months away from the time of the email, or more.
    `moment` may be a text in ISO 8601, because the facts of a rejection contain such texts.
    """
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    at = at.astimezone(context["timezone"])
    template = context.environment.get_template(PHRASES)
    return render_block(template, "moment", {"at": at, "now": context.get("now")})


@pass_context
def _format_time_of_day(context: Context, at: datetime) -> str:
    """Return a time of the current day in the reader's time zone, with the name of the zone."""
    return at.astimezone(context["timezone"]).strftime("%H:%M %Z")


@pass_context
def _say_move(context: Context, notation: str) -> str:
    """Return a move, given in canonical notation, as the reader can type it in their language."""
    say: Callable[[str], str] = context["say_move"]
    return say(notation)


def _translate_command(translate: Callable[[str, str], str], command: str) -> str:
    """Return the translation of an English command.

    Only the verb is translated, and in the command `new` also its keywords. `translate` returns the
    translation of a text (its second argument) in a context (its first).
    """
    if command == "new address":  # `address` is not the name of a game
        return translate("command", command)
    verb, *words = command.split(" ")
    if verb == "new":
        words = [translate("proposal", word) if word in _PROPOSAL_WORDS else word for word in words]
    return " ".join([translate("command", verb), *words])


def _translate_name(translate: Callable[[str, str], str], name: str) -> str:
    """Return a player's name, translated if the player is a bot (`Easy bot 2`) or was deleted.

    `translate` is as in `_translate_command`.
    """
    known = name.rstrip(" 0123456789")
    return translate("name", known) + name[len(known) :]


def _translate_headings(word: Callable[[str], str], line: str) -> str:
    """Return a line of a board with its headings translated, except where there is no room.

    `word` returns the translation of a word.
    """

    def translate(original: re.Match[str]) -> str:
        heading, room = word(original[1]), len(original[0])
        fits = len(heading) <= room or original.end() == len(line)
        return heading.ljust(room) if fits else original[0]

    return _HEADING.sub(translate, line).rstrip()


def _join(last: str, items: Iterable[str]) -> str:
    """Return items joined for a sentence: `Ann, Bob and Cleo` or `d4, e3 or e5`.

    `last` is the separator before the last item, such as ` or `.
    """
    *beginning, end = [*items] or [""]
    return last.join(filter(None, (", ".join(beginning), end)))


def _shorten_names(names: Sequence[str]) -> str:
    """Return names shortened for a subject line: `Bob`, `Bob, Cleo` or `Bob +3`."""
    texts = [shorten(name, MAX_SUBJECT_NAME) for name in names]
    joined = ", ".join(texts)
    return joined if len(joined) <= MAX_SUBJECT_NAME else f"{texts[0]} +{len(texts) - 1}"


def shorten(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters: longer texts are cut and end in an ellipsis."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"
