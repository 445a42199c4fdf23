"""A club with pages, and a browser where there is one."""

from tests.web.conftest import browser, site

__all__ = ["browser", "site"]
