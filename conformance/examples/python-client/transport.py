"""Requests, and repeated attempts until the outcome is known."""

import http.client
import ipaddress
import json
import random
import time
import urllib.parse

from failures import FINAL_FOR_KEY, Broken, Failure, is_transient, read_problem


def check_address(url):
    """Refuses addresses to which the key must not be sent."""
    parts = urllib.parse.urlsplit(url)
    host = parts.hostname or ""
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = host == "localhost"
    if not host or parts.scheme not in ("http", "https"):
        raise Failure("invalid", f"{url} is not the address of a gateway")
    if parts.scheme == "http" and not is_loopback:
        raise Failure("invalid", f"{url} must use https: over http the key is readable in transit")
    return parts


class Transport:
    """`pace`: backoff_base_ms, backoff_max_ms, attempt_timeout_ms, timeout_ms."""

    def __init__(self, pace):
        self.pace = pace

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
        if answer.status == status == 204:
            return {}
        try:
            value = json.loads(content)
        except ValueError as cause:
            raise Broken("the answer is not complete JSON") from cause
        if answer.status != status or not isinstance(value, dict):
            raise Broken(f"the answer {answer.status} is not the gateway's")
        return value

    def until_settled(self, attempt, handle=None, may_have_happened=False):
        """Repeats the same attempt until an answer decides the outcome or the time limit is reached.

        With a handle it is a write. Once an attempt may have taken effect, only an answer under its key decides the outcome, and
        without such an answer the failure is of kind `unknown` and contains the handle.
        """
        ends_at = time.monotonic() + self.pace["timeout_ms"] / 1000
        bound = self.pace["backoff_base_ms"] / 1000
        while True:
            wait = 0
            try:
                return attempt()
            except Broken as broken:
                last, may_have_happened = Failure("failed", str(broken)), True
            except Failure as refusal:
                if not is_transient(refusal):
                    if handle is None or not may_have_happened or refusal.details.get("code") in FINAL_FOR_KEY:
                        raise
                    raise Failure("unknown", f"an earlier attempt may have taken effect: {refusal}", handle=handle)
                last, wait = refusal, refusal.details.get("retry_after_ms", 0) / 1000
                may_have_happened = may_have_happened or refusal.details["status"] >= 500
            delay = max(wait, random.random() * bound)
            bound = min(bound * 2, self.pace["backoff_max_ms"] / 1000)
            if time.monotonic() + delay >= ends_at:
                if handle is not None and may_have_happened:
                    raise Failure("unknown", f"the write may have taken effect: {last}", handle=handle)
                raise last
            time.sleep(delay)
