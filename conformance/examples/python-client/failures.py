"""Failures between a client and the gateway, and their meaning for a write."""

import email.utils
import json
import re
import time

# A refusal with one of these codes proves that no attempt under the key has taken effect.
FINAL_FOR_KEY = (
    "UNKNOWN_FIELD", "INVALID_REQUEST", "NOT_FOUND", "GENERATION_CONFLICT", "IDEMPOTENCY_CONFLICT",
    "WEBHOOK_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE",
)


class Failure(Exception):
    """An error of the adapter protocol."""

    def __init__(self, kind, message, **details):
        super().__init__(message)
        self.details = {"kind": kind, "message": message, **details}


class Broken(Exception):
    """The gateway's answer is missing or incomplete, so the request may have taken effect."""


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
    """Converts an error answer to a failure."""
    try:
        code = json.loads(content).get("code")
    except (ValueError, AttributeError):
        code = None
    wait = read_retry_after(headers.get("Retry-After"))
    details = {} if wait is None else {"retry_after_ms": round(wait * 1000)}
    if status == 410:
        return Failure("expired", "events after the position are no longer retained")
    return Failure("refused", f"{status} {code}", status=status, code=code, **details)


def is_transient(failure):
    status = failure.details.get("status", 0)
    return status in (408, 425, 429) or status >= 500
