"""The old service: frozen, and deleted when the new one does its job."""
