from dataclasses import dataclass
from math import log

from hypothesis import given
from hypothesis import strategies as st

from memfold.fold.config import FoldConfig
from memfold.fold.outline import outline
from memfold.fold.plan import Shape, due, segments


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What a caller may pass in place of whole folds."""

    level: int
    index: int
    first: int
    last: int
    tokens: int
    headline_tokens: int


CONFIG = FoldConfig()


def rows(messages, *, sizes=None, config=CONFIG):
    jobs = due(segments([Shape()] * messages, config), {}, config)
    return [
        Row(
            level=job.level,
            index=job.index,
            first=job.first,
            last=job.last,
            tokens=sizes(job)[0] if sizes else config.limit(job.level),
            headline_tokens=sizes(job)[1] if sizes else config.headline_tokens,
        )
        for job in jobs
    ]


def shown(pieces):
    return [(piece.fold.level, piece.fold.index, piece.form) for piece in pieces]


def test_nothing_folded_gives_no_outline():
    assert outline([], 0, 1000, CONFIG) == []
    assert outline([], 50, 1000, CONFIG) == []


def test_the_coarsest_cover_is_headlines():
    assert shown(outline(rows(130), 120, 4 * 40, CONFIG)) == [
        (2, 0, "headline"),
        (2, 1, "headline"),
        (1, 10, "headline"),
        (1, 11, "headline"),
    ]


def test_a_chapter_opens_before_a_segment_as_it_says_more_per_token():
    assert shown(outline(rows(130), 120, 4 * 40 + 60, CONFIG))[1] == (2, 1, "text")


def test_of_equals_the_recent_past_gets_fine_first():
    room = 4 * 40 + 2 * 60 + 160
    assert shown(outline(rows(130), 120, room, CONFIG)) == [
        (2, 0, "text"),
        (2, 1, "text"),
        (1, 10, "headline"),
        (1, 11, "text"),
    ]


def test_enough_room_shows_every_segment_whole():
    pieces = outline(rows(130), 120, 12 * 200, CONFIG)
    assert shown(pieces) == [(1, index, "text") for index in range(12)]


def test_too_little_room_keeps_the_newest():
    assert shown(outline(rows(130), 120, 100, CONFIG)) == [(1, 10, "headline"), (1, 11, "headline")]
    assert outline(rows(130), 120, 0, CONFIG) == []
    assert outline(rows(130), 120, -5, CONFIG) == []


def test_overhead_counts_for_each_piece():
    pieces = outline(rows(130), 120, 4 * 50, CONFIG, overhead=10)
    assert [piece.tokens for piece in pieces] == [50] * 4
    assert shown(outline(rows(130), 120, 4 * 50 - 1, CONFIG, overhead=10))[0] == (2, 1, "headline")


def test_a_short_text_needs_no_headline():
    pieces = outline(rows(30, sizes=lambda job: (12, 15)), 20, 24, CONFIG)
    assert shown(pieces) == [(1, 0, "text"), (1, 1, "text")]


def test_folds_that_reach_into_the_window_give_way_to_their_children():
    folds = rows(130)
    pieces = outline(folds, 95, 10_000, CONFIG)
    assert [piece.fold.last for piece in pieces][-1] == 89
    assert shown(outline(folds, 95, 5 * 40, CONFIG))[:2] == [(2, 0, "headline"), (1, 5, "headline")]


def test_with_a_child_missing_the_parent_speaks_for_it():
    folds = [row for row in rows(60) if (row.level, row.index) != (1, 3)]
    assert shown(outline(folds, 50, 10_000, CONFIG)) == [(2, 0, "text")]


def test_a_missing_parent_is_made_up_for_by_its_children():
    folds = [row for row in rows(60) if row.level == 1]
    assert len(outline(folds, 50, 5 * 40, CONFIG)) == 5


def test_the_number_of_pieces_grows_with_the_logarithm():
    for messages in (200, 2_000, 20_000):
        count = len(outline(rows(messages + 10), messages, 40 * 100, FoldConfig()))
        coarsest = outline(rows(messages + 10), messages, 40 * 30, FoldConfig())
        assert sum(piece.tokens for piece in coarsest) <= 40 * 30
        assert coarsest[0].fold.first == 0
        assert len(coarsest) <= 4 * (log(messages / 10, 5) + 1) + 20
        assert count <= 100


SIZES = st.tuples(st.integers(0, 200), st.integers(0, 40))


@given(
    messages=st.integers(0, 400),
    window=st.integers(0, 30),
    budget=st.integers(0, 3000),
    overhead=st.integers(0, 12),
    data=st.data(),
)
def test_the_cover_is_exact_within_budget_and_without_overlap(
    messages, window, budget, overhead, data
):
    drawn = data.draw(st.lists(SIZES, min_size=7, max_size=7))
    config = FoldConfig(window=window)
    folds = rows(messages, sizes=lambda job: drawn[(job.level + job.index) % 7], config=config)
    before = max(messages - window, 0)
    pieces = outline(folds, before, budget, config, overhead=overhead)
    assert sum(piece.tokens for piece in pieces) <= budget
    for piece in pieces:
        size = piece.fold.tokens if piece.form == "text" else piece.fold.headline_tokens
        assert piece.tokens == size + overhead
    covered = [at for piece in pieces for at in range(piece.fold.first, piece.fold.last + 1)]
    folded = max((fold.last for fold in folds if fold.level == 1), default=-1) + 1
    start = covered[0] if covered else folded
    assert covered == list(range(start, folded))
    if budget >= 30 * (40 + overhead) and covered:
        assert start == 0
