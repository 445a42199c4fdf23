"""Opaque-signed S/MIME: the text is found in the wrapping, and nothing in it can do harm."""

from __future__ import annotations

from base64 import b64decode, b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.letter import Letter, read_letter
from pbem.mail.signed_data import signed_content
from tests.effort import clock, in_reference_seconds

# Made by `openssl cms -sign -nodetach`, with lengths given (DER) and as a stream (BER), and by
# `openssl cms -encrypt`.
DER = b64decode(
    "MIIBpAYJKoZIhvcNAQcCoIIBlTCCAZECAQExDTALBglghkgBZQMEAgEwgYwGCSqGSIb3DQEHAaB/BH1Db250ZW50LV"
    "R5cGU6IHRleHQvcGxhaW47IGNoYXJzZXQ9dXRmLTgNCkNvbnRlbnQtVHJhbnNmZXItRW5jb2Rpbmc6IHF1b3RlZC1w"
    "cmludGFibGUNCg0KYzEgcGxhbnQgYzINCg0KR3I9QzM9QkM9QzM9OUZlLCBBbm4NCjGB7TCB6gIBATBGMC4xDDAKBg"
    "NVBAMMA0FubjEeMBwGCSqGSIb3DQEJARYPYW5uQGV4YW1wbGUub3JnAhRbVOIcc8vaaU2jw/fpRhhf+FOpszALBglg"
    "hkgBZQMEAgEwDQYJKoZIhvcNAQEBBQAEgYB4lDYRpSXRu8YXTkHPrbQYneOu6+hOwZKO4OZF9O9TmqMIKar+82KHpi"
    "4QKGQvEXSUnFrW2KSO9UrLyraM7IMfEUa6djS5Q5jjNaQRA0azPa/Jj2tEYpUgKYy7Sqp+wq9I6mBgmmDd+Gn/tOOK"
    "O2Qreq5DWNuueHV0PRuw+3TauA=="
)
BER = b64decode(
    "MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgAR9Q29udGVudC1UeXBlOi"
    "B0ZXh0L3BsYWluOyBjaGFyc2V0PXV0Zi04DQpDb250ZW50LVRyYW5zZmVyLUVuY29kaW5nOiBxdW90ZWQtcHJpbnRh"
    "YmxlDQoNCmMxIHBsYW50IGMyDQoNCkdyPUMzPUJDPUMzPTlGZSwgQW5uDQoAAAAAAAAxge0wgeoCAQEwRjAuMQwwCg"
    "YDVQQDDANBbm4xHjAcBgkqhkiG9w0BCQEWD2FubkBleGFtcGxlLm9yZwIUW1TiHHPL2mlNo8P36UYYX/hTqbMwCwYJ"
    "YIZIAWUDBAIBMA0GCSqGSIb3DQEBAQUABIGAeJQ2EaUl0bvGF05Bz620GJ3jruvoTsGSjuDmRfTvU5qjCCmq/vNih6"
    "YuEChkLxF0lJxa1tikjvVKy8q2jOyDHxFGunY0uUOY4zWkEQNGsz2vyY9rRGKVICmMu0qqfsKvSOpgYJpg3fhp/7Tj"
    "ijtkK3quQ1jbrnh1dD0bsPt02rgAAAAAAAA="
)
SEALED = b64decode(
    "MIIBqQYJKoZIhvcNAQcDoIIBmjCCAZYCAQAxgeAwgd0CAQAwRjAuMQwwCgYDVQQDDANBbm4xHjAcBgkqhkiG9w0BCQ"
    "EWD2FubkBleGFtcGxlLm9yZwIUW1TiHHPL2mlNo8P36UYYX/hTqbMwDQYJKoZIhvcNAQEBBQAEgYBaUiCM1sbtjzGc"
    "5foZ7FP/Z3EXHnrXFP3zS87MxroG0+yvsVoGlYyBe1FGHi+ahPAT1aDRDMr46sFbKkVrUaC5LZ/mLHFF1IsJEGSvsC"
    "4BWp2ItpYFZRSAMeH+jt4ZQWBulS1eZi+5WGqMUShWgqG0Q6YRwPMqWgpgtfgcF5LuxDCBrQYJKoZIhvcNAQcBMB0G"
    "CWCGSAFlAwQBAgQQYhLJzvcfWKJ0VeZcK+R//YCBgDLr6tMUqx7Hc+Oc1dZuWPBmTQKewbYSe7bxDd1cFs43riD2qW"
    "bJ6r0hhEGpOdkYYalCCKAVdJOXDnB4W1qQq9VzMDEg+VPwMdirNs0jZPo9n84Yn2gr26jhutfN2NWcn/dHRv3ohoPS"
    "DXVlsHEoeadzKoRjrClavvQ7yXQi827M"
)
INNER = (
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"c1 plant c2\r\n\r\nGr=C3=BC=C3=9Fe, Ann\r\n"
)


