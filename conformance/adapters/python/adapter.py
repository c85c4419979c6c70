#!/usr/bin/env python3
"""A small client of the gateway behind the adapter protocol, with Python's standard library alone.

An example of an adapter, and a proof that the protocol needs nothing of ours: `python3 adapter.py`. The client replays
writes under their key until an answer settles them, and keeps event streams up across connections.
"""

import codecs
import email.utils
import hashlib
import hmac
import http.client
import ipaddress
import json
import random
import re
import sys
import threading
import time
import urllib.parse
import uuid

INCOMPLETE_OPERATION = ("pending", "waiting_device", "stopping")
RUN_ENDS = ("succeeded", "failed", "cancelled", "interrupted", "expired")
# What a refusal with one of these codes says holds for every attempt under the key: none of them did anything.
FINAL_FOR_KEY = (
    "UNKNOWN_FIELD", "INVALID_REQUEST", "NOT_FOUND", "GENERATION_CONFLICT", "IDEMPOTENCY_CONFLICT",
    "WEBHOOK_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE",
)
LAST_EVENTS = tuple(f"run.{end}" for end in ("completed", "failed", "cancelled", "interrupted", "expired"))


class Failure(Exception):
    """An error in the words of the protocol."""

    def __init__(self, kind, message, **details):
        super().__init__(message)
        self.details = {"kind": kind, "message": message, **details}


class Broken(Exception):
    """No answer of the gateway came, or not all of it: what was asked for may have happened."""


def check_address(url):
    """Refuses addresses to which the key must not go."""
    parts = urllib.parse.urlsplit(url)
    host = parts.hostname or ""
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = host == "localhost"
    if not host or parts.scheme not in ("http", "https"):
        raise Failure("invalid", f"{url} is no address of a gateway")
    if parts.scheme == "http" and not is_loopback:
        raise Failure("invalid", f"{url} must use https: over http the key is readable on the way")
    return parts


def read_retry_after(value):
    """Seconds to wait, or None."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value.strip()):
        return int(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def read_problem(status, headers, content):
    """The failure that an error answer is."""
    try:
        code = json.loads(content).get("code")
    except (ValueError, AttributeError):
        code = None
    wait = read_retry_after(headers.get("Retry-After"))
    details = {} if wait is None else {"retry_after_ms": round(wait * 1000)}
    if status == 410:
        return Failure("expired", "events after the position are no longer retained")
    return Failure("refused", f"{status} {code}", status=status, code=code, **details)


def may_pass(failure):
    status = failure.details.get("status", 0)
    return status in (408, 425, 429) or status >= 500


def decode_frames():
    """A generator that is sent bytes, and gives the frames that they complete; None for a comment, an int for `retry`."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    text, fields, found = "", {}, []
    while True:
        text += decode((yield found))
        found = []
        # A CR at the end may be half of a CRLF: it waits for what follows.
        while match := re.search(r"\r\n|\n|\r(?!$)", text):
            line, text = text[: match.start()], text[match.end() :]
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if line == "":
                if "data" in fields:
                    found.append(fields)
                fields = {}
            elif name == "":
                found.append(None)
            elif name == "data" and "data" in fields:
                fields["data"] += "\n" + value
            elif name == "retry" and value.isdigit():
                found.append(int(value))
            else:
                fields[name] = value


