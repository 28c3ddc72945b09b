"""The scripted server's side of HTTP."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Any

from memfold.testing.llm_answers import Answer

_READING = 10.0
"""Seconds that a client may take to send its request."""


class Endpoint(ThreadingHTTPServer):
    """Listens on a free port of this machine; ``answer`` gets a request's body and its key."""

    daemon_threads = True  # a client that never ends its request holds up nobody

    def __init__(
        self,
        *,
        model: str,
        answer: Callable[[Mapping[str, Any], str], Answer],
        closed: Event,
    ) -> None:
        self.model = model
        self.answer = answer
        self.closed = closed
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away: tests of time-outs are full of them."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint
    timeout = _READING

    def do_GET(self) -> None:
        if self.path != "/v1/models":
            self._send(Answer.error(404, f"no {self.path} here"))
            return
        models = [{"id": self.server.model, "object": "model", "created": 0, "owned_by": "script"}]
        self._send(Answer(body=json.dumps({"object": "list", "data": models})))

    def do_POST(self) -> None:
        try:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        except (TypeError, ValueError):
            body = None
        if self.path != "/v1/chat/completions" or not isinstance(body, dict):
            self._send(Answer.error(404, f"no {self.path} here, or no JSON object sent"))
            return
        key = (self.headers["Authorization"] or "").removeprefix("Bearer ")
        answer = self.server.answer(body, key)
        if answer.connection == "held":
            self.server.closed.wait()
        if answer.connection == "answered" and not self.server.closed.wait(answer.delay):
            self._send(answer, body)

    def _send(self, answer: Answer, request: Mapping[str, Any] | None = None) -> None:
        content = answer.rendered(request or {}).encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""
