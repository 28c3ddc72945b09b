"""How a sentence speaks: what it is worth in a summary beside the words in it."""

from __future__ import annotations

import re
from typing import Final

SMALL_TALK: Final = 0.05
QUESTION: Final = 0.5
TOOL: Final = 0.2
USER: Final = 1.5
FIRST_PERSON: Final = 1.4
COMMITMENT: Final = 1.4

_OPENERS = (
    "hey|hi|hello|hiya|wow|whoa|yeah|yes|yep|yup|oh|ooh|aw|aww|ah|ok|okay|sure|thanks|thank you|"
    "thanks so much|thank you so much|thanks a lot|many thanks|haha|hahaha|lol|well|absolutely|"
    "definitely|totally|exactly|indeed|great|awesome|amazing|cool|nice|perfect|excellent|wonderful|"
    "fantastic|got it|i see|no problem|of course|certainly|sounds good|right|congrats|"
    "congratulations|good morning|good afternoon|good evening|good night|no worries|you're welcome|"
    "bye|goodbye|i agree|totally agree|agreed|so true|me too|same here"
)
_CHINESE_OPENERS = (
    "要的|好呀|是啊|对啊|你好|您好|大家好|嗨|哈喽|哇|哎呀|哎|嗯嗯|嗯|哦|噢|啊|好的|好吧|好|行|可以|没问题|收到|明白了|明白|"
    "了解了|了解|知道了|谢谢你|谢谢您|谢谢|多谢|感谢|不客气|不用谢|哈哈哈|哈哈|嘿嘿|太好了|太棒了|真棒|厉害|"
    "当然可以|当然|没错|是的|对的|对|确实|早上好|下午好|晚上好|早安|晚安|再见|拜拜|辛苦了|恭喜"
)
_NAME = r"(?:(?:,?\s+[A-Z][\w'-]*)|\s+(?:there|all|everyone|again|guys))?"
_OPENER: Final = re.compile(
    rf"(?:(?:(?i:{_OPENERS})\b{_NAME}|(?:{_CHINESE_OPENERS}))\s*[,.!?;:~…，。！？；：～]+\s*)+"
)
_PHATIC: Final = re.compile(
    r"(?:(?:that|it)(?:'s| is| sounds)|sounds|looks|how|what a|this is|you're|you are)"
    r"(?:\s+(?:so|really|very|such|a|an|just|too|pretty|absolutely|totally))*\s+\w+[.!…]*"
    r"|(?:how|what)(?:'s|'re| is| are|'ve| have| has)(?: you| it| everything| things| up| new)"
    r"(?: \w+){0,3}[?!.]*"
    r"|(?:glad|happy|sorry|good|nice|great|so glad|so happy|i'm glad|i'm happy|i'm sorry|so sorry)"
    r" (?:to|you) (?:hear|see|meet|know|like|liked|enjoyed|talk|chat)\b.{0,30}"
    r"|(?:take care|see you|talk to you|talk soon|catch you|have a (?:great|good|nice))\b.{0,30}"
    r"|as an ai\b.*"
    r"|(?:let me know|feel free|hope (?:this|that) helps|is there anything else)\b.{0,60}"
    r"|(?:还有什么|有什么可以|希望对您|希望对你|如有|如果还有|如果您还有|欢迎随时|祝您|祝你).{0,30}",
    re.IGNORECASE,
)
# The name of who is spoken to: "Caroline, thanks!", "That's lovely, Tom!"
_CALLING: Final = re.compile(r"\A[A-Z][\w'-]+,\s+")
_CALLED: Final = re.compile(r",?\s+[A-Z][\w'-]+(?=[.!?…~]*\Z)")
_FIRST_PERSON: Final = re.compile(r"\b(?:i|my|me|mine|we|our|us)\b|[我咱]", re.IGNORECASE)
_QUESTION: Final = re.compile(r"[?？][\"'”’）)」』]*\s*\Z|[吗嗎呢][。.]?\s*\Z")
_COMMITMENT: Final = re.compile(
    r"\b(?:please|from now on|remember (?:to|that)|make sure|always|never|must(?:n't)?|have to|"
    r"need to|should|promise[ds]?|agreed?|decided?|plan(?:s|ned|ning)? to|going to|let's|deadline|"
    r"i'll|we'll|i will|we will)\b"
    r"|以后|今后|从现在起|务必|不要|别忘|必须|一定|记住|记得|答应|保证|承诺|决定|打算|定在|选定|同意|计划|准备|截止|约定|我会|我们会|我来",
    re.IGNORECASE,
)


def opener_end(text: str) -> int:
    """Return where a sentence begins in earnest, after "Yeah, " or "好的，"; 0 if it is no more."""
    opener = _OPENER.match(text)
    return opener.end() if opener and opener.end() < len(text) else 0


def manner(text: str, *, speaker: str = "", is_tool: bool = False) -> float:
    """Return how much a sentence counts: 1 for a plain statement, from 0.05 to 3.

    Greetings, thanks and praise count least, then questions; more than 1 what speaks of its
    author, and what commits someone: an instruction, a promise, a decision, a plan. What the
    user says of himself can be had nowhere else, what the assistant says can be said again.
    """
    if is_tool:
        return TOOL
    if _is_small_talk(text):
        return SMALL_TALK
    worth = USER if speaker == "user" else 1.0
    if speaker != "assistant" and _FIRST_PERSON.search(text):
        worth *= FIRST_PERSON
    if _COMMITMENT.search(text):
        worth *= COMMITMENT
    return worth * QUESTION if _QUESTION.search(text) else worth


def _is_small_talk(text: str) -> bool:
    return any(
        _PHATIC.fullmatch(said) or _OPENER.fullmatch(said + ".")
        for said in (text, _CALLED.sub("", text), _CALLING.sub("", text))
    )
