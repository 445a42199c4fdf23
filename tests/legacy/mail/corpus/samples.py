"""The samples: which client answers which mail of ours with what, and the files that hold them.

`python -m tests.legacy.mail.corpus` writes them anew with today's templates; look at the difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from pbem.legacy.mail.lines import plain
from tests.legacy.mail.corpus import desktop, gmail, odd, outlook, provider, webmail
from tests.legacy.mail.corpus.bodies import BODIES, Body
from tests.legacy.mail.corpus.understood import Sent, Understood
from tests.legacy.mail.corpus.wire import Encoding

FOLDER: Final = Path(__file__).parent.parent / "samples"
Writer = Callable[..., bytes]
Rows = Iterator[tuple[str, Writer, tuple[str, ...]]]
"""Client, writer, and the bodies that it is given; every row answers another mail of ours."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One raw reply: its client, the mail that it answers, what it must be read as."""

    name: str
    client: str
    sent: str
    raw: bytes
    wanted: Understood


def _rows() -> Rows:
    usual = ("move", "greeting", "full stop", "capitals", "sentence", "chatter", "said", "emoji",
             "my move", "smart quotes", "thin spaces", "wrapped")  # fmt: skip
    spoken = {
        "de": "hallo", "fr": "salut", "es": "hola", "ru": "привет", "uk": "привет", "bg": "привет",
        "ja": "こんにちは", "zh-CN": "你好", "zh-TW": "你好", "he": "שלום", "zh": "你好",
    }  # fmt: skip
    turn = count()

    def next_body(language: str = "") -> tuple[str, ...]:
        return (spoken.get(language, usual[next(turn) % len(usual)]),)

    for language in gmail.ATTRIBUTIONS:
        yield f"Gmail {language}", partial(gmail.web, language=language), next_body(language)
    yield "Gmail en", partial(gmail.web, signature="Ann"), ("two", "talk", "bold", "denied")
    yield "Gmail Android", gmail.android, ("move", "shouted", "emoji", "empty")
    yield "Gmail below", gmail.below, ("move", "greeting")
    yield "Gmail rounds", gmail.rounds, ("move", "thanks")
    for language in outlook.BLOCKS:
        yield (
            f"Outlook {language}",
            partial(outlook.desktop, language=language),
            next_body(language),
        )
    yield (
        "Outlook en",
        partial(outlook.desktop, mailto="[mailto:{}]"),
        ("move", "talk"),
    )
    for language in ("en", "de", "fr", "es", "ru", "zh", "pl", "tr"):
        yield f"Outlook web {language}", partial(outlook.web, language=language), next_body()
    yield "Outlook iOS", partial(outlook.web, signature="Get Outlook for iOS"), ("move", "capitals")
    yield (
        "Outlook Android",
        partial(outlook.web, language="de", signature="Outlook für Android herunterladen"),
        ("move", "empty"),
    )
    for language in outlook.CLASSIC:
        yield f"Outlook text {language}", partial(outlook.classic, language=language), next_body()
    yield "Outlook rounds", outlook.rounds, ("move", "greeting", "thanks")
    yield from _quoting(next_body)
    yield from _browsers()
    for name in provider.PROVIDERS:
        yield name, partial(provider.provider, name=name), ("greeting", "empty")
    yield from _odd()


