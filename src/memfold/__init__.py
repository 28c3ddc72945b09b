"""memfold gives LLM agents a memory: one SQLite file, no key, no server, no download.

>>> from memfold import Memory
>>> memory = Memory()
>>> chat = memory.user("ann").session("s1")
>>> chat.add("user", "Our GPU is an RTX 4090 with 24 GB.").id
'm1'
"""

__version__ = "0.1.0"

from memfold.aio import AsyncMemory, AsyncSession, AsyncUser
from memfold.errors import (
    BudgetTooSmall,
    ImportFailed,
    InvalidInput,
    InvalidMessage,
    InvalidScope,
    MemfoldError,
    MissingExtra,
    NewerSchema,
    NotAMemfoldFile,
    NotFound,
    StoreBusy,
    StoreClosed,
    StoreError,
)
from memfold.facade.memory import Memory
from memfold.facade.session import Session
from memfold.facade.user import User
from memfold.fold.config import FoldConfig
from memfold.text.entities import Entity, EntityExtractor
from memfold.text.tokens import TiktokenCounter
from memfold.types import (
    Context,
    Fold,
    FoldSentence,
    Hit,
    Message,
    Receipt,
    ReceiptItem,
    Scope,
    SessionInfo,
    Stats,
    Trace,
    TraceItem,
)

__all__ = [
    "AsyncMemory",
    "AsyncSession",
    "AsyncUser",
    "BudgetTooSmall",
    "Context",
    "Entity",
    "EntityExtractor",
    "Fold",
    "FoldConfig",
    "FoldSentence",
    "Hit",
    "ImportFailed",
    "InvalidInput",
    "InvalidMessage",
    "InvalidScope",
    "MemfoldError",
    "Memory",
    "Message",
    "MissingExtra",
    "NewerSchema",
    "NotAMemfoldFile",
    "NotFound",
    "Receipt",
    "ReceiptItem",
    "Scope",
    "Session",
    "SessionInfo",
    "Stats",
    "StoreBusy",
    "StoreClosed",
    "StoreError",
    "TiktokenCounter",
    "Trace",
    "TraceItem",
    "User",
    "__version__",
]
