"""The conformance suite's checks, by what they look at."""
