"""Rerankers: a second opinion on the first hits, for `Memory(reranker=...)`."""

from memfold.rerankers.cross_encoder import CrossEncoder

__all__ = ["CrossEncoder"]
