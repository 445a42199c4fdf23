"""Bots of the old service."""
