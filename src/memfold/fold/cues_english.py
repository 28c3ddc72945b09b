"""How English says that something is wanted, forbidden, promised, open or decided."""

from __future__ import annotations

import re
from typing import Final

# Where an instruction may begin: with the sentence or a clause of it, after polite words.
_START = (
    r"(?:^|[,;:.—–(]\s*|\s-\s|\b(?:and|but|so|then|also|again|plus|because|which means)\s+)"
    r"(?:(?:please|also|just|and|but|so|again|kindly|ok(?:ay)?|hey|hi|remember|note|pls|"
    r"in general|generally|well|sure|yes|no)\s*[,:!]?\s+)*"
)
_NOT_MEANT = (
    r"(?:worry|mind|know|think|hesitate|forget about it|get me wrong|bother|be (?:sorry|shy|"
    r"afraid)|"
    r"give up|hurry|tell me|say|laugh|ask me|panic|sweat|let)\b"
)
_WORK = (
    r"(?:book|cancel|change|modify|upgrade|downgrade|return|exchange|refund|rebook|reschedule|"
    r"remove|add|update|build|implement|develop|launch|deploy|migrate|fix|finish|complete|submit|"
    r"publish|achieve|reach|reduce|cut|save|raise|pass|qualify|write|design|create|ship|release|"
    r"refactor|port|automate|integrate|transfer|proceed|fly|depart|pay|use|set up|hire|sell|buy)"
)
_LANGUAGE = (
    r"(?:english|chinese|mandarin|cantonese|french|german|spanish|japanese|korean|italian|russian|"
    r"portuguese|arabic|hindi|dutch|polish|turkish|swedish)"
)
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|noon|midnight|eod|eow|"
    r"(?:the )?end of|(?:this|next) (?:week|month|morning|afternoon|evening)|the weekend|"
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b|(?:the )?\d)"
)
_DEADLINE = (
    rf"(?:\b(?:by|before|until|no later than|on)\s+{_DAY}|\bwithin (?:the |an? |\d)|"
    r"\b(?:today|tonight|tomorrow|this (?:afternoon|evening|week)|next week|first thing|"
    r"right away|as soon as|once|when|after)\b)"
)
_DELIVERY = (
    r"(?:send|deliver|finish|prepare|submit|review|fix|deploy|ship|refund|pay|book|schedule|update|"
    r"write|draft|share|provide|upload|migrate|test|email|e-mail|mail|forward|file|complete|push|"
    r"merge|release|publish|order|return|transfer|sign|set up|put together|take care of|bring|"
    r"hand (?:in|over)|report|add|check with|talk to|ask|contact|follow up|investigate|look into|"
    r"confirm|run|reschedule|cancel|rotate|revert|restore|document|translate|design|build)"
)

CONSTRAINT: Final = re.compile(
    r"\b(?:from now on(?:wards?)?|from here on|going forward|henceforth|until further notice|"
    r"for all (?:future|further|subsequent))\b"
    rf"|{_START}(?:you (?:should|must|need to|have to|can) )?(?:always|never)\s+"
    r"(?!(?:been|mind|had|have|was|were|a|an|the|been|again|ever|too|say never|give up|stop|know|"
    r"thought|knew|forget|heard|seen|did|done|got|tried)\b)[a-z]+"
    rf"|{_START}(?:do not|don['’]?t|do n't|never|you (?:must|should|may|can) ?(?:not|n['’]t|never))"
    rf"\s+(?:ever\s+)?(?!{_NOT_MEANT})[a-z]+"
    rf"|{_START}(?:make sure|be sure|ensure|remember|keep in mind|bear in mind|be careful)"
    r"(?:\s+(?:to|that|not|you|it|all|the|every|each|nothing|no|there)\b)"
    r"|\b(?:it|they|this|that|the \w+(?: \w+)?|all \w+|every \w+|each \w+|we|everything|answers?|"
    r"code|you) (?:must|mustn['’]t|shall|has to|have to|needs to|may not|cannot|can['’]t)\s+"
    r"(?:not |never |always |only )?(?:be |stay |remain |support |run |work |fit |use |keep |have |"
    r"include |exceed|cost |take |contain |follow |touch |return |pass |handle |comply)"
    rf"|{_START}must(?: not)?\s+(?!be (?:nice|fun|great|hard|tough|so)\b)"
    r"(?:be|support|run|work|fit|use|keep|have|include|stay|not)\b"
    r"|\bi (?:really )?(?:do not|don['’]t|won['’]t|will not|can['’]t|cannot|refuse to)\s+"
    r"(?:want (?:to |any |a |the |you |it |my |more )|accept|pay|afford|fly|eat|agree|need (?:any|"
    r"travel|insurance|a |the )|wish)"
    r"|\bi(?:['’]d| would| only|['’]ll only| will only| just)? (?:much |really |strongly |"
    r"generally |"
    r"usually |definitely )?(?:rather|prefer|only want|want only|insist)\b"
    r"|\b(?:no|not) (?:flights?|stops?|layovers?|more|earlier|later|less|fewer|longer) "
    r"(?:than |before |after |with )"
    r"|\bat (?:most|least) (?:[$€£¥]?\d|one|two|three|four|five|ten)|\bup to [$€£¥]\s?\d"
    r"|\b(?:my|our|the|a|total|maximum|max) budget (?:is|of|for|should|must|can|cannot|limit)\b"
    r"|\b(?:under|within|below|over) (?:my |our |the |a )?(?:[$€£¥]\d|budget)"
    r"|\b(?:my|our|the|a|hard|strict) deadline (?:is|of|for|has)\b|\b(?:is|are) due (?:by|on)\b"
    rf"|\b(?:answer|reply|respond|write|speak|talk|explain|translate|continue)\b[^.?!]{{0,25}}"
    rf"\b(?:in|into) (?:\w+ )?{_LANGUAGE}\b"
    rf"|\b(?:use|switch to|stick (?:to|with)|back to) (?:only )?{_LANGUAGE}\b"
    rf"|{_START}(?:call me|address me as|use only|only use|stick (?:to|with)|avoid|limit|restrict|"
    r"refrain from|stop \w+ing|keep (?:it|them|your|all|the|every|each|everything|answers?|"
    r"replies)|"
    r"respond only|answer only|only (?:answer|reply|respond|show|give|include|change|touch|edit))\b"
    r"|\b(?:whenever|every time|each time|any time|anytime) i (?:ask|say|mention|send|request)\b"
    r"|\bi['’]?m (?:only )?(?:open to|willing to (?:pay|accept|go))\b",
    re.IGNORECASE,
)
"""What holds for all that follows: rules, limits, preferences."""

