"""How English says that something is wanted, forbidden, promised, open or decided."""

from __future__ import annotations

from typing import Final

from memfold.fold.cue_rules import Rule, rule

# Where an order begins: with the sentence, after what numbers, softens or joins it.
_START = (
    r"(?:^|[;:]\s+|,\s+(?=please\b)|\b(?:and|but|so|then),?\s+(?=please\b|don['’]?t|never\b|"
    r"always\b))[\s>*_\-–•(\d.)]*(?:(?:please|pls|also|just|and|but|so|then|again|kindly|ok(?:ay)?|"
    r"hey|hi|note|yes|yeah|sure|no|alright|great|perfect|thanks|thank you|in general|generally|"
    r"well|first|next|finally|important|one more thing|in that case|instead|actually|remember|"
    r"try to|now|go ahead and|let['’]s|let['’]s (?:just|go ahead and))\b\s*[,:!.–-]?\s*)*"
)
_SMALL_TALK = (
    r"(?:worry|mind|know|think|hesitate|get me wrong|bother|be (?:sorry|shy|afraid|so|too)|you|i|"
    r"we|give up|hurry|tell me|say|laugh|panic|sweat|let|want|need|have|see|feel|believe|care|"
    r"remember|understand|like|they|people|forget about|stop|really|even|get|lose|miss|be)\b"
)
_TASK = (
    r"(?:book|cancel|change|modify|upgrade|downgrade|return|exchange|refund|rebook|reschedule|"
    r"remove|add|update|build|implement|develop|launch|deploy|migrate|fix|finish|complete|submit|"
    r"publish|reduce|write|rewrite|design|create|generate|release|refactor|port|automate|integrate|"
    r"transfer|proceed|draft|summari[sz]e|translate|convert|prepare|set up|list|make|use|act|"
    r"format|analy[sz]e)"
)
# What a service does for its customer, who may well ask for it in a question.
_SERVICE = (
    r"(?:book|cancel|change|modify|upgrade|downgrade|return|exchange|refund|rebook|reschedule|"
    r"remove|transfer|deploy|migrate|delete|order|ship|renew|pay)"
)
_OBJECT = (
    r"(?:to )?(?:me|us|the|my|our|a|an|all|it|this|that|these|those|both|each|every|any|some|your|"
    r"in|with|like|only|\w+ing|\d+|another|more|for|down|up|up to)\b"
)
_LANGUAGE = (
    r"(?:english|chinese|mandarin|cantonese|french|german|spanish|japanese|korean|italian|russian|"
    r"portuguese|arabic|hindi|dutch|polish|turkish|swedish)"
)
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|noon|midnight|eod|eow|"
    r"(?:the )?end of|(?:this|next) (?:week|month|morning|afternoon|evening)|the weekend|lunch|"
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b|(?:the )?\d)"
)
_DEADLINE = (
    rf"(?:\b(?:by|before|no later than|on)\s+{_DAY}|\bwithin (?:the (?:hour|day|week)|an? |\d|two|"
    rf"three|four|five|ten)|"
    r"\b(?:today|tonight|tomorrow|this (?:afternoon|evening|week)|next week|first thing|"
    r"right away)\b)"
)
_DELIVERY = (
    r"(?:send|deliver|finish|prepare|submit|review|fix|deploy|ship|refund|pay|book|schedule|update|"
    r"write|draft|provide|upload|migrate|test|email|e-mail|mail|forward|file|complete|push|merge|"
    r"release|publish|order|return|transfer|sign|set up|take care of|hand (?:in|over)|report|"
    r"follow up|investigate|look into|confirm|run|reschedule|cancel|rotate|revert|restore|document|"
    r"translate|design|build|add|share|get (?:you|back to you with) the)"
)
_CURRENCY = r"(?:US\$|[$€£¥]|(?:usd|eur|gbp|rmb)\s?)"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "constraint",
        "now on|here on|going forward|henceforth|further notice|for all ",
        r"\b(?:from now on(?:wards?)?|from here on|going forward|henceforth|until further notice|"
        r"for all (?:future|further|subsequent))\b",
        asking=True,
    ),
    rule(
        "constraint",
        "always|never",
        rf"{_START}(?:you (?:should|must|need to|have to) )?(?:always|never)(?: ever)?\s+"
        r"(?!(?:been|mind|had|have|was|were|an?|the|again|too|say never|give up|stop|know|thought|"
        r"knew|forget|heard|seen|did|done|got|tried|better|underestimate|lose|let|be afraid|\w+ed|"
        r"feel|realized|in|on|at|with|open|available|so|good|nice|fun|happy|there|"
        r"\w+[^s\W]s)\b)[a-z]+"
        r"|^(?:can|could|would|will) you (?:please )?(?:always|never)\b",
        asking=True,
    ),
    rule(
        "constraint",
        "don't|don’t|do not|dont ",
        rf"{_START}(?:do not|don['’]?t)\s+(?:ever |just )?(?!{_SMALL_TALK})[a-z]+",
    ),
    rule(
        "constraint",
        "sure|ensure|remember|in mind|careful",
        rf"{_START}(?:make sure|be sure|ensure|remember|keep in mind|bear in mind|be careful)\s+"
        r"(?:to|that|not|you|it|all|the|every|each|nothing|no|there|your)\b(?! (?:time|day|"
        r"when)\b)",
    ),
    rule(
        "constraint",
        "must|has to|have to|needs to|need to|may not|shall|should|can't exceed|cannot exceed",
        r"\b(?:it|this|that|everything|nothing|(?:the|all|every|each|your|any|"
        r"our) (?:[\w-]+ ){1,3}?|answers?|code|and|result|output)\s?\b(?:must|mustn['’]t|shall|"
        r"has to|have to|needs? to|may not|should|cannot|can['’]t) (?:not |never |always |only |"
        r"also |all |still )*(?:be (?:under|below|at (?:least|most)|able to|compatible|written|"
        r"ready|less|no (?:more|longer|less)|between|within|based|lowercase|readable|valid|"
        r"backward|accessible|concise|short|kept|\d)|stay|remain|support|run (?:on|in|with)|"
        r"work (?:on|in|with|offline)|fit\b|exceed|contain|comply|conform|include|follow|use|touch|"
        r"return|cost (?:no|less|under)|leave|expose)\b"
        r"|^\W*must(?: not| never)? (?!be (?:nice|fun|great|hard|tough|so|a|an|really)\b)(?:be|"
        r"support|run|work|fit|use|keep|have|include|stay|return|contain|pass|handle)\b",
    ),
    rule(
        "constraint",
        "want|accept|pay|afford|fly|eat|agree|need|refuse|insist|won't|won’t",
        r"\bi(?:['’]m| am)? (?:really |absolutely |definitely |also |still |just )?(?:(?:do not|"
        r"don['’]?t) want (?:to (?:fly|pay|spend|use|be (?:transferred|charged|contacted|called|"
        r"seated)|go (?:over|above|beyond|past)|change|leave|arrive|depart|stop|share|exceed|"
        r"include|lose (?:my|the)|cancel|stay|drive|wait|travel|buy|commit|upgrade|switch|wake|"
        r"take)|any\b|an?\b|the\b|you\b|it\b|my\b|travel|insurance|more than|anything)"
        r"|(?:do not|don['’]?t) need (?:any|travel|insurance|an?\b|the\b)"
        r"|(?:won['’]t|will not|can['’]?t|cannot) (?:accept|pay|afford|fly|eat|agree|take|spend|"
        r"use)\b|refuse to|insist|only (?:want|need|accept)\b)"
        r"|^\W*no,? (?:i )?(?:do not|don['’]t) want\b|\bwant only\b",
    ),
    rule(
        "constraint",
        "prefer|rather|preference",
        r"\bi(?:['’]d| would)? (?:much |really |strongly |generally |usually |definitely |still |"
        r"also |personally |tend to |actually )?(?:rather (?!than)|prefer\b)|"
        r"\bmy preferences? (?:is|are)\b"
        r"|\bpreferably\b",
        asking=True,
    ),
    rule(
        "constraint",
        "no flight|no stop|no layover|no more than|no later|no earlier|nothing |not more|"
        "no longer than|no extra|no travel|no insurance|no additional|no less|no red-eye",
        r"\bno (?:flights?|stops?|layovers?|red-eyes?|more|earlier|later|longer|less|"
        r"fewer) (?:than|before|after|with|that|over|under)\b|\bnothing (?:before|after|over|above|"
        r"under|below|more|later)\b"
        r"|\bnot more than\b|\bno (?:extra|additional|travel|checked) (?:bag|baggage|luggage|"
        r"insurance|cost|charge|fee)s?\b",
    ),
    rule(
        "constraint",
        "budget|willing|up to |at most|at least|open to|exceed|as long as|maximum|limit",
        r"\b(?:my|our|total|maximum|max|the|a|overall) (?:[\w-]+ )?budget (?:is|should|must|can|"
        r"cannot)\b|\bbudget\s*[:：]\s*\S"
        rf"|\b(?:under|within|below) (?:my |our |the |a )?(?:[\w-]+ )?budget of {_CURRENCY}?\d"
        r"|\bi(?:['’]m| am| ['’]m) (?:only )?willing to (?:\w+ ){1,6}?(?:up to|at most|no more|"
        r"only|if)\b"
        r"|\bi(?:['’]m| am) only (?:open|willing|able)\b|\bopen to (?:[\w-]+ ){1,8}as long as\b"
        rf"|\bas long as (?:the |it|they|total|there)[^.?!]{{0,40}}(?:not exceed|n['’]t exceed|"
        rf"under|less|below|cheap|within|{_CURRENCY})"
        rf"|\b(?:should|must|needs? to|please|has to|have to)\b[^.?!]{{0,50}}\b(?:at most|at least|"
        rf"up to|under|within|below|a maximum of|limit(?:ed)? to) {_CURRENCY}?\d"
        rf"|^\W*(?:up to|at most|maximum(?: of)?|max) {_CURRENCY}\d",
        asking=True,
    ),
    rule(
        "constraint",
        "under|below|within|exceed|keep|more than",
        rf"{_START}keep (?:it|them|the|your|each|every|all|everything|answers?|replies|this|that)\b"
        r"(?! (?:[\w-]+ )?(?:up|going|coming|posted)\b| me posted| in touch)"
        rf"|\b(?:not|n['’]t|never) (?:exceed|(?:go|be|cost|spend|pay|get) (?:over|above|"
        rf"more than)) (?:my |the |our )?(?:{_CURRENCY}?\d|budget)"
        rf"|\bi (?:can|could|['’]d) (?:only )?(?:spend|pay|afford) (?:up to|at most|no more)",
    ),
    rule(
        "constraint",
        "deadline|due ",
        r"\b(?:my|our|the|hard|strict|final|submission) (?:[\w-]+ )?deadline (?:is|was moved)\b"
        r"|\bdeadline\s*[:：]\s*\S|\b(?:is|are) due (?:by|on|this|next|tomorrow|today|in \d)",
    ),
    rule(
        "constraint",
        "english|chinese|mandarin|cantonese|french|german|spanish|japanese|korean|italian|russian|"
        "portuguese|arabic|hindi|dutch|polish|turkish|swedish",
        rf"\b(?:answer|reply|respond|write|speak|talk|explain|continue|repl(?:y|ies)|"
        rf"answers?)\b[^.?!]{{0,25}}\b(?:in|into|be) (?:\w+ )?{_LANGUAGE}\b"
        rf"|\b(?:use|switch (?:back )?to|stick (?:to|with)|back to) (?:only |simple |"
        rf"plain )?{_LANGUAGE}\b"
        rf"|^\W*(?:please |only )?(?:in )?{_LANGUAGE}(?: only)?,? please\b|^\W*in {_LANGUAGE}\W*$",
        asking=True,
    ),
    rule(
        "constraint",
        "call me|address me|only|stick|avoid|limit|restrict|refrain|stop |no longer|anymore",
        rf"{_START}(?:call me (?!(?:back|when|if|at|on|later|tomorrow|crazy|in|or|today|tonight|"
        rf"asap)\b)|"
        r"address me as|use only|only use|stick (?:to|with)|avoid|limit|restrict|refrain from|"
        r"stop (?:using|adding|asking|saying|writing|giving|showing|repeating|sending|including|"
        r"apologi[sz]ing|calling|summari[sz]ing|suggesting)|only (?:answer|reply|respond|show|give|"
        r"include|change|touch|edit|list|mention|suggest))\b"
        r"|^(?:can|could) you (?:please )?(?:stop|avoid) \w+ing\b",
        asking=True,
    ),
    rule(
        "constraint",
        "whenever i|every time i|each time i|any time i|anytime i|when i ask|when i say|if i ask",
        r"\b(?:whenever|every time|each time|any ?time) i (?:ask|say|mention|send|request|paste|"
        r"share|write)\b|\b(?:when|if) i (?:ask|say|write|type)\b(?! (?:him|her|them|myself|my)\b)",
    ),
    rule(
        "open",
        "to-do|todo|action item|tbd|tbc|follow-up|followup|follow up:|open question|open issue|"
        "open item|open point",
        r"^[\s\-*•]*(?:to-?do|follow[- ]?up|action items?|open (?:question|issue|item|"
        r"point)s?)\s*[:：]\s*[^\W_]|[-–—,:(]\s*(?:tbd|tbc)\b|\b(?:is|are|still) (?:tbd|tbc)\b"
        r"|\b(?:one|an?|another|two|the) open (?:question|issue|item|point)s?\b[^.?!]{0,20}\b(?:is|"
        r"are|remain)",
    ),
    rule(
        "open",
        "still |pending|awaiting|waiting |unresolved|undecided|decid|settle|agree|confirm|resolve|"
        "finali|approv|heard back|chosen|determined|discussed|clarified|reviewed|not been|n't been",
        r"\b(?:is|are|remains?|still|has|have) (?:yet )?to be (?:decided|determined|confirmed|"
        r"discussed|clarified|agreed|fixed|resolved|reviewed|approved)\b"
        r"|\b(?:is|are|it['’]s|remains?) still (?:open|pending|undecided|unresolved|missing|"
        r"outstanding)\b"
        r"|\b(?:is|are|remains?) (?:unresolved|undecided|pending)\b"
        r"|\b(?:we|i) (?:have ?n['’]t|have not|did ?n['’]t) (?:yet )?(?:decided?|settled?|agreed?|"
        r"confirmed?|resolved?|finali[sz]ed?|chosen|approved?|heard back)\b"
        r"|\b(?:has ?n['’]t|has not|have ?n['’]t|is ?n['’]t|is not|not) (?:yet )?been (?:decided|"
        r"settled|agreed|confirmed|resolved|finali[sz]ed|approved|fixed)\b"
        r"|\b(?:not|n['’]t) (?:decided|settled|confirmed|finali[sz]ed|resolved|approved)(?: yet)?\b"
        r"|\b(?:pending|awaiting) (?:\w+ )?(?:approval|confirmation|review|sign-?off|decision|"
        r"reply)\b"
        r"|\b(?:we|i)(?:['’]re|['’]m| are| am) (?:still )?waiting (?:for|"
        r"on) [^.?!]{2,40}?\b(?:to (?:confirm|approve|reply|answer|decide|sign|review|get back)|"
        r"approval|confirmation|reply|answer|sign-?off|decision|quote|response)\b"
        r"|\b(?<!what )(?<!work )(?<!much )(?:i|we) still (?:need|have) to (?!(?:do|work|go|be|"
        r"keep|say|see|learn)\b)\w+",
    ),
    rule(
        "open",
        "remind me",
        r"(?:^\W*|\bplease |[,;] |\b(?:can|could|would) you (?:please )?)remind me (?:to|that|"
        r"about|on|at|in|when|tomorrow|next|later|every)\b",
        asking=True,
    ),
    rule(
        "commitment",
        "i'll |we'll |i’ll |we’ll |i will |we will |i shall|we shall|i'm going to|we're going to|"
        "you'll |you’ll |you will |i’m going to|we’re going to",
        r"(?<![\"“])(?<!think )(?<!maybe )(?<!guess )(?<!hope )\b(?:i|we)(?:['’]ll| will| shall|"
        r"['’]m going to|"
        rf"['’]re going to)\s+(?:\w+ly |also |then )?(?:{_DELIVERY})\b(?=[^.?!]*{_DEADLINE})"
        rf"|\byou(?:['’]ll| will| shall) (?:have|get|receive) [^.?!]*\b(?:by|before|within) {_DAY}",
    ),
    rule(
        "commitment",
        "i promise|we promise|commit|guarantee|undertake|pledge|my word",
        r"\b(?:i|we) (?:\w+ )?(?:promise|commit|guarantee|undertake|pledge)\b(?: you)?,?(?: to|"
        r" that)?"
        rf"(?: (?:i|we)(?:['’]ll| will))? {_DELIVERY}\b|\byou have my word\b",
    ),
    rule(
        "goal",
        "goal|aim|objective|target|mission|task",
        r"\b(?:my|our|the|main|overall|end|ultimate|primary) (?:[\w-]+ )?(?:goal|aim|objective|"
        r"mission)s? (?:is|are|here is|remains)\b|^\W*(?:goal|aim|objective|task)s?\s*[:：]\W*\w",
    ),
    rule(
        "goal",
        " to ",
        r"^(?!.*\b(?:if|whether|what|how|which|why|where|settings|when|something|anything|\w+ id|"
        r"is that) (?:i|we)(?:['’]d)? (?:\w+ )?(?:want|need|have|like)\b).*?\b(?:i|we)(?:['’]d|"
        r" would)? (?:really |just |also |first )*(?:like|want|need|wish) (?:you |for you |"
        r"someone |your help )?to (?:\w+ )?"
        rf"(?:{_TASK}|adjust|switch|start (?:by|with))\b(?! (?:sure|the most)\b)"
        rf"|^\W*(?:hi|hey|hello)?[^,.]{{0,80}}\band need to (?:{_SERVICE})\b"
        r"|\b(?:i|we)(?:['’]m|['’]re| am| are) (?:looking|hoping|aiming) to (?:\w+ )?"
        rf"(?:{_SERVICE}|build|launch|reduce|finish|make some changes)\b"
        r"|\bneeds? to be (?:fixed|changed|updated|cancell?ed|removed|done by|ready by|"
        r"finished by)\b",
    ),
    rule(
        "goal",
        "you ",
        rf"(?:^|[,.;]\s*)(?:and |so |but )?(?:can|could|would|will) you (?:please |also |just |"
        rf"now )*(?:help me )?(?:{_SERVICE}|add \d|proceed with)\b(?! in\b)",
        asking=True,
    ),
    rule(
        "goal",
        "",
        rf"{_START}(?:help me (?:to )?\w+|(?:{_TASK})\s+{_OBJECT})(?! sure\b)"
        rf"|\bplease (?:go ahead and |proceed to |also |just )?(?:{_SERVICE})\b",
    ),
    rule(
        "decision",
        "decid|agree|settle|opted|conclu|chose|picked|selected|went with|gone with|voted|ruled out|"
        "verdict|decision|choice|go with|stick with|going with",
        r"\b(?:we|i|they|the (?:team|board|group|committee))(?:['’]ve| have| had|"
        r"['’]d)? (?:finally |all |just |already |now |both |unanimously )?(?:decided|agreed (?:on|"
        r"to|that)|settled on|opted|concluded|chose|chosen|picked (?!up|me|him|her)|selected|"
        r"went with|gone with|voted|ruled out)\b"
        r"|\b(?:let['’]s|we['’]ll|i['’]ll|we will|i will|we should) (?:just )?(?:go|stick) with\b"
        r"|\b(?:we|i)['’](?:re|m) going with\b|\b(?:final|the) (?:decision|choice|verdict) (?:is|"
        r"was)\b"
        r"|^\W*(?:decision|conclusion|verdict|resolution)\s*[:：]\W*\w|\bit(?:['’]s| is|"
        r" was) decided\b",
    ),
    rule(
        "decision",
        "root cause|turns out|turned out|the problem |the bug |the issue |the cause |culprit |"
        "the error |the failure |caused by|fixed by|resolved by|solved by",
        r"\broot cause\b[^.?!]{0,40}(?:\b(?:is|was)\b|:)"
        r"|(?:^\W*|\bit )(?:turns|turned) out (?:that|to be|the|it)\b"
        r"|\bthe (?:problem|bug|issue|cause|culprit|error|failure) (?:is|was) (?:that|caused|due|"
        r"in|the)\b"
        r"|\b(?:was|were) (?:caused|fixed|resolved|solved) by\b",
    ),
)
"""The first that fits a sentence decides: "Remind me to cancel it" is an open point."""
