from hypothesis import given
from hypothesis import strategies as st

from memfold.fold.config import FoldConfig
from memfold.fold.plan import FoldJob, Shape, due, segments

TERMS = st.frozensets(st.sampled_from("pqrstuv"), max_size=4)
CALL_IDS = st.lists(st.sampled_from("abcdef"), max_size=3).map(tuple)
SHAPES = st.lists(
    st.builds(Shape, opens=CALL_IDS, answers=CALL_IDS)
    | st.builds(Shape, terms=TERMS, tokens=st.integers(0, 2_000))
    | st.just(Shape()),
    max_size=120,
)
ENDS = st.sets(st.integers(1, 120), max_size=3)
CONFIGS = st.builds(
    FoldConfig,
    window=st.integers(0, 12),
    segment_messages=st.integers(1, 12),
    fan_out=st.integers(2, 5),
)
TALK = Shape()


def small(**options):
    return FoldConfig(**{"window": 2, "segment_messages": 3, "fan_out": 2, **options})


def test_plain_talk_is_cut_into_equal_segments_before_the_window():
    assert segments([TALK] * 25, FoldConfig()) == [(0, 9)]
    assert segments([TALK] * 29, FoldConfig()) == [(0, 9)]
    assert segments([TALK] * 30, FoldConfig()) == [(0, 9), (10, 19)]
    assert segments([], FoldConfig()) == []


def test_a_segment_waits_for_the_answer_to_its_calls():
    shapes = [TALK, TALK, Shape(opens=("a", "b")), Shape(answers=("a",)), Shape(answers=("b",))]
    assert segments([*shapes, *[TALK] * 5], small()) == [(0, 4), (5, 7)]


def test_a_result_never_begins_a_segment():
    shapes = [TALK, TALK, TALK, Shape(answers=("nobody asked",)), *[TALK] * 2]
    assert segments(shapes, small()) == [(0, 3)]


def test_a_call_without_an_answer_does_not_stop_folding():
    shapes = [Shape(opens=("lost",)), *[TALK] * 20]
    assert segments(shapes, small()) == [(0, 11), (12, 14), (15, 17)]


def test_without_a_window_the_last_message_waits_for_the_next():
    config = small(window=0)
    assert segments([TALK] * 3, config) == []
    assert segments([TALK] * 4, config) == [(0, 2)]


def words(text):
    return Shape(terms=frozenset(text.split()))


def test_a_segment_ends_where_the_topic_does():
    trains = [words("train ticket station")] * 8
    cakes = [words("flour sugar oven")] * 30
    assert segments([*trains, *cakes], FoldConfig())[:2] == [(0, 7), (8, 17)]
    trains = [words("train ticket station")] * 12
    assert segments([*trains, *cakes], FoldConfig())[0] == (0, 11)


def test_a_segment_ends_before_a_long_pause():
    hour = 3_600_000_000
    shapes = [Shape(at=at * hour if at < 6 else (at + 9) * hour) for at in range(40)]
    assert segments(shapes, FoldConfig())[:2] == [(0, 5), (6, 15)]
    early = [Shape(at=at * hour if at < 3 else (at + 9) * hour) for at in range(40)]
    assert segments(early, FoldConfig())[0] == (0, 9)


def test_a_segment_ends_when_it_has_tokens_enough():
    shapes = [Shape(tokens=1_500)] * 30
    assert segments(shapes, FoldConfig())[:2] == [(0, 2), (3, 5)]
    assert segments(shapes, FoldConfig(segment_source_tokens=10_000))[0] == (0, 6)


def test_all_is_folded_where_a_session_ends():
    assert segments([TALK] * 13, FoldConfig(), ends=[13]) == [(0, 9), (10, 12)]
    assert segments([TALK] * 13, FoldConfig(), ends=[4, 13]) == [(0, 3), (4, 12)]
    assert segments([TALK] * 20, FoldConfig(), ends=[13]) == [(0, 9), (10, 12)]
    assert segments([TALK] * 9, FoldConfig(), start=4, ends=[4, 13]) == [(4, 12)]


def test_due_makes_children_before_parents_and_nothing_twice():
    spans = [(0, 2), (3, 5), (6, 8), (9, 11), (12, 14)]
    jobs = due(spans, {}, small())
    assert [(job.level, job.index) for job in jobs] == [
        (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0), (2, 1), (3, 0),
    ]  # fmt: skip
    assert jobs[-1] == FoldJob(level=3, index=0, first=0, last=11, children=(0, 1))
    existing = {(job.level, job.index): (job.first, job.last) for job in jobs}
    assert due(spans, existing, small()) == []


def test_a_changed_span_is_folded_anew_with_all_above_it():
    spans = [(0, 2), (3, 5), (6, 8), (9, 11)]
    jobs = due(spans, {}, small())
    existing = {(job.level, job.index): (job.first, job.last) for job in jobs}
    existing[(1, 2)] = (6, 7)
    redone = [(job.level, job.index) for job in due(spans, existing, small())]
    assert redone == [(1, 2), (2, 1), (3, 0)]


@given(SHAPES, CONFIGS, st.integers(0, 120), ENDS)
def test_later_messages_and_ends_move_no_border(shapes, config, length, ends):
    # A session can be said to end where it stands, not beyond.
    ends = {end for end in ends if end <= len(shapes)}
    known = {end for end in ends if end <= length}
    before = segments(shapes[:length], config, ends=known)
    assert segments(shapes, config, ends=ends)[: len(before)] == before


@given(SHAPES, CONFIGS)
def test_segments_follow_without_a_gap_and_leave_the_window_alone(shapes, config):
    spans = segments(shapes, config)
    end = 0
    for first, last in spans:
        assert first == end
        length = last - first + 1
        assert 1 <= length <= 4 * config.segment_messages
        if sum(shape.tokens for shape in shapes[first : last + 1]) < 4_000:
            assert length >= 0.8 * config.segment_messages
        end = last + 1
    assert not spans or end <= len(shapes) - config.window
    # What decides on a border may lie up to three messages behind it.
    assert len(shapes) - config.window - end <= 4 * config.segment_messages + 3


@given(SHAPES, CONFIGS, st.data())
def test_planning_can_go_on_from_any_border(shapes, config, data):
    spans = segments(shapes, config)
    known = data.draw(st.integers(0, len(spans)))
    start = spans[known - 1][1] + 1 if known else 0
    assert segments(shapes[start:], config, start=start) == spans[known:]


@given(SHAPES, CONFIGS)
def test_doing_what_is_due_step_by_step_gives_the_same_folds(shapes, config):
    existing: dict[tuple[int, int], tuple[int, int]] = {}
    for length in range(len(shapes) + 1):
        for job in due(segments(shapes[:length], config), existing, config):
            assert (job.level, job.index) not in existing
            assert all((job.level - 1, child) in existing for child in job.children)
            existing[job.level, job.index] = (job.first, job.last)
    jobs = due(segments(shapes, config), {}, config)
    assert {(job.level, job.index): (job.first, job.last) for job in jobs} == existing