GOAL: Final = re.compile(
    r"\b(?:my|our|the|main|overall|end|ultimate|primary) (?:goal|aim|objective|target|mission) "
    r"(?:is|was|here is|for|remains)\b"
    r"|^(?:goal|aim|objective|task)s?\s*[:：]"
    rf"|\b(?:i|we)(?:['’]d| would)? (?:really )?(?:like|want|need|wish|have)(?: you)? to (?:\w+ )?"
    rf"{_WORK}\b"
    rf"|\b(?:i|we)(?:['’]m|['’]re| am| are) (?:looking|hoping|aiming|"
    rf"planning) to (?:\w+ )?{_WORK}\b"
    rf"|\bneeds? to be (?:{_WORK}|done|ready|finished|fixed|changed|updated|cancell?ed)(?:e?d)?\b"
    rf"|{_START}(?:go ahead and |let['’]s (?:just )?)?(?:help me|{_WORK})\s+"
    r"(?:to )?(?:the|my|our|a|an|all|it|this|that|me|\w+ing|both|these)\b",
    re.IGNORECASE,
)
"""What the user wants done; only where he speaks to an assistant."""

COMMITMENT: Final = re.compile(
    rf"\b(?:i|we)(?:['’]ll| will| shall|['’]m going to|['’]re going to)\s+(?:\w+ly |also |then )?"
    rf"{_DELIVERY}\b(?=[^.?!]*{_DEADLINE})"
    rf"|\b(?:i|we) (?:promise|commit|guarantee|undertake|pledge)\b[^.?!]{{0,20}}\b{_DELIVERY}\b"
    rf"|\byou(?:['’]ll| will| shall) (?:have|get|receive) [^.?!]*{_DEADLINE}",
    re.IGNORECASE,
)
"""What its author undertakes to do: a deed with a time for it, or a promise of one."""

OPEN: Final = re.compile(
    r"\bto-?do\s*[:：]|\baction items?\b|\b(?:tbd|tbc)\b|\bopen (?:question|issue|item|point)s?\b"
    r"|\bto be (?:decided|determined|confirmed|discussed|clarified|agreed)\b"
    r"|\b(?:still|yet) (?:open|pending|undecided|unclear|unresolved|missing|to be|to decide)\b"
    r"|\b(?:have ?n['’]t|has ?n['’]t|have not|has not|not) (?:yet )?(?:been )?(?:decided|settled|"
    r"agreed|confirmed|resolved|finali[sz]ed|chosen|approved)\b"
    r"|\b(?:pending|awaiting) (?:approval|confirmation|review|sign-?off|a decision|an answer)\b"
    r"|\bwaiting (?:for|on) [^.?!]{2,40}\b(?:to (?:confirm|approve|reply|answer|decide|sign|"
    r"review)|"
    r"approval|confirmation|reply|answer|sign-?off|decision)\b"
    r"|\bremind me (?:to|that|about)\b|\bfollow-?up\s*[:：]|\bunresolved\b"
    r"|\b(?:i|we) still (?:need|have) to\b|\bneeds? to be (?:decided|confirmed|clarified|"
    r"resolved)\b",
    re.IGNORECASE,
)
"""What is not done or not decided yet."""

DECISION: Final = re.compile(
    r"\b(?:we|i|they|the (?:team|board|group))(?:['’]ve| have| had|'d)? (?:finally |all |just |"
    r"already |now |both )?(?:decided|agreed (?:on|to|that)|settled on|opted|concluded|chose|"
    r"chosen|"
    r"picked|selected|went with|gone with|voted|ruled out)\b"
    r"|\b(?:let['’]s|we['’]ll|i['’]ll|we will|i will|we should) (?:just )?(?:go|stick) with\b"
    r"|\b(?:we|i)['’](?:re|m) going with\b|\b(?:final|the) (?:decision|choice|verdict) (?:is|was)\b"
    r"|^(?:decision|conclusion|verdict|resolution)\s*[:：]|\bit(?:['’]s| is| was) decided\b"
    r"|\broot cause\b[^.?!]{0,40}\b(?:is|was|:)|\b(?:it )?turn(?:s|ed) out (?:that|to be|the|it)\b"
    r"|\bthe (?:problem|bug|issue|cause|culprit|error|failure) (?:is|was) (?:that|caused|due|in|"
    r"the)\b"
    r"|\b(?:was|is|were|are) (?:caused|fixed|resolved|solved) by\b",
    re.IGNORECASE,
)
"""What was concluded, chosen or found out."""
