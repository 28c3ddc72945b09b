"""Language models, for `Memory(llm=...)`. Each implements `memfold.protocols.LLM`."""

from memfold.llms.openai_compatible import OpenAICompatible

__all__ = ["OpenAICompatible"]
