"""Storage backends, each of which passes the conformance suite of ``memfold.protocols.Store``."""
