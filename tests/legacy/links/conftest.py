"""A club with pages, and a browser where there is one."""

from tests.legacy.web.conftest import browser, chromium, site

__all__ = ["browser", "chromium", "site"]
