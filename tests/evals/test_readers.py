"""Published files become the same values, whatever their quirks."""

import hashlib
import json
import lzma
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evals import published

from memfold.errors import InvalidInput
from memfold.evals.readers import detect, load
from memfold.evals.readers.messages import turn_times


def the_case(dataset):
    (case,) = dataset.cases
    return case


@pytest.mark.parametrize("suffix", [".json", ".json.xz"])
def test_locomo(tmp_path, suffix):
    path = published.write(tmp_path / f"talks{suffix}", published.locomo())

    dataset = load("locomo", path)

    assert dataset.files == {path.name: hashlib.sha256(path.read_bytes()).hexdigest()}
    assert dataset.skipped == {"no evidence": 1, "category 5 adversarial": 1}
    assert dataset.dropped_evidence == 2
    case = the_case(dataset)
    assert [session.id for session in case.sessions] == ["session-1", "session-2"]
    assert [item.id for item in case.items] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]
    assert [(q.category, q.evidence) for q in case.questions] == [
        ("4 single-hop", ("D1:1",)),
        ("2 temporal", ("D2:1",)),
        ("1 multi-hop", ("D1:3", "D2:2")),
    ]


def test_locomo_messages_have_speakers_times_and_captions(tmp_path):
    case = the_case(load("locomo", published.write(tmp_path / "a.json", published.locomo())))

    first, *_, last = case.items
    assert first.at == datetime(2023, 5, 8, 23, 59, tzinfo=UTC)
    assert case.sessions[1].items[0].at == datetime(2023, 6, 9, 0, 5, tzinfo=UTC)
    assert last.message == {
        "role": "user",
        "name": "Ines",
        "content": "Look at my new kiln! [shares a photo: a photo of a kiln in a garden]",
    }
    assert last.text == last.message["content"]
    assert case.items[1].role == "assistant"
    assert {question.asked_at - last.at for question in case.questions} == {timedelta(days=1)}


def test_longmemeval(tmp_path):
    path = published.write(tmp_path / "questions.json", published.longmemeval())

    dataset = load("longmemeval", path)

    assert dataset.skipped == {"abstention (_abs)": 1}
    case = dataset.cases[0]
    assert [session.id for session in case.sessions] == ["earlier", "noise", "later", "noise#2"]
    (question,) = case.questions
    assert question.evidence == ("earlier:0", "later:0")
    assert question.answer_sessions == ("later", "earlier")
    assert question.answer == "7"
    assert question.asked_at == datetime(2023, 5, 30, 21, 35, tzinfo=UTC)
    assert case.items[0].message == {"role": "user", "content": "I bought 5 bonsai."}
    assert [item.at.second for item in case.sessions[1].items] == [0, 5]
    # An import wants the conversation, whether or not its question is scored.
    assert dataset.cases[1].items[0].text == "I have a dog."


def test_beam(tmp_path):
    dataset = load("beam", published.beam(tmp_path))

    assert [case.id for case in dataset.cases] == ["9", "11"]
    assert sorted(dataset.files) == [
        f"{name}/{file}" for name in ("11", "9") for file in ("chat.json", "probing_questions.json")
    ]
    assert dataset.skipped == {"no evidence": 4}
    assert dataset.dropped_evidence == 2
    case = dataset.cases[0]
    assert [item.id for item in case.items] == ["0", "1", "2", "3"]
    assert [str(s.items[0].at.date()) for s in case.sessions] == ["2024-03-15", "2024-03-16"]
    assert {q.category: q.evidence for q in case.questions} == {
        "information_extraction": ("2",),
        "knowledge_update": ("0", "3"),
        "event_ordering": ("0", "2"),
    }


def test_beam_of_one_chat_and_of_compressed_files(tmp_path):
    folder = published.beam(tmp_path) / "9"
    for name in ("chat.json", "probing_questions.json"):
        plain = folder / name
        published.write(folder / f"{name}.xz", json.loads(plain.read_text("utf-8")))
        plain.unlink()

    case = the_case(load("beam", folder))

    assert case.id == "9"
    assert len(case.questions) == 3


def test_memdaily_pools_fifty_streams_across_files(tmp_path):
    dataset = load("memdaily", published.memdaily(tmp_path, streams=30))

    assert [len(case.sessions) for case in dataset.cases] == [50, 10]
    first = dataset.cases[0]
    assert first.sessions[29].id == "01_simple_items:29"
    assert first.sessions[30].id == "03_comparative_roles:0"
    question = first.questions[30]
    assert question.category == "03_comparative"
    assert question.evidence == ("03_comparative_roles:0:0", "03_comparative_roles:0:1")
    item = first.items[0]
    assert item.message == {"role": "user", "content": "我的第0只猫叫阿0。"}
    assert item.metadata == {"place": "四川成都"}
    assert item.at == datetime(2024, 4, 1, 8, 30, tzinfo=UTC)
    # Not before the end of the other streams of the pool, whatever time is published.
    assert question.asked_at == datetime(2024, 4, 4, 7, 42, tzinfo=UTC)


