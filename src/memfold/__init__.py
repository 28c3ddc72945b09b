"""memfold gives LLM agents a memory: one SQLite file, no key, no server, no download.

>>> from memfold import Memory
>>> memory = Memory()
>>> chat = memory.user("ann").session("s1")
>>> chat.add("user", "Our GPU is an RTX 4090 with 24 GB.").id
'm1'
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

__version__ = "0.1.0"

if _TYPE_CHECKING:
    from memfold.aio import AsyncMemory, AsyncSession, AsyncUser
    from memfold.context.expanding import expand_tool
    from memfold.errors import (
        BudgetTooSmall,
        EmbedderFailed,
        ImportFailed,
        InvalidInput,
        InvalidMessage,
        InvalidScope,
        LLMBadAnswer,
        LLMError,
        LLMRateLimited,
        LLMRejected,
        LLMTimeout,
        LLMUnavailable,
        MemfoldError,
        MissingExtra,
        NewerSchema,
        NotAMemfoldFile,
        NotFound,
        StoreBusy,
        StoreClosed,
        StoreError,
        StoreReadOnly,
    )
    from memfold.facade.compression import compress
    from memfold.facade.memory import Memory
    from memfold.facade.session import Session
    from memfold.facade.user import User
    from memfold.fold.config import FoldConfig
    from memfold.llms.openai_compatible import OpenAICompatible
    from memfold.text.chat import to_anthropic
    from memfold.text.entities import Entity, EntityExtractor
    from memfold.text.tokens import TiktokenCounter
    from memfold.types import (
        Artifact,
        Attempt,
        Completion,
        Compression,
        Context,
        Fold,
        FoldQuality,
        FoldSentence,
        Hit,
        Masked,
        Message,
        Quality,
        Receipt,
        ReceiptItem,
        Scope,
        SessionInfo,
        StandingItem,
        Stats,
        Tier,
        Trace,
        TraceItem,
        Usage,
    )

__all__ = [
    "Artifact",
    "AsyncMemory",
    "AsyncSession",
    "AsyncUser",
    "Attempt",
    "BudgetTooSmall",
    "Completion",
    "Compression",
    "Context",
    "EmbedderFailed",
    "Entity",
    "EntityExtractor",
    "Fold",
    "FoldConfig",
    "FoldQuality",
    "FoldSentence",
    "Hit",
    "ImportFailed",
    "InvalidInput",
    "InvalidMessage",
    "InvalidScope",
    "LLMBadAnswer",
    "LLMError",
    "LLMRateLimited",
    "LLMRejected",
    "LLMTimeout",
    "LLMUnavailable",
    "Masked",
    "MemfoldError",
    "Memory",
    "Message",
    "MissingExtra",
    "NewerSchema",
    "NotAMemfoldFile",
    "NotFound",
    "OpenAICompatible",
    "Quality",
    "Receipt",
    "ReceiptItem",
    "Scope",
    "Session",
    "SessionInfo",
    "StandingItem",
    "Stats",
    "StoreBusy",
    "StoreClosed",
    "StoreError",
    "StoreReadOnly",
    "Tier",
    "TiktokenCounter",
    "Trace",
    "TraceItem",
    "Usage",
    "User",
    "__version__",
    "compress",
    "expand_tool",
    "to_anthropic",
]

# Where each name lives. They are fetched at first use, so that importing the package costs
# nothing: a command line that only prints its help does not wait for numpy.
_HOMES = {
    "Artifact": "memfold.types",
    "AsyncMemory": "memfold.aio",
    "AsyncSession": "memfold.aio",
    "AsyncUser": "memfold.aio",
    "Attempt": "memfold.types",
    "BudgetTooSmall": "memfold.errors",
    "Completion": "memfold.types",
    "Compression": "memfold.types",
    "Context": "memfold.types",
    "EmbedderFailed": "memfold.errors",
    "Entity": "memfold.text.entities",
    "EntityExtractor": "memfold.text.entities",
    "Fold": "memfold.types",
    "FoldConfig": "memfold.fold.config",
    "FoldQuality": "memfold.types",
    "FoldSentence": "memfold.types",
    "Hit": "memfold.types",
    "ImportFailed": "memfold.errors",
    "InvalidInput": "memfold.errors",
    "InvalidMessage": "memfold.errors",
    "InvalidScope": "memfold.errors",
    "LLMBadAnswer": "memfold.errors",
    "LLMError": "memfold.errors",
    "LLMRateLimited": "memfold.errors",
    "LLMRejected": "memfold.errors",
    "LLMTimeout": "memfold.errors",
    "LLMUnavailable": "memfold.errors",
    "Masked": "memfold.types",
    "MemfoldError": "memfold.errors",
    "Memory": "memfold.facade.memory",
    "Message": "memfold.types",
    "MissingExtra": "memfold.errors",
    "NewerSchema": "memfold.errors",
    "NotAMemfoldFile": "memfold.errors",
    "NotFound": "memfold.errors",
    "OpenAICompatible": "memfold.llms.openai_compatible",
    "Quality": "memfold.types",
    "Receipt": "memfold.types",
    "ReceiptItem": "memfold.types",
    "Scope": "memfold.types",
    "Session": "memfold.facade.session",
    "SessionInfo": "memfold.types",
    "StandingItem": "memfold.types",
    "Stats": "memfold.types",
    "StoreBusy": "memfold.errors",
    "StoreClosed": "memfold.errors",
    "StoreError": "memfold.errors",
    "StoreReadOnly": "memfold.errors",
    "Tier": "memfold.types",
    "TiktokenCounter": "memfold.text.tokens",
    "Trace": "memfold.types",
    "TraceItem": "memfold.types",
    "Usage": "memfold.types",
    "User": "memfold.facade.user",
    "compress": "memfold.facade.compression",
    "expand_tool": "memfold.context.expanding",
    "to_anthropic": "memfold.text.chat",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(_import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return list(__all__)
