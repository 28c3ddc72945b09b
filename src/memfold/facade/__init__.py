"""The facade: wires the parts together, owns transactions and the background worker."""
