"""Benchmarks on published data: what ``memfold bench`` runs."""
