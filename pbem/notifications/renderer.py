"""The renderer of a service, which creates a `Rendering` for each email and page.

The renderer has one environment of templates for each language. Templates of operators and packages
can contain errors. If a template of an email raises an error, the email is written without
templates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

import css_inline
import structlog
from jinja2 import Environment
from markupsafe import escape

from pbem.files import find_shipped
from pbem.games.packages import list_packages
from pbem.notifications.email_views import EmailView
from pbem.notifications.environment import make_environment
from pbem.notifications.rendering import RenderedEmail, Rendering

DEFAULT_LANGUAGE: Final = "en"

# The text of an email whose template has raised an error.
FALLBACK_TEXT: Final = """\
We could not write this email as usual, because one of our templates failed.
Your games are fine, and the operator will see it in the log. You can reply
with your move or with a command, such as "board", "history" or "help".
"""

log = structlog.get_logger()


class Renderer:
    """A renderer of emails of all kinds in all languages.

    `languages` has the codes of the languages with a catalogue of translations, English first.

    Args:
        folders: Folders of the operator, whose templates and catalogues take precedence over those
            of pbem.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        """Find the folders of templates. Templates are loaded when they are first needed."""
        packaged = {package.folder for package in list_packages().values() if package.folder}
        self.folders = (
            *folders,
            find_shipped("templates", "templates"),
            *sorted(filter(Path.is_dir, (Path(folder, "templates") for folder in packaged))),
        )
        self._make_environment = cache(partial(make_environment, self.folders))
        # Media queries cannot be inlined; dark mode needs them.
        self._inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
        languages = {
            path.parent.parent.name
            for folder in self.folders
            for path in (folder / "locale").glob("*/LC_MESSAGES/pbem.mo")
        }
        self.languages = (DEFAULT_LANGUAGE, *sorted(languages))

    def render(self, kind: str, view: EmailView, language: str) -> RenderedEmail:
        """Return the email with these values, rendered in a language.

        If a template raises an error, the email is written without templates.

        Args:
            kind: The kind of email, which names its template, such as `turn` or `receipt`.
            view: The values for the template.
            language: The reader's language. If there is no catalogue for it, English is used.
        """
        try:
            return self.make_rendering(view, language, kind).render()
        except Exception:
            # Templates of operators and packages may raise anything; a move must not wait for it.
            log.exception("template_failed", kind=kind, language=language)
            return self.render_plainly(view)

    def render_plainly(self, view: EmailView) -> RenderedEmail:
        """Return the email in English, written without templates.

        If the email is about a match, it contains the last move, the players to move, and the
        board.
        """
        match = view.match
        if match is None:
            return RenderedEmail(view.site_title, FALLBACK_TEXT, _preformat(FALLBACK_TEXT))
        lines = [f"{match.game} {match.code}: {', '.join(match.names.values())}"]
        if match.history:
            lines.append(f"Last move: {match.history[-1].notation}")
        if match.to_move:
            lines.append(f"To move: {', '.join(match.to_move)}")
        text = "\n".join([*lines, "", *match.board, "", FALLBACK_TEXT])
        return RenderedEmail(f"{match.game} {match.code}", text, _preformat(text))

    def make_rendering(self, view: EmailView, language: str, kind: str = "answer") -> Rendering:
        """Return a `Rendering` of an email of the kind `kind`.

        Pages and tests render only some texts with it, such as single phrases. Unlike in `render`,
        errors in templates are raised. `language` is as in `render`.
        """
        language = self.find_language(language)
        return Rendering(self.environment(language), kind, view, language, self._inliner)

    def find_language(self, language: str) -> str:
        """Return the code `language` if there is a catalogue for it, otherwise the English code."""
        return language if language in self.languages else DEFAULT_LANGUAGE

    def environment(self, language: str) -> Environment:
        """Return the Jinja2 environment for a language; English if there is no catalogue for it."""
        return self._make_environment(self.find_language(language))


def _preformat(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"
