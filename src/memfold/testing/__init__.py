"""For authors of parts: what a part of theirs has to do, as checks that they can run."""
