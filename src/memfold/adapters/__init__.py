"""Bridges to what others write and read: chat files and, later, other people's interfaces."""
