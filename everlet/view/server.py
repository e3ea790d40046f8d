"""The page of a run that is going on, for a browser on this machine: renewed by server-sent events when the log grows.

Whoever asks must know the token of the address and name this machine as its host, so that pages of others cannot ask.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from everlet.errors import InputError
from everlet.view.follow import Follower
from everlet.view.page import POLICY
from everlet.view.report import made

HERE = "127.0.0.1"


class Server(ThreadingHTTPServer):
    """`address` is what a browser is given. One thread reads the log; pages are made when they are asked for."""

    daemon_threads = True

    def __init__(self, log: Follower, port: int, every: float):
        self.log, self.every, self.token = log, every, secrets.token_urlsafe(24)
        self.version, self.reading, self.stopped = 0, threading.Lock(), threading.Event()
        try:
            super().__init__((HERE, port), Handler)
        except (OSError, OverflowError) as error:
            raise InputError(f"cannot listen on port {port}: {getattr(error, 'strerror', None) or error}",
                             "0 takes any that is free") from None
        self.hosts = {f"{name}:{self.server_port}" for name in (HERE, "localhost")}
        self.address = f"http://{HERE}:{self.server_port}/?token={self.token}"
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while not self.stopped.wait(self.every):
            with self.reading:
                self.version += self.log.look()

    def page(self) -> str:
        with self.reading:
            return made(self.log.history, policy=f"{POLICY}; connect-src 'self'", live=True)


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        token = parse_qs(asked.query).get("token", [""])[0]
        known = hmac.compare_digest(token.encode(), self.server.token.encode())
        if not known or self.headers.get("Host") not in self.server.hosts:
            self.send_error(403)
        elif asked.path == "/":
            self._head("text/html; charset=utf-8")
            self.wfile.write(self.server.page().encode())
        elif asked.path == "/events":
            self._events()
        else:
            self.send_error(404)

    def _head(self, kind: str) -> None:
        self.send_response(200)
        for name, value in (("Content-Type", kind), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
                            ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY")):
            self.send_header(name, value)
        self.end_headers()

    def _events(self) -> None:
        self._head("text/event-stream")
        said = self.server.version
        try:
            while not self.server.stopped.is_set():
                time.sleep(self.server.every)
                now = self.server.version
                self.wfile.write(b"data: new\n\n" if now != said else b": nothing new\n\n")
                self.wfile.flush()
                said = now
        except OSError:
            pass  # the page was closed

    def log_message(self, *words: object) -> None:
        """Nothing: the terminal has better things to say."""


def serve(log: Follower, port: int, every: float) -> int:
    """Until Ctrl-C."""
    with Server(log, port, every) as server:
        print(f"{server.address}\nCtrl-C ends it, not the run.", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
        finally:
            server.stopped.set()
    return 0