def test_memdaily_of_one_file(tmp_path):
    path = published.memdaily(tmp_path, streams=3) / "01_simple_items.json"

    assert load("memdaily", path).questions == 3


def test_limit_keeps_the_first_questions_and_the_cases_they_need(tmp_path):
    dataset = load("memdaily", published.memdaily(tmp_path, streams=30), limit=51)

    assert dataset.questions == 51
    assert [len(case.questions) for case in dataset.cases] == [50, 1]
    assert len(dataset.cases[1].sessions) == 10
    assert dataset.skipped == {"beyond the limit": 9}
    assert len(dataset.limited(50).cases) == 1


@pytest.mark.parametrize("limit", [0, -3])
def test_limit_must_be_positive(tmp_path, limit):
    with pytest.raises(InvalidInput, match="at least one"):
        load("memdaily", published.memdaily(tmp_path), limit=limit)


def test_detect(tmp_path):
    assert detect(published.write(tmp_path / "a.json", published.locomo())) == "locomo"
    assert detect(published.write(tmp_path / "b.json", published.longmemeval())) == "longmemeval"
    assert detect(published.write(tmp_path / "c.json", [{"role": "user"}])) is None
    assert detect(published.write(tmp_path / "d.json", [])) is None


def test_times_stay_within_the_day():
    began = datetime(2023, 5, 8, 23, 59, 57, tzinfo=UTC)

    times = turn_times(began, 3)

    assert times[0] == began
    assert times == sorted(times)
    assert {time.date() for time in times} == {began.date()}


def break_locomo(change):
    value = published.locomo()
    change(value[0])
    return value


def break_longmemeval(change):
    value = published.longmemeval()
    change(value[0])
    return value


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("locomo", [], "no conversation"),
        ("locomo", {}, "no 'conversation'"),
        ("locomo", [3], r"\[0\]: an object was expected, not 3"),
        ("locomo", published.longmemeval(), r"\[0\]: no 'conversation'"),
        (
            "locomo",
            break_locomo(lambda c: c["conversation"].pop("session_1_date_time")),
            r"conversation: no 'session_1_date_time'",
        ),
        (
            "locomo",
            break_locomo(lambda c: c["conversation"].update(session_1_date_time="in spring")),
            r"session_1_date_time: not a time like",
        ),
        (
            "locomo",
            break_locomo(
                lambda c: c["conversation"].update(session_1_date_time="1:00 pm on 31 June, 2023")
            ),
            "day is out of range",
        ),
        (
            "locomo",
            break_locomo(lambda c: c["conversation"]["session_2"][0].pop("text")),
            r"session_2\[0\]: neither 'text' nor",
        ),
        (
            "locomo",
            break_locomo(lambda c: c["qa"][1].pop("question")),
            r"\[0\].qa\[1\]: no 'question'",
        ),
        ("longmemeval", "text", "a list|object"),
        ("longmemeval", published.locomo(), r"\[0\]: no 'question_id'"),
        (
            "longmemeval",
            break_longmemeval(lambda q: q["haystack_dates"].pop()),
            "3 elements for 4 sessions",
        ),
        (
            "longmemeval",
            break_longmemeval(lambda q: q["haystack_sessions"][0][0].update(role="narrator")),
            r"haystack_sessions\[0\]\[0\]: the role is 'narrator'",
        ),
        (
            "longmemeval",
            break_longmemeval(lambda q: q["haystack_sessions"][0][0].update(content=None)),
            "no 'content'",
        ),
        (
            "longmemeval",
            break_longmemeval(lambda q: q.update(haystack_sessions=[[]])),
            "without messages",
        ),
        ("memdaily", [{"tid": 1}], r"\[0\]: no 'message_list'"),
        ("memdaily", [{"message_list": []}], "without messages"),
        ("memdaily", {"a": 1}, "a list was expected, not an object"),
        (
            "memdaily",
            [{"message_list": [{"message": "嗯", "time": "昨天"}], "question_list": []}],
            r"message_list\[0\].time: not a time like",
        ),
    ],
)
def test_what_is_not_the_format_is_refused_with_its_place(tmp_path, name, value, said):
    path = published.write(tmp_path / "file.json", value)

    with pytest.raises(InvalidInput, match=said) as caught:
        load(name, path)
    assert str(caught.value).startswith("file.json")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not JSON.*line 1, column 1"),
        (b'[{"a": 1},\n {"b" 2}]', "not JSON.*line 2, column 7"),
        ("[\"Grüße\"]".encode("latin-1"), "not UTF-8 at byte 4"),
        (lzma.compress(b"[1, 2]")[:20], "not a whole .xz file"),
        (b"\xfd7zXZ\x00nonsense", "not a whole .xz file"),
        (b"[" * 200_000, "nested too deeply|not JSON"),
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused(tmp_path, data, said):
    path = tmp_path / "file.json"
    path.write_bytes(data)

    with pytest.raises(InvalidInput, match=said):
        load("locomo", path)


