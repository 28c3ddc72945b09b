"""Days of the memory's zone in folds, and guards of what cannot be undone."""

import pytest

from memfold import InvalidInput, InvalidScope, Memory


def test_folds_tell_days_of_the_memorys_zone():
    with Memory(zone="Asia/Shanghai", embedder=None, background=False) as memory:
        chat = memory.user("a").session("s")
        chat.add("user", "昨天把演示搬到了 demo-3。", at="2026-03-02T01:00")
        for number in range(19):
            chat.add("user", f"note {number}", at=f"2026-03-05T02:{number:02}")
        text = chat.folds()[0].text
    assert "2026-03-01" in text
    assert "2026-02-28" not in text
    assert "2026-03-04" not in text


def test_only_true_erases_everything():
    with Memory(embedder=None, background=False) as memory:
        ann = memory.user("ann")
        ann.session("s").add("user", "kept")
        with pytest.raises(InvalidInput):
            ann.erase(everything="no")
        with pytest.raises(InvalidScope):
            memory.erase("ann", tenant="")
        assert ann.stats().messages == 1


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York"])
@pytest.mark.parametrize("at", ["9999-12-31T23:59:59+00:00", "0001-01-01T00:00+00:00"])
def test_the_ends_of_the_calendar_are_out_of_range(zone, at):
    with Memory(zone=zone, embedder=None, background=False) as memory:
        chat = memory.user("a").session("s")
        with pytest.raises(InvalidInput, match="out of range"):
            chat.add("user", "x", at=at)
        assert chat.length == 0
