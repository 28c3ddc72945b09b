"""Tiny benchmarks in the published formats, their text written for these tests."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any


def write(path: Path, value: Any) -> Path:
    """Write JSON, compressed when the name ends in ``.xz``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(value, ensure_ascii=False).encode()
    path.write_bytes(lzma.compress(data) if path.suffix == ".xz" else data)
    return path


def locomo() -> list[dict[str, Any]]:
    """One conversation of two sessions, with a question of each category."""
    return [
        {
            "sample_id": "talk-1",
            "conversation": {
                "speaker_a": "Ines",
                "speaker_b": "Tom",
                "session_2_date_time": "12:05 am on 9 June, 2023",
                "session_2": [
                    {"speaker": "Tom", "dia_id": "D2:1", "text": "I adopted a parrot last week."},
                    {
                        "speaker": "Ines",
                        "dia_id": "D2:2",
                        "text": "Look at my new kiln!",
                        "img_url": ["https://example.invalid/kiln.jpg"],
                        "blip_caption": "a photo of a kiln in a garden",
                    },
                ],
                "session_1_date_time": "11:59 pm on 8 May, 2023",
                "session_1": [
                    {"speaker": "Ines", "dia_id": "D1:1", "text": "My sister Ruth lives in Oslo."},
                    {"speaker": "Tom", "dia_id": "D1:2", "text": "Mine is a nurse in Bergen."},
                    {"speaker": "Ines", "dia_id": "D1:3", "text": "I start pottery lessons soon."},
                ],
                "session_3_date_time": "1:00 pm on 1 July, 2023",
            },
            "qa": [
                {
                    "question": "Where does Ruth live?",
                    "answer": "Oslo",
                    "evidence": ["D1:1"],
                    "category": 4,
                },
                {
                    "question": "When did Tom adopt a parrot?",
                    "answer": "The week before 9 June 2023",
                    "evidence": ["D2:1"],
                    "category": 2,
                },
                {
                    "question": "What do Ines's hobby and her purchase have in common?",
                    "answer": "clay",
                    "evidence": ["D:1:3; D2:02", "D", "D9:9"],
                    "category": 1,
                },
                {"question": "Does Tom like it?", "answer": "Yes", "evidence": [], "category": 3},
                {
                    "question": "What did Tom's brother sell?",
                    "adversarial_answer": "a boat",
                    "evidence": ["D1:2"],
                    "category": 5,
                },
            ],
        }
    ]  # fmt: skip


def longmemeval() -> list[dict[str, Any]]:
    """Two questions; the first history's sessions are out of order and one is there twice."""
    repeated = [
        {"role": "user", "content": "What rhymes with orange?"},
        {"role": "assistant", "content": "Very little does."},
    ]
    return [
        {
            "question_id": "q1",
            "question_type": "knowledge-update",
            "question": "How many bonsai do I own?",
            "question_date": "2023/05/30 (Tue) 21:35",
            "answer": 7,
            "answer_session_ids": ["later", "earlier"],
            "haystack_session_ids": ["later", "noise", "earlier", "noise"],
            "haystack_dates": [
                "2023/05/28 (Sun) 10:00",
                "2023/05/21 (Sun) 02:21",
                "2023/05/20 (Sat) 06:37",
                "2023/05/29 (Mon) 08:00",
            ],
            "haystack_sessions": [
                [
                    {"role": "user", "content": "I own 7 bonsai now.", "has_answer": True},
                    {"role": "assistant", "content": "A small forest!", "has_answer": False},
                ],
                repeated,
                [{"role": "user", "content": "I bought 5 bonsai.", "has_answer": True}],
                repeated,
            ],
        },
        {
            "question_id": "q2_abs",
            "question_type": "multi-session",
            "question": "What is my cat called?",
            "question_date": "2023/06/01 (Thu) 09:00",
            "answer": "You never said.",
            "answer_session_ids": ["a"],
            "haystack_session_ids": ["a"],
            "haystack_dates": ["2023/05/20 (Sat) 06:37"],
            "haystack_sessions": [[{"role": "user", "content": "I have a dog."}]],
        },
    ]


def beam(root: Path) -> Path:
    """Two chats; questions name their messages in every published way, and not at all."""
    for name in ("9", "11"):
        write(
            root / name / "chat.json",
            [
                {
                    "batch_number": 1,
                    "time_anchor": None,
                    "turns": [
                        [
                            {
                                "role": "user",
                                "id": 0,
                                "time_anchor": "March-15-2024",
                                "content": "The launch is on 2 May.",
                            },
                            {"role": "assistant", "id": 1, "content": "Noted."},
                        ],
                        [{"role": "user", "id": 2, "content": "We use Django 5."}],
                    ],
                },
                {
                    "batch_number": 2,
                    "turns": [[{"role": "user", "id": 3, "content": "The launch moved to 9 May."}]],
                },
            ],
        )
        write(
            root / name / "probing_questions.json",
            {
                "abstention": [{"question": "Who is the sponsor?", "ideal_response": "Unknown."}],
                "information_extraction": [
                    {"question": "Which framework?", "answer": "Django 5", "source_chat_ids": [2]}
                ],
                "knowledge_update": [
                    {
                        "question": "When is the launch?",
                        "answer": "9 May",
                        "source_chat_ids": {"original_info": [0], "updated_info": [3]},
                    }
                ],
                "event_ordering": [
                    {
                        "question": "In which order?",
                        "answer": "launch, framework",
                        "source_chat_ids": [0, [2, 77]],
                    }
                ],
                "preference_following": [{"question": "Which tools?", "source_chat_ids": []}],
            },
        )
    return root


def memdaily(root: Path, *, streams: int = 30) -> Path:
    """Two files of short streams."""
    for stem, thing in (("01_simple_items", "猫"), ("03_comparative_roles", "狗")):
        write(root / f"{stem}.json", memdaily_streams(thing, streams))
    return root


def memdaily_streams(thing: str, count: int) -> list[dict[str, Any]]:
    """Streams of two remarks on pets, with a question each."""
    return [
        {
            "tid": number,
            "message_list": [
                {
                    "mid": 0,
                    "message": f"我的第{number}只{thing}叫阿{number}。",
                    "time": "2024年04月01日 周一 08:30",
                    "place": "四川成都",
                },
                {
                    "mid": 1,
                    "message": "今天下雨了。",
                    "time": "2024年04月02日 周二 19:05",
                    "place": "四川成都",
                },
            ],
            "question_list": [
                {
                    "qid": 0,
                    "question": f"我的第{number}只{thing}叫什么？",
                    "answer": f"阿{number}",
                    "target_step_id": [0, 1],
                    "choices": {"A": f"阿{number}", "B": "小白"},
                    "ground_truth": "A",
                    "time": "2024年04月04日 周四 07:42",
                }
            ],
        }
        for number in range(count)
    ]