def letter(data: bytes, kind: str = "application/pkcs7-mime; smime-type=signed-data") -> Letter:
    """A mail that is nothing but this, as Outlook writes one."""
    head = (
        "From: ann@example.org\r\nTo: games@example.org\r\nMIME-Version: 1.0\r\n"
        f'Content-Type: {kind}; name="smime.p7m"\r\n'
        'Content-Disposition: attachment; filename="smime.p7m"\r\n'
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    return read_letter(head.encode() + b64encode(data) + b"\r\n")


def node(tag: int, content: bytes) -> bytes:
    """One element of DER."""
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    return bytes([tag, 0x84]) + size.to_bytes(4, "big") + content


def signed(content: bytes, kind: bytes = DER[6:15]) -> bytes:
    """SignedData of this content, without any signature."""
    data = node(0x06, bytes.fromhex("2a864886f70d010701"))
    inside = node(0x30, data + node(0xA0, content))
    return node(
        0x30, node(0x06, kind) + node(0xA0, node(0x30, node(2, b"\1") + node(0x31, b"") + inside))
    )


@pytest.mark.parametrize("data", [DER, BER], ids=["der", "ber"])
def test_what_was_signed_is_read(data: bytes) -> None:
    assert signed_content(data) == INNER
    read = letter(data)
    assert read.text is not None
    assert read.text.split() == ["c1", "plant", "c2", "Grüße,", "Ann"]
    assert not read.encrypted


def test_content_in_pieces_is_put_together() -> None:
    pieces = node(0x04, b"Content-Type: text/plain\r\n\r\n") + node(0x04, b"e1\r\n")
    whole = signed(node(0x24, pieces))
    assert signed_content(whole) == b"Content-Type: text/plain\r\n\r\ne1\r\n"
    assert letter(whole).text == "e1\n"
    assert signed_content(signed(node(0x24, node(0x24, pieces)))) is None


@pytest.mark.parametrize(
    "data",
    [
        SEALED,
        b"",
        b"\x30\x80",
        DER[:100],
        signed(b""),
        signed(node(0x04, INNER), bytes.fromhex("2a864886f70d010703")),
        b"\x30\x89" + b"\xff" * 9,
        signed(node(0x05, INNER)),
    ],
)
def test_what_holds_no_content_is_closed(data: bytes) -> None:
    assert signed_content(data) is None
    read = letter(data)
    assert read.encrypted
    assert (read.text, read.html) == (None, None)


def test_content_that_is_no_mail_is_closed_too() -> None:
    bomb = signed(node(0x04, b"A: b\r\n" * 50_000 + b"\r\ne1"))
    assert letter(bomb).encrypted


def test_a_wrapping_in_a_wrapping_is_not_opened() -> None:
    head = b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    read = letter(signed(node(0x04, head + b64encode(DER))))
    assert (read.text, read.encrypted) == (None, True)


def test_a_signed_mail_that_is_attached_is_not_read() -> None:
    raw = (
        b"From: ann@example.org\r\nTo: games@example.org\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nlook at this\r\n"
        b"--b\r\nContent-Type: application/pkcs7-mime\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n" + b64encode(DER) + b"\r\n--b--\r\n"
    )
    read = read_letter(raw)
    assert read.text is not None
    assert "plant" not in read.text


@given(st.binary(max_size=200))
def test_any_bytes_are_content_or_not(data: bytes) -> None:
    assert isinstance(signed_content(data), bytes | None)


@given(
    sample=st.sampled_from([DER, BER]),
    changes=st.lists(st.tuples(st.integers(0, 150), st.integers(0, 255)), max_size=6),
    end=st.integers(0, 440),
)
def test_damaged_wrappings_harm_nobody(
    sample: bytes, changes: list[tuple[int, int]], end: int
) -> None:
    data = bytearray(sample[:end])
    for at, value in changes:
        if at < len(data):
            data[at] = value
    found = signed_content(bytes(data))
    assert found is None or len(found) <= len(data)
    letter(bytes(data))


@given(st.binary(max_size=2_000))
def test_whatever_was_signed_comes_out(content: bytes) -> None:
    assert signed_content(signed(node(0x04, content))) == content


def test_large_and_hostile_wrappings_take_no_time() -> None:
    many = signed(node(0x24, node(0x04, b"x") * 300_000))
    deep = b"\x30\x80" * 400_000
    began = clock()
    assert signed_content(many) is None
    assert signed_content(deep) is None
    assert signed_content(signed(node(0x04, b"x" * 900_000))) is not None
    assert in_reference_seconds(clock() - began) < 1