def _quoting(
    next_body: Callable[..., tuple[str, ...]],
) -> Rows:
    for language in desktop.IPHONE:
        yield f"iPhone {language}", partial(desktop.iphone, language=language), next_body(language)
    yield "Apple Mail", desktop.mac, ("move", "greeting", "two")
    yield "Apple Mail text", partial(desktop.mac, rich=False), ("move", "chatter")
    for language in desktop.THUNDERBIRD:
        yield (
            f"Thunderbird {language}",
            partial(desktop.thunderbird, language=language, signature="Ann"),
            next_body(),
        )
    for where in WHERE:
        write = partial(desktop.thunderbird, where=where)
        yield f"Thunderbird {where}", write, ("move", "board", "empty")
    for where in WHERE[:2]:
        yield "Thunderbird page", partial(desktop.thunderbird_page, where=where), ("move", "said")
    for program in desktop.PLAIN:
        yield program, partial(desktop.plain, program=program), next_body()
    yield "mutt", partial(desktop.plain, where="bottom", signature="Ann"), ("move", "greeting")
    yield "mutt", partial(desktop.plain, where="inline"), ("move",)
    yield "Gnus", partial(desktop.plain, program="Gnus", where="bottom"), ("move", "talk")
    yield "Gnus", partial(desktop.plain, program="Gnus", where="inline"), ("move",)
    yield "Roundcube", partial(desktop.plain, program="Roundcube", where="bottom"), ("move",)
    charsets = {
        "iso-8859-1": "salut", "iso-8859-15": "hallo", "windows-1252": "smart quotes",
        "koi8-r": "привет", "windows-1251": "привет", "iso-2022-jp": "こんにちは",
        "shift_jis": "こんにちは", "gb18030": "你好", "big5": "move", "euc-kr": "move",
        "iso-8859-8": "שלום", "utf-16": "greeting",
    }  # fmt: skip
    for charset, body in charsets.items():
        encoding: Encoding = "base64" if charset == "utf-16" else "quoted-printable"
        yield (
            f"charset {charset}",
            partial(desktop.plain, program="Claws", charset=charset, encoding=encoding),
            (body,),
        )


def _browsers() -> Rows:
    yield "Yahoo", webmail.yahoo, ("move", "greeting", "emoji")
    yield "Yahoo app", webmail.yahoo_app, ("move", "capitals")
    yield "AOL", webmail.aol, ("move", "greeting")
    yield "GMX", webmail.gmx, ("move", "hallo", "empty")
    yield "web.de", partial(webmail.gmx, site="webde"), ("move",)
    yield "web.de new", webmail.gmx_new, ("move", "ich ziehe")
    yield "Proton", webmail.proton, ("move", "greeting", "talk")
    yield "Tuta", webmail.tuta, ("move", "greeting")
    yield "Fastmail", webmail.fastmail, ("move", "said")
    yield "Zoho", webmail.zoho, ("move", "greeting")
    yield "mail.ru", webmail.mail_ru, ("move", "привет")
    yield "Yandex", webmail.yandex, ("move", "привет")
    yield "QQ", webmail.qq, ("move", "你好")
    yield "QQ en", partial(webmail.qq, language="en"), ("move",)
    yield "163", webmail.netease, ("move", "你好")
    yield "163 en", partial(webmail.netease, language="en"), ("sentence",)
    yield "Samsung", webmail.samsung, ("move", "shouted", "empty")
    yield "Samsung de", partial(webmail.samsung, language="de"), ("hallo",)
    yield "Spark", webmail.spark, ("move",)
    yield "Zimbra", webmail.zimbra, ("move", "greeting")
    yield "Zimbra text", partial(webmail.zimbra, mark=True), ("move",)
    yield "iCloud", webmail.icloud, ("move", "thanks")
    yield "Notes", webmail.notes, ("move", "greeting")
    yield "Naver", webmail.naver, ("move",)


def _odd() -> Rows:
    yield "disclaimer", odd.disclaimer_below, ("move", "talk")
    yield "disclaimer", odd.disclaimer_above, ("move",)
    yield "external", odd.external, ("move",)
    yield "list footer", odd.list_footer, ("move",)
    yield "list footer", odd.list_footer_bottom, ("move", "greeting")
    yield "antivirus", odd.antivirus, ("move",)
    yield "forwarded", odd.forwarded, ("empty", "talk")
    yield "attached", odd.forwarded_attached, ("talk", "move")
    yield "S/MIME", odd.smime, ("move", "greeting")
    yield "S/MIME closed", odd.smime_closed, ("empty",)
    yield "PGP/MIME", odd.pgp_mime, ("move",)
    yield "PGP closed", odd.pgp_closed, ("empty",)
    yield "PGP inline", odd.pgp_inline, ("move", "greeting")
    yield "winmail.dat", odd.winmail, ("move", "talk")
    yield "broken base64", odd.broken_base64, ("move",)
    yield "page only", odd.page_only, ("move", "sentence")
    yield "blank text", odd.blank_text, ("move",)
    yield "picture", odd.with_picture, ("move",)
    single = ("move", "two", "twice", "em dashes", "parentheses", "yes", "resign", "help", "asking",
              "wavering", "no-break spaces")  # fmt: skip
    yield "no quote", odd.no_quote, single
    yield "tapped link", odd.tapped, ("guarded", "move")
    yield "gateway", odd.gateway, ("move",)
    yield "flowed DelSp", odd.flowed_delsp, ("move", "chatter")
    yield "marker only", odd.marker_only, ("move",)
    yield "rounds", odd.nested, ("move", "thanks")
    yield "nothing typed", odd.subject_unchanged, ("empty",)


