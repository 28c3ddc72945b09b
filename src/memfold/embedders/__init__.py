"""Parts that turn text into vectors. Each implements ``memfold.protocols.Embedder``."""
