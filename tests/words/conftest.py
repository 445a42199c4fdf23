"""The browser of the tests of pages, in which mails are looked at as well."""

from __future__ import annotations

from tests.web.conftest import browser, chromium

__all__ = ["browser", "chromium"]
