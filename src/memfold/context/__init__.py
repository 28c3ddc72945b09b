"""Assembling a context: pieces and a budget go in, messages and their account come out. Pure."""