WHERE: Final[tuple[desktop.Where, ...]] = ("top", "bottom", "inline")
_TEXT_CLIENTS: Final = frozenset({"mutt", "Gnus", "Claws", "K-9", "Roundcube"})


def make(mails: Mapping[str, Sent]) -> Iterator[Sample]:
    """Every sample, answering our mails in turn."""
    pages = [sent for sent in mails.values() if sent.html]
    texts = list(mails.values())
    number = count(1)
    for client, write, bodies in _rows():
        for body in bodies:
            at = next(number)
            among = texts if client in _TEXT_CLIENTS else pages
            sent = among[at % len(among)]
            made = BODIES[body](sent)
            yield _sample(at, client, sent, write(made.typed, sent, number=at), made)
    for client, write in (("in subject", odd.in_subject), ("after subject", odd.after_subject)):
        at = next(number)
        sent = pages[at % len(pages)]
        made = replace(BODIES["move"](sent))
        yield _sample(at, client, sent, write(made.typed, sent, number=at), made, words="")
    at = next(number)
    sent = pages[at % len(pages)]
    made = BODIES["move"](sent)
    raw = odd.conflicting(made.typed, sent, number=at)
    yield _sample(at, "conflict", sent, raw, made, conflict=True)


def _sample(
    number: int,
    client: str,
    sent: Sent,
    raw: bytes,
    body: Body,
    *,
    words: str | None = None,
    conflict: bool = False,
) -> Sample:
    wanted = Understood(
        words=" ".join(plain(body.typed.replace("\n", " ")).split()) if words is None else words,
        orders=body.orders,
        plays=None if conflict else body.plays,
        asks=None if conflict else body.asks,
        conflict=conflict,
    )
    slug = "".join(char if char.isalnum() and char.isascii() else "-" for char in client.lower())
    return Sample(f"{number:03}-{slug}", client, sent.key, raw, wanted)


# --- files ---------------------------------------------------------------------------------------


def write(mails: Mapping[str, Sent], folder: Path = FOLDER) -> int:
    """Write our mails and the samples, and what each must be read as; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    records = {}
    for sent in mails.values():
        (folder / f"sent-{sent.key}.eml").write_bytes(sent.raw)
        records[sent.key] = {
            "name": sent.name,
            "ruleset": sent.ruleset,
            "position": sent.position,
            "seat": sent.seat,
            "moves": list(sent.moves),
        }
    _dump(folder / "sent.json", records)
    wanted = {}
    for sample in make(mails):
        (folder / f"{sample.name}.eml").write_bytes(sample.raw)
        wanted[sample.name] = {"client": sample.client, "sent": sample.sent} | {
            name: value for name, value in asdict(sample.wanted).items() if name != "own_lines"
        }
    _dump(folder / "wanted.json", wanted)
    return len(wanted)


def _dump(path: Path, records: object) -> None:
    content = json.dumps(records, ensure_ascii=False, indent=1)
    path.write_text(content + "\n", encoding="utf-8", newline="\n")


def read_sent(folder: Path = FOLDER) -> dict[str, Sent]:
    """Our mails as they were when the samples were written."""
    records = json.loads((folder / "sent.json").read_text(encoding="utf-8"))
    return {
        key: Sent(
            key=key,
            raw=(folder / f"sent-{key}.eml").read_bytes(),
            moves=tuple(record.pop("moves")),
            **record,
        )
        for key, record in records.items()
    }


def read_samples(folder: Path = FOLDER) -> list[Sample]:
    """The samples as files."""
    wanted = json.loads((folder / "wanted.json").read_text(encoding="utf-8"))
    return [
        Sample(
            name,
            one["client"],
            one["sent"],
            (folder / f"{name}.eml").read_bytes(),
            Understood(
                words=one["words"],
                orders=tuple(one["orders"]),
                plays=one["plays"],
                asks=None if one["asks"] is None else tuple(one["asks"]),
                conflict=one["conflict"],
            ),
        )
        for name, one in wanted.items()
    ]
