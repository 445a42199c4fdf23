"""Conversion of HTML to the lines of text that a reader sees; quoted lines begin with `> `.

The standard library's parser takes quadratic time on unclosed tags and comments, and a stranger can
send megabytes of them. Emails use only a small part of HTML. So our own tokenizer reads it, in
linear time for any input.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["text", "start", "end"]

# The quantifiers are possessive, so that the search does not backtrack.
_TAG: Final = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*+)((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")
_LOOSE_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)([^>]*+)>")

_RAW: Final = {  # elements whose content is not HTML, with the pattern of their end tag
    tag: re.compile(rf"</{tag}[\s/>]", re.IGNORECASE)
    for tag in ("script", "style", "title", "textarea", "noembed", "noframes", "xmp", "iframe")
}


def _declaration_end(html: str, at: int) -> int:
    """Return the index after the comment or declaration at index `at`; -1 if it is not closed."""
    if html.startswith("<!--", at):
        end = html.find("-->", at + 2)
        return end + 3 if end >= 0 else -1
    return html.find(">", at) + 1 or -1


def _tokens(html: str) -> Iterator[tuple[Kind, str, str]]:
    """Yield the texts and tags of a document in order, as tuples of kind, tag and content.

    The content is the text or, for a start or end tag, the text of its attributes. The tag of a
    text is empty.
    """
    pattern = _TAG
    at = 0
    while at >= 0 and (opened := html.find("<", at)) >= 0:
        if opened > at:
            yield "text", "", html[at:opened]
        kind = _classify(html[opened + 1 : opened + 3])
        if kind == "text":
            yield "text", "", "<"
            at = opened + 1
            continue
        if kind == "declaration":
            at = _declaration_end(html, opened)
            continue
        token = pattern.match(html, opened)
        if token is None:
            # A quote is never closed: from here on treat quotes as ordinary characters, so that
            # the search for their ends is not repeated.
            pattern = _LOOSE_TAG
            token = pattern.match(html, opened)
            if token is None:
                return
        tag = token[2].lower()
        yield "end" if token[1] else "start", tag, token[3]
        at = token.end()
        if tag in _RAW and not token[1]:
            closed = _RAW[tag].search(html, at)
            at = closed.start() if closed else -1
    if 0 <= at < len(html):
        yield "text", "", html[at:]


def _classify(after: str) -> Literal["tag", "declaration", "text"]:
    """Return the kind of token that a `<` begins. `after` are the next characters, at most two."""
    if after[:1] in {"!", "?"}:
        return "declaration"
    first = after[1:] if after[:1] == "/" else after[:1]
    return "tag" if first.isascii() and first.isalpha() else "text"


_ATTRIBUTE: Final = re.compile(
    r"""(?<![\w-])(class|id|name|style|type|data-smartmail)\s{0,4}=\s{0,4}"""
    r"""(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""",
    re.IGNORECASE,
)
_HIDDEN_FLAG: Final = re.compile(r"(?:^|\s)hidden(?:\s|=|/|$)", re.IGNORECASE)
_HIDDEN_STYLE: Final = re.compile(  # text that is hidden or struck out, without spaces
    r"display:none|visibility:hidden|mso-hide:all|font-size:0(?:px|pt|em|%)?(?:;|!|$)"
    r"|(?:max-height|opacity|max-width):0(?:px|\.0+)?(?:;|!|$)"
    r"|text-decoration(?:-line)?:[^;]{0,80}line-through"
)

_HUGE_ENTITY: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")
_SPACES: Final = re.compile(r"[ \t\n\r\f\v]+")
_MAX_ATTRIBUTES: Final = 4000  # characters of a tag's attributes that are read

_VOID: Final = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr"
})  # fmt: skip
_HIDDEN_TAGS: Final = frozenset({
    "head", "template", "object", "svg", "math", "audio", "video", "select", "datalist"
})  # fmt: skip
_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section",
    "summary", "table", "tbody", "tfoot", "thead", "tr", "ul"
})  # fmt: skip
_STRUCK: Final = frozenset({"del", "s", "strike"})
_CELLS: Final = frozenset({"td", "th"})
_QUOTE_NAMES: Final = frozenset({
    "gmail_attr", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix", "zmail_extra",
    "tutanota_quote", "quote", "messagereplysection", "olk_src_body_section",
    "moz-forward-container"
})  # fmt: skip
_QUOTE_STARTS: Final = frozenset({"divrplyfwdmsg", "appendonsend", "x_divrplyfwdmsg"})
_SIGNATURES: Final = frozenset({
    "gmail_signature", "moz-signature", "protonmail_signature_block", "signature",
    "ms-outlook-mobile-signature", "protonmail_signature_block-user",
    "protonmail_signature_block-proton", "messagesignaturesection"
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Element:
    """An open HTML element, and whether the text inside it is hidden, quoted or preformatted."""

    tag: str
    is_hidden: bool
    is_quoted: bool
    is_preformatted: bool


_ROOT: Final = _Element("", is_hidden=False, is_quoted=False, is_preformatted=False)


def _names(attributes: str) -> tuple[frozenset[str], str]:
    """Return what identifies an HTML element: words of its attributes, and its style.

    The caller recognises quotes, signatures and hidden text by them. The words are those of the
    attributes `class`, `id`, `name`, `type` and `data-smartmail`. All are in lower case, and the
    value of `style` has no spaces. `attributes` is the text of the attributes.
    """
    names: set[str] = set()
    style = ""
    for attribute in _ATTRIBUTE.finditer(attributes[:_MAX_ATTRIBUTES]):
        value = (attribute[2] or attribute[3] or attribute[4] or "").lower()
        if attribute[1].lower() == "style":
            style = value.replace(" ", "")
        else:
            names.update(value.split())
    return frozenset(names), style


class _TextBuilder:
    """The state of the conversion: the lines of text so far, and the open elements."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.stack: list[_Element] = [_ROOT]
        self.open: Counter[str] = Counter()
        self.is_rest_quoted = False
        self._line: list[str] = []
        self._is_line_quoted = False

    def _end_line(self, *, blank: bool = False) -> None:
        text = "".join(self._line).strip(" \t")
        if text or blank:
            self.lines.append(f"> {text}".rstrip() if self._is_line_quoted else text)
        self._line.clear()

    def text(self, text: str) -> None:
        top = self.stack[-1]
        if top.is_hidden:
            return
        text = unescape(_HUGE_ENTITY.sub("", text))
        if top.is_preformatted:
            first, *rest = text.split("\n")
            self._add(first)
            for line in rest:
                self._end_line(blank=True)
                self._add(line)
        else:
            self._add(_SPACES.sub(" ", text))

    def _add(self, text: str) -> None:
        quoted = self.stack[-1].is_quoted or self.is_rest_quoted
        if quoted != self._is_line_quoted and text.strip():
            self._end_line()
            self._is_line_quoted = quoted
        if text:
            self._line.append(text)

    def start(self, tag: str, attributes: str) -> None:
        top = self.stack[-1]
        if tag == "br":
            if not top.is_hidden:
                self._is_line_quoted = top.is_quoted or self.is_rest_quoted
                self._end_line(blank=True)
            return
        if tag in _BLOCKS:
            self._end_line()
        elif tag in _CELLS:
            self._line.append(" ")
        if tag in _VOID:
            return
        names, style = _names(attributes) if attributes else (frozenset[str](), "")
        if names & _QUOTE_STARTS:
            self.is_rest_quoted = True
        hidden = (
            top.is_hidden
            or tag in _HIDDEN_TAGS
            or tag in _RAW
            or tag in _STRUCK
            or bool(names & _SIGNATURES)
            or (bool(style) and _HIDDEN_STYLE.search(style) is not None)
            or ("hidden" in attributes and _HIDDEN_FLAG.search(attributes) is not None)
        )
        quoted = top.is_quoted or tag == "blockquote" or bool(names & _QUOTE_NAMES)
        self.stack.append(_Element(tag, hidden, quoted, top.is_preformatted or tag == "pre"))
        self.open[tag] += 1

    def end(self, tag: str) -> None:
        if tag in _BLOCKS or tag == "br":
            # A reader sees a blank line between paragraphs.
            self._end_line()
            if tag == "p" and self.lines and self.lines[-1].strip("> "):
                self.lines.append(">" if self._is_line_quoted else "")
        if not self.open[tag]:
            return
        while self.stack[-1].tag != tag:
            self.open[self.stack.pop().tag] -= 1
        self.open[self.stack.pop().tag] -= 1

    def close(self) -> list[str]:
        self._end_line()
        return self.lines


def html_to_text(html: str) -> str:
    """Return the text of an HTML email as a reader sees it, with `> ` before quoted lines.

    Hidden text, struck-out text and signatures are left out.
    """
    builder = _TextBuilder()
    for kind, tag, text in _tokens(html):
        if kind == "text":
            builder.text(text)
        elif kind == "end":
            builder.end(tag)
        else:
            builder.start(tag, text)
    return "\n".join(builder.close())
