"""The ladder climbed without a server: answers are sent to the generator one by one."""

from dataclasses import replace

from tests.fold.conversations import (
    CHINESE,
    COUNTER,
    ENGLISH,
    EXTRACTOR,
    START,
    above,
    segment,
    talk,
)

from memfold.errors import LLMError
from memfold.fold.asking import Answer, Rules
from memfold.fold.config import FoldConfig
from memfold.fold.ladder import climb
from memfold.fold.source import of_folds, of_messages
from memfold.types import Completion, Usage

TALKS = {"en": ENGLISH, "zh": CHINESE}

# All that matters is in them, in fewer than 200 tokens.
GOOD = {
    "en": "The user moves the archive to vault-07 (96 GB of memory, NVMe disk of 4 TB) and wants no"
    " migration in office hours: the window is 22:00 to 02:00, the migration starts at 22:30."
    " Miriam Adler (miriam@archive.example) takes care of the backups. The invoice RE-2024-0117"
    " over €1,250 came from Halden Ltd on 2024-03-03; the budget stands at €8,400. The ticket is"
    " OPS-4411, and PostgreSQL keeps its index in memory.",
    "zh": "用户下周要把档案库搬到杭州机房三号楼的 vault-07，内存 96 GB，硬盘 4 TB，PostgreSQL 的"
    "索引全部放进内存。不要在上班时间迁移，只能在 22:00 到 02:00 之间，安排在 22:30。"
    "备份由林晓燕负责，邮箱 xiaoyan@archive.example，电话 0571-88886666。2024-03-03 收到"
    "华信公司的发票 RE-2024-0117，金额 1250 元，预算一共 8400 元。工单号是 OPS-4411。",
}
# True, and nearly nothing of it.
THIN = {"en": "They talked about a move of the archive.", "zh": "他们谈了搬迁档案库的事。"}
CONFIG = FoldConfig()


def situation(spoken, *, config=CONFIG, level=1):
    """A fold that awaits a model, and its source."""
    messages = talk(TALKS[spoken])
    if level == 1:
        base, source = segment(messages, config), of_messages(messages, COUNTER)
    else:
        halves = [segment(messages[:6], config, index=0), segment(messages[6:], config, index=1)]
        base, source = above(halves, config), of_folds(halves, COUNTER)
    return replace(base, retry_at=START), source


def rules(*, config=CONFIG, similarity=None, window=8192, strong_window=None):
    return Rules(
        config=config,
        counter=COUNTER,
        extractor=EXTRACTOR,
        similarity=similarity,
        window=window,
        strong_window=strong_window,
    )


def climbed(spoken, answers, *, level=1, base_and_source=None, **options):
    """The fold that comes of the answers (one a question, or a function), and what was asked."""
    base, source = base_and_source or situation(
        spoken, config=options.get("config", CONFIG), level=level
    )
    ladder = climb(base, source, rules(**options))
    left = [] if callable(answers) else [*answers]
    asked = []
    try:
        question = next(ladder)
        while True:
            asked.append(question)
            given = answers(question) if callable(answers) else left.pop(0)
            question = ladder.send(answer(given, strong=question.strong))
    except StopIteration as done:
        return done.value, asked


def answer(given, *, strong=False):
    failed = isinstance(given, LLMError)
    result = given if failed else completion(given)
    return Answer(
        model="strong" if strong else "usual",
        result=result,
        usage=Usage(calls=1, failures=int(failed), prompt_tokens=10, completion_tokens=5),
    )


def completion(given):
    if isinstance(given, Completion):
        return given
    return Completion(text=given, prompt_tokens=10, completion_tokens=5, seconds=0.0, finish="stop")


def finished(text, finish):
    return replace(completion(text), finish=finish)


def outcomes(fold):
    return [(attempt.rung, attempt.outcome) for attempt in fold.attempts]
