"""Where a sentence has a plural, the number decides, whatever stands first in it."""

from __future__ import annotations

import re

from pbem.notices.rendering.environment import template_folder

_SENTENCE = re.compile(
    r"{%-?\s*trans\s+(\w*)[^%]*%}((?:(?!endtrans).)*?){%-?\s*endtrans", re.DOTALL
)
_PLURAL = re.compile(r"{%-?\s*pluralize\s*(\w*)")


def test_every_plural_is_that_of_a_count() -> None:
    # Jinja2 takes the first variable of a sentence unless `pluralize` names another.
    found = []
    for path in template_folder().rglob("*.j2"):
        for first, sentence in _SENTENCE.findall(path.read_text(encoding="utf-8")):
            found += [(path.name, sentence, named or first) for named in _PLURAL.findall(sentence)]
    assert len(found) > 20
    assert [(name, text) for name, text, by in found if by != "count"] == []