def test_a_byte_order_mark_is_no_obstacle(tmp_path):
    path = tmp_path / "file.json"
    path.write_text(json.dumps(published.locomo()), encoding="utf-8-sig")

    assert load("locomo", path).questions == 3


@pytest.mark.parametrize("name", ["locomo", "longmemeval", "beam", "memdaily"])
def test_a_path_that_is_not_there_is_refused(tmp_path, name):
    with pytest.raises(InvalidInput):
        load(name, tmp_path / "absent")


@pytest.mark.parametrize("name", ["locomo", "longmemeval", "beam", "memdaily"])
def test_an_empty_folder_is_refused(tmp_path, name):
    with pytest.raises(InvalidInput):
        load(name, tmp_path)


def test_beam_needs_both_files(tmp_path):
    folder = published.beam(tmp_path) / "9"
    (folder / "probing_questions.json").unlink()

    with pytest.raises(InvalidInput, match=r"no probing_questions\.json"):
        load("beam", tmp_path)


def test_beam_ids_are_unique(tmp_path):
    path = published.beam(tmp_path) / "9" / "chat.json"
    chat = json.loads(path.read_text("utf-8"))
    chat[0]["turns"][1][0]["id"] = 0
    published.write(path, chat)

    with pytest.raises(InvalidInput, match=r"9/chat.json: \[0\].turns\[1\]\[0\]: a second message"):
        load("beam", tmp_path)


def test_an_unknown_data_set_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="locomo, longmemeval, beam, memdaily"):
        load("squad", tmp_path)


def test_the_development_data(data_dir):
    locomo = load("locomo", data_dir / "locomo" / "locomo5_dev.json")
    assert (len(locomo.cases), locomo.questions, locomo.dropped_evidence) == (5, 760, 2)
    assert locomo.skipped == {"no evidence": 2, "category 5 adversarial": 237}

    memdaily = load("memdaily", data_dir / "memdaily")
    assert (len(memdaily.cases), memdaily.questions) == (24, 1200)

    beam = load("beam", data_dir / "beam" / "100K")
    assert (len(beam.cases), beam.questions, beam.dropped_evidence) == (10, 179, 0)

    longmemeval = load("longmemeval", data_dir / "longmemeval" / "longmemeval_s_dev.json.xz")
    assert (len(longmemeval.cases), longmemeval.questions) == (107, 103)
    assert longmemeval.skipped == {"abstention (_abs)": 4}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def places(value, path=()):
    """The paths to everything inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, element in inner:
        yield (*path, key)
        if isinstance(element, dict | list):
            yield from places(element, (*path, key))


def replaced(value, path, new):
    """A copy of a JSON value with something else at a place."""
    copy = json.loads(json.dumps(value))
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = new
    return copy


def read_or_refusal(name, file):
    try:
        return load(name, file)
    except InvalidInput as refused:
        return refused


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("locomo", published.locomo()),
        ("longmemeval", published.longmemeval()),
        ("memdaily", published.memdaily_streams("猫", 2)),
    ],
)
@given(data=st.data())
def test_any_damage_is_read_or_refused(tmp_path_factory, name, value, data):
    path = data.draw(st.sampled_from(list(places(value))), label="place")
    broken = replaced(value, path, data.draw(JSON, label="what stands there"))
    file = published.write(tmp_path_factory.getbasetemp() / f"{name}.json", broken)

    found = read_or_refusal(name, file)

    if isinstance(found, InvalidInput):
        assert str(found).startswith(f"{name}.json")
    else:
        known = {item.id for case in found.cases for item in case.items}
        asked = [question for case in found.cases for question in case.questions]
        assert all(question.evidence for question in asked)
        assert known.issuperset(id for question in asked for id in question.evidence)
