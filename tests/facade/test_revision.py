"""What stood before a change is not searched, folded or shown; what was made of it is redone."""

import pytest
from tests.facade.driving import START, TinyEmbedder, ids, texts

from memfold import FoldConfig, InvalidInput, NotFound

SMALL = FoldConfig(window=2, segment_messages=3, segment_tokens=40, fan_out=2)
WORDS = [
    "amber", "birch", "cobalt", "dune", "ember", "fjord", "garnet", "heron", "iris", "juniper",
    "kelp", "larch",
]  # fmt: skip


def said(word):
    return f"The password of room {word} is {word}-4471. 房间 {word} 的密码是 {word}-4471。"


@pytest.fixture(params=[False, True], ids=["words", "vectors"])
def ann(request, open_memory):
    embedder = TinyEmbedder() if request.param else None
    return open_memory(fold=SMALL, embedder=embedder).user("ann")


@pytest.fixture
def chat(ann):
    chat = ann.session("chat")
    for word in WORDS:
        chat.add("user", said(word), at=START)
    return chat


def folded(chat):
    return "\n".join(fold.text for fold in chat.folds())


def spans(chat):
    return [(fold.level, fold.first, fold.last) for fold in chat.folds()]


def test_folds_stand_for_all_but_the_window(ann, chat):
    assert spans(chat) == [(1, 0, 2), (1, 3, 5), (1, 6, 8), (2, 0, 5)]
    for fold in chat.folds():
        sources = ann.expand(fold.id)
        assert [message.position for message in sources] == list(range(fold.first, fold.last + 1))
        assert {*fold.sources} <= {message.id for message in sources}


def test_expand_gives_the_message_back(ann, chat):
    assert ann.expand("m3") == [ann.get("m3")] == chat.messages(2, 2)
    assert ann.get("m3").raw == {"role": "user", "content": said("cobalt")}


@pytest.mark.parametrize("handle", ["m0", "m99", "f99", "x1", "", "m-1", "m1.5", None, 3, "m" * 99])
def test_what_is_no_handle_is_not_found(ann, chat, handle):
    with pytest.raises(NotFound):
        ann.expand(handle)
    with pytest.raises(NotFound):
        ann.get(handle)


def test_an_edited_message_takes_the_place_of_the_old(ann, chat):
    before = {(fold.level, fold.index): fold for fold in chat.folds()}
    receipt = chat.edit("m2", "The password of room birch is walnut-9902. 密码改成核桃了。")
    assert receipt.items[0].outcome == "edited"
    assert chat.length == len(WORDS)
    assert chat.messages()[1].id == receipt.id
    assert chat.messages()[1].at == START
    assert "birch-4471" not in folded(chat)
    assert "walnut-9902" in folded(chat)
    assert ids(ann.search("walnut-9902", k=1)) == [receipt.id]
    assert "m2" not in ids(ann.search("birch-4471", k=99))
    # Only what it touched was made again.
    after = {(fold.level, fold.index): fold for fold in chat.folds()}
    assert after.keys() == before.keys()
    same = {place for place in after if after[place].id == before[place].id}
    assert same == {(1, 1), (1, 2)}
    assert ann.get("m2").text == said("birch")  # until it is forgotten


def test_an_edit_may_replace_the_whole_message(chat):
    chat.edit("m1", {"role": "assistant", "content": "changed", "name": "Mira"})
    chat.edit("m2", "changed too", name="Ann")
    first, second = chat.messages(0, 1)
    assert first.raw == {"role": "assistant", "content": "changed", "name": "Mira"}
    assert second.raw == {"role": "user", "content": "changed too", "name": "Ann"}


def test_a_cut_takes_the_tail(ann, chat):
    assert chat.cut("m5").count("cut") == 8
    assert texts(chat.messages()) == [said(word) for word in WORDS[:4]]
    assert spans(chat) == [(1, 0, 2)]
    assert {*ids(ann.search("juniper-4471", k=99))} == {"m1", "m2", "m3", "m4"}
    chat.add("user", "Something else.")
    assert [message.position for message in chat.messages()] == [0, 1, 2, 3, 4]
    (hit,) = ann.search("Something else", k=1)
    assert hit.before == ("m3", "m4")
    assert texts(ann.expand("m10")) == [said("juniper")]


