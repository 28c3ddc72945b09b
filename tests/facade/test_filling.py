"""A context uses the room it is given, whatever the length of what was said."""

from datetime import timedelta

import pytest
from tests.facade.driving import START

from memfold import Memory

CITIES = {
    "zh": ["北京", "上海", "青岛", "苏州", "广州", "成都", "西安", "杭州", "南京", "武汉"],
    "en": ["Rome", "Oslo", "Lima", "Kyiv", "Bern", "Riga", "Doha", "Cairo", "Seoul", "Paris"],
}
REMARKS = {
    "zh": ("第{n}届论坛在{city}。", "今天吃了{n}碗面。", "第3届论坛在哪里？"),
    "en": ("Forum {n} is in {city}.", "Ate {n} eggs today.", "Where is forum 3?"),
}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_short_lines_fill_a_tight_budget(tmp_path, language):
    about, besides, question = REMARKS[language]
    with Memory(tmp_path / "m.db") as memory:
        ann = memory.user("ann")
        texts = [
            text.format(n=n, city=CITIES[language][n % 10])
            for n in range(60)
            for text in (about, besides)
        ]
        ann.session("old").extend([{"role": "user", "content": text} for text in texts], at=START)
        new = ann.session("new")
        context = new.context(question, max_tokens=500, now=START + timedelta(days=3))
    assert context.tokens > 450
