import pytest

from memfold.errors import InvalidInput
from memfold.fold.config import FoldConfig


def test_defaults_are_those_of_the_design():
    config = FoldConfig()
    assert (config.window, config.segment_messages, config.fan_out) == (10, 10, 5)
    assert [config.limit(level) for level in (1, 2, 3, 9)] == [200, 100, 100, 100]
    assert (config.headline_tokens, config.entity_target) == (40, 0.85)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("window", -1),
        ("segment_messages", 0),
        ("segment_tokens", 3),
        ("fan_out", 1),
        ("chapter_tokens", 0),
        ("headline_tokens", 0),
        ("fan_out", 2.5),
        ("window", True),
        ("entity_target", 1.01),
        ("entity_target", -0.1),
        ("entity_target", float("nan")),
        ("entity_target", "0.9"),
    ],
)
def test_a_value_that_cannot_work_is_refused_by_name(option, value):
    with pytest.raises(InvalidInput, match=option):
        FoldConfig(**{option: value})
