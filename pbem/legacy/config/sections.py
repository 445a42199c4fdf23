"""What a section of the settings is, and those that only a few commands read."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator

from pbem.legacy.witnessing.notes import COSIGNATURE, PublicKey, WrongNote, read_key


class Section(BaseModel):
    """One table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Dataset(Section):
    """What others may do with the matches that `pbem dataset` gives away."""

    licence: str = ""


class Checkpoints(Section):
    """Who signs the checkpoints of the log beside the club, by their public keys."""

    witnesses: tuple[str, ...] = ()

    @field_validator("witnesses")
    @classmethod
    def _keys(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        """Each a key of a witness, and none twice: two names of one key are one witness."""
        try:
            keys = [read_key(one) for one in given]
        except WrongNote as error:
            raise ValueError(str(error)) from None
        for key in keys:
            if key.kind != COSIGNATURE:
                raise ValueError(f"{key.name} is the key of a log, not of a witness")
        if len({key.public for key in keys}) < len(keys):
            raise ValueError("two of them are the same key")
        return given

    @property
    def keys(self) -> tuple[PublicKey, ...]:
        """The keys of the witnesses."""
        return tuple(map(read_key, self.witnesses))


class Log(Section):
    """What the process says of itself."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = "text"
