"""Email as pure values: inbound bytes become commands, and outbound values become bytes."""