class Client:
    def __init__(self, base_url, api_key, subject, pace, **_unused):
        address = check_address(base_url)
        if address.path not in ("", "/"):
            raise Failure("invalid", "base_url must be an origin without a path")
        self.address, self.api_key, self.subject, self.pace = address, api_key, subject, pace

    def headers(self, subject=None):
        return {"Authorization": f"Bearer {self.api_key}", "X-Service-Subject": (subject or self.subject).encode("utf-8")}

    def connect(self, address):
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        return kind(address.hostname, address.port, timeout=self.pace["attempt_timeout_ms"] / 1000)

    def attempt(self, address, method, path, headers, body, status):
        """One request and its whole answer, parsed. Raises `Broken` or a `Failure`."""
        connection = self.connect(address)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as cause:
            raise Broken(f"no complete answer: {cause!r}") from cause
        finally:
            connection.close()
        if answer.status >= 300:
            raise read_problem(answer.status, answer.headers, content)
        try:
            value = json.loads(content)
        except ValueError as cause:
            raise Broken("the answer is not complete JSON") from cause
        if answer.status != status or not isinstance(value, dict):
            raise Broken(f"the answer {answer.status} is not the gateway's")
        return value

    def until_settled(self, attempt, handle=None, may_have_happened=False):
        """Attempts until an answer settles it or the time is up; whatever is attempted is the same each time."""
        ends_at = time.monotonic() + self.pace["timeout_ms"] / 1000
        bound = self.pace["backoff_base_ms"] / 1000
        while True:
            wait = 0
            try:
                return attempt()
            except Broken as broken:
                last, may_have_happened = Failure("failed", str(broken)), True
            except Failure as refusal:
                if not may_pass(refusal):
                    if handle is None or not may_have_happened or refusal.details.get("code") in FINAL_FOR_KEY:
                        raise
                    raise Failure("unknown", f"an attempt before may have happened: {refusal}", handle=handle)
                last, wait = refusal, refusal.details.get("retry_after_ms", 0) / 1000
                may_have_happened = may_have_happened or refusal.details["status"] >= 500
            delay = max(wait, random.random() * bound)
            bound = min(bound * 2, self.pace["backoff_max_ms"] / 1000)
            if time.monotonic() + delay >= ends_at:
                if handle is not None and may_have_happened:
                    raise Failure("unknown", f"it may have happened: {last}", handle=handle)
                raise last
            time.sleep(delay)

    def read(self, path, **query):
        if query:
            path += "?" + urllib.parse.urlencode(query)
        headers = {**self.headers(), "Accept": "application/json"}
        return self.until_settled(lambda: self.attempt(self.address, "GET", f"/api/v1{path}", headers, None, 200))

    def write(self, path, status, body):
        """An intention of its own: it gets a key and its bytes here, once."""
        return self.replay({
            "path": f"/api/v1{path}",
            "status": status,
            "subject": self.subject,
            "key": str(uuid.uuid4()),
            "body": json.dumps(body),
        })

    def replay(self, handle, may_have_happened=False):
        headers = {
            **self.headers(handle["subject"]),
            "Content-Type": "application/json",
            "Idempotency-Key": handle["key"],
        }
        path, body, status = handle["path"], handle["body"].encode(), handle["status"]
        return self.until_settled(
            lambda: self.attempt(self.address, "POST", path, headers, body, status), handle, may_have_happened
        )

    def events(self, path, after, stopping, is_over=lambda: False):
        """The events after a position, each once, over as many connections as it takes."""
        position, retry, ends = after, 1.0, 0
        while not stopping.is_set():
            over, heard, wait = ends > 0 and is_over(), False, 0
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
                over = False
            except Failure as refusal:
                if not may_pass(refusal):
                    raise
                over, wait = False, refusal.details.get("retry_after_ms", 0) / 1000
            # A run that had ended before this connection, which brought nothing, has nothing left to say.
            if over and not heard:
                return
            ends += 1
            stopping.wait(max(wait, random.random() * retry))
        raise Failure("stopped", "the stream was stopped")

    def frames(self, path, position, stopping):
        headers = {**self.headers(), "Accept": "text/event-stream"}
        if position is not None:
            headers["Last-Event-ID"] = str(position)
        connection = self.connect(self.address)
        try:
            connection.request("GET", f"/api/v1{path}", headers=headers)
            # Taken first: an answer without a length has it closed by the response.
            socket = connection.sock
            answer = connection.getresponse()
            if answer.status >= 300:
                raise read_problem(answer.status, answer.headers, answer.read())
            if not answer.headers.get_content_type() == "text/event-stream":
                raise Broken("the answer is no event stream")
            # Often enough to notice `stop`; the time until a silent connection counts as dead is three pings.
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
            if "answer" in locals():
                answer.close()

    def poll(self, path, is_done):
        gap = 0.05
        while True:
            record = self.read(path)
            if is_done(record):
                return record
            time.sleep(gap)
            gap = min(gap * 2, 5)


def shut(socket):
    try:
        socket.shutdown(2)
    except OSError:
        pass


class Stopping(threading.Event):
    """Set when the command is to be given up."""

    def __init__(self):
        super().__init__()
        self.callback = lambda: None

    def on_stop(self, callback):
        self.callback = callback
        if self.is_set():
            callback()

    def stop(self):
        self.set()
        self.callback()


def quote(identifier):
    return urllib.parse.quote(identifier, safe="")


def conversation(args):
    return f"/conversations/{quote(args['conversation_id'])}"


def run(args):
    return f"/runs/{quote(args['run_id'])}"


def members(args, *names):
    return {name: args[name] for name in names if name in args}


