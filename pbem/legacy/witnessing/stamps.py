"""Time stamps of checkpoints (RFC 3161): what an authority is asked, and whether it has answered.

Needs the extra `stamps`; whoever only signs or watches needs none of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.errors import PbemError

if TYPE_CHECKING:
    from datetime import datetime

    from rfc3161_client import TimeStampRequest


class WrongStamp(PbemError):  # noqa: N818 - what is wrong is the stamp
    """An answer that is no time stamp of what was asked about, by whom it should be."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to an authority: the text, and its request with a nonce of its own."""

    text: bytes
    request: TimeStampRequest

    @property
    def body(self) -> bytes:
        """What is sent to the authority, as application/timestamp-query."""
        return self.request.as_bytes()


def asked(text: bytes) -> Asked:
    """A question that shows the authority no more than the SHA-256 of the text."""
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    builder = TimestampRequestBuilder().data(text).hash_algorithm(HashAlgorithm.SHA256)
    return Asked(text, builder.nonce(nonce=True).cert_request(cert_request=True).build())


def stamped_at(question: Asked, answer: bytes, roots: bytes) -> datetime:
    """When an authority has seen the text, by its answer.

    `roots` are the certificates that it may be traced to, as PEM. Raises WrongStamp where it is not
    of this text, not of this question, or not signed by somebody whom these vouch for.
    """
    from cryptography.x509 import load_pem_x509_certificates
    from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response

    try:
        builder = VerifierBuilder.from_request(question.request)
        for root in load_pem_x509_certificates(roots):
            builder = builder.add_root_certificate(root)
        told = decode_timestamp_response(answer)
        builder.build().verify_message(told, question.text)
    except (ValueError, VerificationError) as error:
        raise WrongStamp(f"the answer is no time stamp by one of these: {error}") from None
    return told.tst_info.gen_time