def test_a_fork_shares_the_past_and_goes_its_own_way(ann, chat):
    fork = chat.fork("fork", before="m4")
    assert (fork.id, fork.length) == ("fork", 3)
    fork.add("user", "On the fork it is raining.")
    chat.edit("m1", "Changed where it was forked from.")
    assert texts(fork.messages()) == [*map(said, WORDS[:3]), "On the fork it is raining."]
    assert chat.messages()[0].text == "Changed where it was forked from."
    assert ann.sessions()[1].parent == "chat"
    assert ids(ann.search("raining", k=1)) == ["m13"]
    for word in WORDS[3:9]:
        fork.add("user", said(f"{word}2"))
    assert [(level, first) for level, first, _ in spans(fork)] == [(1, 0), (1, 3), (2, 0)]
    assert "dune2" in folded(fork)
    assert "dune2" not in folded(chat)
    with pytest.raises(InvalidInput):
        chat.fork("fork")
    with pytest.raises(NotFound):
        ann.session("none").fork()
    assert ann.session("chat").fork().length == len(WORDS)


def test_a_fork_is_searched_with_what_it_shares(ann, chat):
    chat.fork("fork", before="m3")
    found = ids(ann.search("room", k=99, sessions=["fork"]))
    assert sorted(found) == ["m1", "m2"]
    assert len(ann.search("room", k=99, sessions=["chat"])) == len(WORDS)


def test_a_forked_past_is_shown_once(ann, chat):
    fork = chat.fork("fork")
    context = fork.context("What is the password of room amber?", max_tokens=4000)
    assert context.text.count("amber-4471") == 2  # the message says it in both languages


def test_forgotten_messages_are_nowhere(ann, chat):
    fork = chat.fork("fork")
    receipt = ann.forget(["m2", "m2", "m99"])
    assert [item.outcome for item in receipt.items] == ["forgotten", "forgotten", "unknown"]
    for session in (chat, fork):
        assert session.length == len(WORDS) - 1
        assert "birch" not in folded(session)
        assert "birch" not in session.context("Which room is birch?", max_tokens=4000).text.replace(
            "Which room is birch?", ""
        )
        assert spans(session) == [(1, 0, 2), (1, 3, 5), (1, 6, 8), (2, 0, 5)]
    assert "m2" not in ids(ann.search("birch", k=99))
    with pytest.raises(NotFound):
        ann.get("m2")


def test_forgetting_takes_what_an_edit_replaced(ann, chat):
    new = chat.edit("m2", "nothing to see").id
    ann.forget([new])
    for id_ in ("m2", new):
        with pytest.raises(NotFound):
            ann.get(id_)


def test_a_session_can_be_forgotten_whole_and_begun_again(ann, chat):
    ann.forget([message.id for message in chat.messages()])
    assert chat.length == 0
    assert ann.search("password") == []
    assert chat.context("hello", max_tokens=100).messages == [{"role": "user", "content": "hello"}]
    chat.add("user", "A new beginning.")
    assert ids(ann.search("beginning")) == ["m13"]
    assert texts(chat.messages()) == ["A new beginning."]


def test_erasing_a_session_leaves_the_others(ann, chat):
    ann.session("other").add("user", "The password of room other is elm.")
    assert chat.erase().count("erased") == len(WORDS)
    assert [info.id for info in ann.sessions()] == ["other"]
    assert ids(ann.search("password")) == ["m13"]
    assert chat.folds() == []


def test_erasing_a_fork_takes_the_shared_past_and_folds_again(ann, chat):
    chat.fork("fork", before="m3").erase()
    assert chat.length == len(WORDS) - 2
    assert spans(chat) == [(1, 0, 2), (1, 3, 5), (1, 6, 8), (2, 0, 5)]
    assert "amber" not in folded(chat)
    assert "cobalt" in folded(chat)


def test_erasing_everything_needs_to_be_said(ann, chat):
    with pytest.raises(InvalidInput):
        ann.erase(everything=False)
    assert chat.length
    assert ann.erase(everything=True).count("erased") == len(WORDS)
    assert (ann.sessions(), ann.search("password"), chat.folds()) == ([], [], [])
    assert ann.stats().messages == ann.stats().folds == ann.stats().passages == 0
    assert chat.add("user", "hello again").id == "m13"  # an old id never names a new thing


def test_changes_to_what_is_not_there(ann, chat):
    for change in [lambda: chat.edit("m99", "x"), lambda: chat.cut("m99"), lambda: chat.cut("f1")]:
        with pytest.raises(NotFound):
            change()
    chat.cut("m12")
    with pytest.raises(NotFound):
        chat.edit("m12", "x")
    with pytest.raises(InvalidInput):
        ann.forget("m1")
    with pytest.raises(NotFound):
        ann.forget(["x"])
    with pytest.raises(NotFound):
        ann.forget([None])