class Commands:
    """Each method is a command of the protocol, by its name."""

    def __init__(self, client):
        self.client = client

    def create_conversation(self, args, *_):
        return self.client.write("/conversations", 201, members(args, "endpoint_id", "conversation_key"))

    def list_conversations(self, args, *_):
        return {"conversations": self.pages("/conversations", "conversations", args, lambda page: page[-1]["conversation_id"])}

    def read_conversation(self, args, *_):
        return self.client.read(conversation(args))

    def send_message(self, args, *_):
        body = members(args, "expected_generation", "input", "start_before")
        return self.client.write(f"{conversation(args)}/messages", 202, body)

    def read_run(self, args, *_):
        return self.client.read(run(args))

    def read_history(self, args, *_):
        path = f"{conversation(args)}/messages"
        return {"messages": self.pages(path, "messages", args, lambda page: min(each["cursor"] for each in page))}

    def pages(self, path, member, args, next_before):
        query, found = members(args, "endpoint_id", "limit"), []
        while page := self.client.read(path, **query)[member]:
            found += page
            query["before"] = next_before(page)
        return found

    def watch_conversation(self, args, stopping, item):
        for event in self.client.events(f"{conversation(args)}/events", args.get("after"), stopping):
            item({"event": event})

    def watch_run(self, args, stopping, item):
        for event in self.run_events(args, args.get("after"), stopping):
            item({"event": event})
        return {}

    def run_events(self, args, after, stopping):
        is_over = lambda: self.read_run(args)["state"] in RUN_ENDS
        for event in self.client.events(f"{run(args)}/events", after, stopping, is_over):
            yield event
            if event["type"] in LAST_EVENTS:
                return

    def cancel_run(self, args, *_):
        return self.client.write(f"{run(args)}/cancel", 202, {})

    def reset_conversation(self, args, *_):
        return self.client.write(f"{conversation(args)}/reset", 202, members(args, "expected_generation"))

    def read_operation(self, args, *_):
        return self.client.read(f"/operations/{quote(args['operation_id'])}")

    def create_run(self, args, *_):
        path = f"/agent-endpoints/{quote(args['endpoint_id'])}/runs"
        return self.client.write(path, 202, members(args, "input", "conversation_key"))

    def wait_run(self, args, *_):
        return self.client.poll(run(args), lambda record: record["state"] in RUN_ENDS)

    def wait_operation(self, args, *_):
        path = f"/operations/{quote(args['operation_id'])}"
        return self.client.poll(path, lambda record: record["state"] in ("succeeded", "failed"))

    def complete_message(self, args, *_):
        return self.wait_run(self.send_message(args))

    def complete_cancel(self, args, *_):
        operation = self.wait_operation(self.cancel_run(args))
        return {"operation": operation, "run": self.read_run(args)}

    def complete_reset(self, args, *_):
        operation = self.wait_operation(self.reset_conversation(args))
        return {"operation": operation, "generation": operation["ref"]["generation"]}

    def read_results(self, args, *_):
        runs = [each for each in self.read_conversation(args)["runs"] if each["result_available"]]
        return {"results": {each["run_id"]: each["result"] or self.read_run(each)["result"] for each in runs}}

    def reply_text(self, args, stopping, item):
        admission, streamed = self.send_message(args), set()
        for event in self.run_events(admission, admission["event_cursor"], stopping):
            if event["type"] == "assistant.delta":
                streamed.add(event["message_id"])
                item({"text": event["payload"]["text"]})
            elif event["type"] == "assistant.message" and event["message_id"] not in streamed:
                item({"text": event["payload"]["message"]["content"].get("text", "")})
        return {}

    def replay(self, args, *_):
        return self.client.replay(args["handle"], may_have_happened=True)

    def send_webhook(self, args, *_):
        address = check_address(args["url"])
        body = json.dumps(args["body"], ensure_ascii=False).encode()

        def attempt():
            timestamp = str(int(time.time()))
            signed = f"{args['event_id']}.{timestamp}.".encode() + body
            headers = {
                "Content-Type": "application/json",
                "webhook-id": args["event_id"],
                "webhook-timestamp": timestamp,
                "webhook-signature": "v1," + hmac.new(args["secret"].encode(), signed, hashlib.sha256).hexdigest(),
            }
            return self.client.attempt(address, "POST", address.path, headers, body, 202)

        return self.client.until_settled(attempt)


ABILITIES = [name for name in vars(Commands) if name not in ("__init__", "__module__", "__doc__", "pages", "run_events")]


class Adapter:
    def __init__(self):
        self.lock = threading.Lock()
        self.under_way = {}
        self.commands = None

    def write(self, line):
        with self.lock:
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()

    def perform(self, line, stopping):
        if line["do"] == "open":
            self.commands = Commands(Client(**line["with"]))
            return {}
        if line["do"] not in ABILITIES:
            raise Failure("invalid", f"there is no command {line['do']}")
        return getattr(self.commands, line["do"])(line["with"], stopping, lambda item: self.write({"id": line["id"], "item": item}))

    def answer(self, line, stopping):
        try:
            self.write({"id": line["id"], "result": self.perform(line, stopping)})
        except Failure as failure:
            self.write({"id": line["id"], "error": failure.details})
        except Exception as error:
            self.write({"id": line["id"], "error": {"kind": "failed", "message": repr(error)}})

    def serve(self):
        self.write({"hello": {"protocol": 1, "name": "Python example", "abilities": ABILITIES}})
        for text in sys.stdin.buffer:
            line = json.loads(text)
            if line["do"] == "stop":
                self.under_way[line["with"]["id"]].stop()
            else:
                stopping = self.under_way[line["id"]] = Stopping()
                threading.Thread(target=self.answer, args=(line, stopping), daemon=True).start()


if __name__ == "__main__":
    Adapter().serve()
