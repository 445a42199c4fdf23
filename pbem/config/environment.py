"""Settings with those of the environment over them: what few installations have, and costs most."""

from __future__ import annotations

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pbem.config.settings import PREFIX, Settings


class _Overlaid(Settings, BaseSettings):
    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=PREFIX, env_nested_delimiter="__"
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over what was read from the file."""
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings


def overlaid(table: dict[str, object]) -> Settings:
    """The settings of a file's table and of the environment. Raises ValidationError."""
    found = _Overlaid(**table)  # type: ignore[arg-type] # pydantic checks it, that is the point
    return Settings(**{name: getattr(found, name) for name in Settings.model_fields})
