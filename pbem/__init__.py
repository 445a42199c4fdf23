"""pbem: mail comes in, is read as orders, a match decides, events are logged, notices go out."""

__version__ = "0.1.0"
