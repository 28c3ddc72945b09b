"""Words that say nothing about what a question is after, in English and Chinese."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# With the apostrophe left out, as terms are.
ENGLISH: Final = _words(
    """
    a about after again all also am an and any anybody anyone anything are aren arent as ask at
    be because been before being between both but by can cannot cant could couldnt did didnt do
    does doesnt doing done dont during each either else ever every for from had hadnt has hasnt
    have havent having he hed her here hers herself hes him himself his how hows i id if ill im
    in into is isnt it its itself ive just lets many me mention mentioned more most much my
    myself no nor not of off on once one only or other our ours ourselves out over own please
    quite really said same say says she shed should shouldnt so some somebody someone something
    still such tell than that thats the their theirs them themselves then there theres these
    they theyd theyll theyre theyve this those though through to told too under until up upon us
    very was wasnt we wed well were werent weve what whatever whats when whenever where wheres
    whether which while who whom whos whose why will with within without wont would wouldnt yes
    yet you youd youll your youre yours yourself yourselves youve
    """
)

# Simplified. Longer ones first at use, so that 什么时候 goes before 什么.
CHINESE_WORDS: Final = _words(
    """
    什么时候 为什么 怎么样 怎么办 怎么回事 是不是 有没有 能不能 会不会 要不要 可不可以 哪一个 哪一天
    什么 怎么 怎样 如何 哪里 哪儿 哪个 哪些 哪天 哪位 多少 几个 何时 何地 谁的 为何 是否 请问
    我们 你们 他们 她们 它们 咱们 自己 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 这边 那边
    可以 告诉 记得 知道 之前 以前 曾经 因为 所以 但是 不过 而且 或者 还是 如果 虽然 然后 就是 不是
    没有 一下 一个 一些 有些 关于 来着 时候 提到 提过 说过 说的 已经 还有 以及
    """
)
CHINESE_CHARACTERS: Final = frozenset(
    "的了着过吗呢吧啊呀哦嘛么啦哪谁什怎是在有和与及或也都就还又而但被把给对从向于之其所以"
    "我你您他她它们咱这那此该这些个很太最更再才只会能要想让叫请问说不没为因如若则"
)
