#!/usr/bin/env python3
"""A receiver of callbacks with an SQLite table: `CALLBACK_SECRET=… STORE=events.db python3 receiver.py`.

Prints its URL as JSON when it is ready. Answers a callback with 200 once its event is stored on disk.
"""

import http.server
import json
import os
import re
import sqlite3
import sys
import threading

from webhooks import NotTrusted, verify

MAX_BODY_BYTES = 1_048_576
TABLE = """CREATE TABLE IF NOT EXISTS events (
    event_id TEXT PRIMARY KEY, run_id TEXT, conversation_id TEXT, body BLOB NOT NULL)"""


class Events:
    """The received events, each stored once. The database is opened for each use, so that its folder may be replaced."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        database = sqlite3.connect(path)
        database.execute(TABLE)
        database.close()

    def record(self, event, body):
        """Stores an event and commits it. Returns `new`, `duplicate`, or `conflicting` for a known ID with different content."""
        with self.lock:
            database = sqlite3.connect(self.path, timeout=30)
            try:
                database.execute("PRAGMA synchronous = FULL")
                with database:
                    row = (event["event_id"], event.get("run_id"), event.get("conversation_id"), body)
                    added = database.execute("INSERT INTO events VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
                    if added.rowcount == 1:
                        return "new"
                found = database.execute("SELECT body FROM events WHERE event_id = ?", (event["event_id"],)).fetchone()
                return "duplicate" if found[0] == body else "conflicting"
            finally:
                database.close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.read_body()
        if body is None:
            # The rest of the body would be read as the next request.
            self.close_connection = True
            return self.answer(413, "not_read")
        try:
            verdict = self.server.events.record(verify(self.server.secret, self.headers, body), body)
        except NotTrusted as refusal:
            return self.answer(401, str(refusal))
        except (sqlite3.Error, OSError):
            return self.answer(500, "not_stored")
        return self.answer(409 if verdict == "conflicting" else 200, verdict)

    def read_body(self):
        """Returns the raw bytes; None if they are too many, too few or not framed according to HTTP/1.1."""
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.read_exactly(length) if re.fullmatch(r"[0-9]{1,9}", length) else None
        body = b""
        while size := self.rfile.readline(20).strip():
            if not re.fullmatch(rb"[0-9a-fA-F]{1,7}", size):
                return None
            count = int(size, 16)
            if count == 0:
                return body if self.rfile.readline(3) == b"\r\n" else None
            piece = self.read_exactly(count, len(body))
            if piece is None or self.rfile.readline(3) != b"\r\n":
                return None
            body += piece
        return None

    def read_exactly(self, count, already=0):
        if int(count) + already > MAX_BODY_BYTES:
            return None
        piece = self.rfile.read(int(count))
        return piece if len(piece) == int(count) else None

    def answer(self, status, outcome):
        content = json.dumps({"outcome": outcome}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Disables the request log."""


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
    server.secret, server.events = os.environ["CALLBACK_SECRET"], Events(os.environ["STORE"])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}/callbacks"}), flush=True)
    # The pipe closes when the parent process ends in any way.
    sys.stdin.read()


if __name__ == "__main__":
    main()
