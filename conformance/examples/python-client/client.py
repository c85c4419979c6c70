"""A small client of the gateway for one application and one subject. It uses only Python's standard library."""

import http.client
import json
import random
import urllib.parse
import uuid

from failures import Broken, Failure, is_transient, read_problem
from frames import decode_frames
from outbox import Outbox
from transport import Transport, check_address
from view import View

RUN_ENDS = ("succeeded", "failed", "cancelled", "interrupted", "expired")
LAST_EVENTS = tuple(f"run.{end}" for end in ("completed", "failed", "cancelled", "interrupted", "expired"))


class Client:
    """With `outbox`, a folder, writes survive the process: `recover()` finishes those of unknown outcome."""

    def __init__(self, base_url, api_key, subject, pace, outbox=None):
        self.address = check_address(base_url)
        if self.address.path not in ("", "/"):
            raise Failure("invalid", "base_url must be an origin without a path")
        self.api_key, self.subject, self.transport = api_key, subject, Transport(pace)
        self.outbox = None if outbox is None else Outbox(outbox)

    def headers(self, subject=None):
        return {"Authorization": f"Bearer {self.api_key}", "X-Service-Subject": (subject or self.subject).encode("utf-8")}

    def read(self, path, **query):
        if query:
            path += "?" + urllib.parse.urlencode(query)
        headers = {**self.headers(), "Accept": "application/json"}
        send = lambda: self.transport.attempt(self.address, "GET", f"/api/v1{path}", headers, None, 200)
        return self.transport.until_settled(send)

    def pages(self, path, member, next_before, **query):
        """The items of all pages, one page after the other."""
        while page := self.read(path, **query)[member]:
            yield from page
            query["before"] = next_before(page)

    def write(self, path, status, body):
        """A new intention. Its key and its bytes are created here, once."""
        handle = {
            "path": f"/api/v1{path}",
            "status": status,
            "subject": self.subject,
            "key": str(uuid.uuid4()),
            "body": json.dumps(body),
        }
        if self.outbox is None:
            return self.send(handle)
        return self.outbox.keep_while_unknown(self.outbox.add(handle), lambda: self.send(handle))

    def replay(self, handle):
        """Finishes a write of unknown outcome: the same bytes for the same subject under the same key."""
        return self.send(handle, may_have_happened=True)

    def recover(self):
        if self.outbox is None:
            raise Failure("invalid", "the client has no outbox")
        return self.outbox.recover(self.replay)

    def send(self, handle, may_have_happened=False):
        headers = {
            **self.headers(handle["subject"]),
            "Content-Type": "application/json",
            "Idempotency-Key": handle["key"],
        }
        path, body, status = handle["path"], handle["body"].encode(), handle["status"]
        return self.transport.until_settled(
            lambda: self.transport.attempt(self.address, "POST", path, headers, body, status), handle, may_have_happened
        )

    def delete_resource(self, resource):
        """Repeats the request after a lost answer. A 404 then means that the lost request has deleted the attachment."""
        may_be_gone = False

        def send():
            nonlocal may_be_gone
            try:
                return self.transport.attempt(self.address, "DELETE", f"/api/v1/resources/{quote(resource)}", self.headers(), None, 204)
            except Broken:
                may_be_gone = True
                raise
            except Failure as refusal:
                may_be_gone = may_be_gone or refusal.details["status"] >= 500
                raise

        try:
            return self.transport.until_settled(send)
        except Failure as refusal:
            if may_be_gone and refusal.details.get("code") == "NOT_FOUND":
                return {}
            raise

    def history(self, conversation, **query):
        """Yields the messages of a conversation, newest page first."""
        oldest = lambda page: min(each["cursor"] for each in page)
        return self.pages(f"/conversations/{quote(conversation)}/messages", "messages", oldest, **query)

    def run(self, run):
        return self.read(f"/runs/{quote(run)}")

    def run_events(self, run, after, stopping):
        """The events of a run, up to its last one."""
        is_over = lambda position: self.has_passed_end(run, position, stopping)
        for event in self.events(f"/runs/{quote(run)}/events", after, stopping, is_over):
            yield event
            if event["type"] in LAST_EVENTS:
                return

    def has_passed_end(self, run, position, stopping):
        """Whether records prove that the last event of a run lies at or before a position. A silent stream proves nothing."""
        try:
            record = self.run(run)
            if record["state"] not in RUN_ENDS:
                return False
            # Read after the run has ended, so that its last event is at or before the watermark.
            conversation = f"/conversations/{quote(record['conversation_id'])}"
            watermark = self.read(conversation)["watermark"]
            if position is not None and position >= watermark:
                return True
            for event in self.events(f"{conversation}/events", position, stopping):
                if event["run_id"] == run and event["type"] in LAST_EVENTS:
                    return False
                if event["seq"] >= watermark:
                    return True
        except Failure:
            return False

    def follow(self, conversation, stopping):
        """Yields the view of a conversation, first and after each event. If events have expired, it loads a new snapshot."""
        path = f"/conversations/{quote(conversation)}"
        while True:
            view = View(self.read(path))
            yield view
            try:
                for event in self.events(f"{path}/events", view.position, stopping):
                    view.apply(event, self.input_of(conversation, event) if view.lacks_input_of(event) else None)
                    yield view
            except Failure as failure:
                if failure.details["kind"] != "expired":
                    raise

    def input_of(self, conversation, event):
        return next((each for each in self.history(conversation) if each["message_id"] == event["message_id"]), None)

    def events(self, path, after, stopping, is_over=lambda position: False):
        """Yields the events after a position, each exactly once, and reconnects as often as needed."""
        position, retry = after, None
        while not stopping.is_set():
            heard, broke, wait = False, False, 0
            try:
                for frame in self.frames(path, position, stopping):
                    if isinstance(frame, int):
                        retry = frame / 1000
                    elif frame is not None:
                        event = json.loads(frame["data"])
                        if position is None or event["seq"] > position:
                            heard, position = True, event["seq"]
                            yield event
            except (Broken, ValueError, KeyError, TypeError):
                broke = True
            except Failure as refusal:
                if not is_transient(refusal):
                    raise
                broke, wait = True, refusal.details.get("retry_after_ms", 0) / 1000
            if not heard and not broke and is_over(position):
                return
            # A stream's `retry` is the minimum. The random part keeps clients from reconnecting at the same time.
            stopping.wait(max(wait, random.random() if retry is None else retry * (1 + random.random() / 4)))
        raise Failure("stopped", "the stream was stopped")

    def frames(self, path, position, stopping):
        headers = {**self.headers(), "Accept": "text/event-stream"}
        if position is not None:
            headers["Last-Event-ID"] = str(position)
        connection = self.transport.connect(self.address)
        answer = None
        try:
            connection.request("GET", f"/api/v1{path}", headers=headers)
            # Keep the socket now, because the response closes the connection of an answer without a length.
            socket = connection.sock
            answer = connection.getresponse()
            if answer.status >= 300:
                raise read_problem(answer.status, answer.headers, answer.read())
            if answer.status == 204:
                raise Failure("refused", "204: the gateway has ended the stream for good", status=204, code=None)
            if not answer.headers.get_content_type() == "text/event-stream":
                raise Broken("the answer is not an event stream")
            socket.settimeout(None)
            stopping.on_stop(lambda: shut(socket))
            decoder = decode_frames()
            next(decoder)
            while data := answer.read1(65536):
                yield from decoder.send(data)
        except (OSError, http.client.HTTPException) as cause:
            raise Broken(f"the stream broke: {cause!r}") from cause
        finally:
            connection.close()
            if answer is not None:
                answer.close()


def shut(socket):
    try:
        socket.shutdown(2)
    except OSError:
        pass


def quote(identifier):
    return urllib.parse.quote(identifier, safe="")
