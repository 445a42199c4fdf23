"""Email as pure values: inbound bytes become commands, outbound values become bytes."""
