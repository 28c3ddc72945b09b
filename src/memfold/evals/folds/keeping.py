"""Which messages to keep when most must go: is what will be asked for among them?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from statistics import fmean
from typing import Final

from memfold.evals.folds.talks import Talk
from memfold.text.entities import EntityExtractor
from memfold.text.importance import asks, five_factor, information_prior
from memfold.text.sentences import sentences
from memfold.text.terms import query_terms

SHARES: Final = (25, 50, 75)
"""Per cent of a conversation's messages that are kept."""
_DRAWS: Final = 5
_DIGITS: Final = 4


class Keeping:
    """Shares of evidence messages, each counted once a question, among the messages kept."""

    def __init__(self, extractor: EntityExtractor) -> None:
        self._extractor = extractor
        self._found: dict[str, dict[int, list[float]]] = {}
        self._evidence = 0

    def add(self, talk: Talk) -> None:
        """Rank a conversation's messages in each way."""
        wanted = [place for asked in talk.asked for place in asked.evidence]
        if not wanted:
            return
        self._evidence += len(wanted)
        for name, scores in self._ways(talk).items():
            for share in SHARES:
                kept = [_best(each, share) for each in scores]
                found = [fmean(place in each for each in kept) for place in wanted]
                self._found.setdefault(name, {}).setdefault(share, []).extend(found)

    def summary(self) -> dict[str, object]:
        """By per cent and then by way."""
        shares = {
            str(share): {
                name: round(fmean(by_share[share]), _DIGITS)
                for name, by_share in self._found.items()
            }
            for share in SHARES
            if self._found
        }
        return {"evidence": self._evidence, **shares}

    def _ways(self, talk: Talk) -> Mapping[str, Sequence[Sequence[float]]]:
        """What each message is worth, by the way; for ``random`` several times."""
        messages = talk.messages
        entities = [len({e.key for e in self._extractor.extract(m.text)}) for m in messages]
        asking = [any(map(asks, _sentences(m.text))) for m in messages]
        asked = [False, *asking[:-1]]
        holding = Counter(term for m in messages for term in set(query_terms(m.text)))
        count = len(messages)

        def idf(term: str) -> float:
            return log(1 + (count - holding[term] + 0.5) / (holding[term] + 0.5))

        chance = random.Random(talk.id)
        return {
            "information_prior": [
                [
                    information_prior(
                        m.text, role=m.role, entities=number, idf=idf, is_asked=is_asked
                    )
                    for m, number, is_asked in zip(messages, entities, asked, strict=True)
                ]
            ],
            "five_factor": [
                [
                    five_factor(m.text, role=m.role, tokens=m.tokens, entities=number)
                    for m, number in zip(messages, entities, strict=True)
                ]
            ],
            "random": [[chance.random() for _ in messages] for _ in range(_DRAWS)],
            "recent": [list(range(count))],
            "longest": [[len(m.text) for m in messages]],
        }


def _sentences(text: str) -> Iterator[str]:
    return (text[span.start : span.end] for span in sentences(text))


def _best(scores: Sequence[float], share: int) -> frozenset[int]:
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return frozenset(order[: round(len(scores) * share / 100)])
