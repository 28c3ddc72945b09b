import numpy as np
import pytest
from tests.recall.rows import delta, half, index_of, rows, said

from memfold.recall.columns import Columns, Rows
from memfold.recall.index import MemoryIndex
from memfold.rows import VectorRow


def links(index):
    return index.messages["previous"].tolist(), index.messages["next"].tolist()


def test_columns_grow_at_the_end():
    columns = Columns(a=np.int64, b=np.bool_)
    for at in range(200):
        columns.extend(a=[at, -at], b=[True, False])
    assert len(columns) == 400
    assert columns["a"][:4].tolist() == [0, 0, 1, -1]
    columns["a"][0] = 9  # a view
    assert columns["a"][0] == 9
    assert columns["b"].sum() == 200


def test_rows_that_were_not_set_are_zero():
    matrix = Rows(3)
    matrix.grow(2)
    matrix.filled[1] = 5
    matrix.grow(100)
    assert matrix.filled.shape == (102, 3)
    assert matrix.filled.sum() == 15


def test_messages_are_linked_within_their_session():
    index = index_of([said("a"), said("b", session="t"), said("c"), said("d", session="t")])
    assert links(index) == ([-1, -1, 0, 1], [2, 3, -1, -1])


def test_of_two_that_follow_the_line_first_written_stays():
    last: dict[str, int] = {}
    index = MemoryIndex(0)
    index.apply(delta(rows([said("a"), said("b")], last=last)))
    last["fork"] = 2
    index.apply(delta(rows([said("c", session="fork"), said("d")], first=3, last=last)))
    assert links(index) == ([-1, 0, 1, 1], [1, 2, -1, -1])
    index.apply(delta(gone=[3]))
    assert links(index) == ([-1, 0, 1, 1], [1, 3, -1, -1])
    assert index.messages["alive"].tolist() == [True, True, False, True]


def test_what_left_is_known_no_more():
    index = index_of([said("a", name="Ann"), said("b", name="Bob"), said("c", name="Ann")])
    assert index.names == {"Ann", "Bob"}
    index.apply(delta(gone=[2, 99]))
    assert index.names == {"Ann"}
    assert len(index) == 3


def test_a_message_has_a_passage_a_part():
    index = index_of([said("red fox", "blue fox"), said("green")])
    assert index.messages["first"].tolist() == [0, 2]
    assert index.passages["message"].tolist() == [0, 0, 1]
    assert index.messages["length"].tolist() == [4, 1]
    assert index.messages["distinct"].tolist() == [3, 1]


def test_vectors_come_with_their_passage_or_later():
    index = index_of(
        [said("a", vectors=[[1, 0]]), said("b", "c"), said("d", vectors=[[0, 1]])], dimension=2
    )
    assert index.vectors.tolist() == [[1, 0], [0, 0], [0, 0], [0, 1]]
    assert index.without_vector == 2
    assert index.unembedded_span() == (2, 2)
    row = VectorRow(seq=2, part=1, vector=half([0.5, 0.5]))
    index.take([row, row, VectorRow(seq=9, part=0, vector=half([1, 1]))])
    assert index.vectors[2].tolist() == [0.5, 0.5]
    assert index.without_vector == 1
    index.take([VectorRow(seq=2, part=0, vector=half([1, 1]))])
    assert index.unembedded_span() is None


def test_nobody_waits_for_vectors_of_what_is_gone():
    index = index_of([said("a"), said("b"), said("c")], dimension=2)
    index.apply(delta(gone=[1, 3]))
    assert index.without_vector == 1
    assert index.unembedded_span() == (2, 2)
    index.take([VectorRow(seq=1, part=0, vector=half([1, 1]))])
    assert index.without_vector == 1
    index.apply(delta(gone=[2]))
    assert index.unembedded_span() is None


def test_vectors_without_an_embedder_are_not_read():
    index = index_of([said("a", vectors=[[1, 0]])])
    assert index.vectors.shape == (1, 0)


@pytest.mark.parametrize("at", range(1, 5))
def test_bits_make_the_same_index_as_the_whole(at):
    messages = [said("a", name="Ann"), said("b", "c"), said("d", session="t"), said("e")]
    whole = index_of(messages)
    last: dict[str, int] = {}
    bits = MemoryIndex(0)
    bits.apply(delta(rows(messages[:at], last=last)))
    bits.apply(delta(rows(messages[at:], first=at + 1, last=last)))
    for name in ("seq", "at", "session", "role", "speaker", "length", "previous", "next", "first"):
        assert bits.messages[name].tolist() == whole.messages[name].tolist()
