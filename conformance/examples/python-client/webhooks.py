"""Events signed with the gateway's scheme: sends events, and verifies received ones."""

import hashlib
import hmac
import json
import re
import time

from transport import check_address

TOLERANCE_SECONDS = 300
ID = re.compile(r"[!-~]{1,128}")
TIMESTAMP = re.compile(r"[0-9]+")
SIGNATURE = re.compile(r"v1,[0-9a-f]{64}")


def sign(secret, event_id, timestamp, body):
    """Signs with the literal text of the secret and the raw bytes of the body."""
    signed = f"{event_id}.{timestamp}.".encode() + body
    return "v1," + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def send_webhook(transport, url, secret, event_id, body):
    """Sends an event to a webhook of the gateway, and repeats it under the same ID until an answer decides the outcome."""
    address = check_address(url)
    content = json.dumps(body, ensure_ascii=False).encode()

    def attempt():
        timestamp = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "webhook-id": event_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": sign(secret, event_id, timestamp, content),
        }
        return transport.attempt(address, "POST", address.path, headers, content, 202)

    return transport.until_settled(attempt)


class NotTrusted(Exception):
    """The callback is malformed, has a wrong signature, or its timestamp differs too much from the clock."""


def verify(secret, headers, body, now=time.time):
    """Verifies a callback and returns its event. `headers` is a message of `http.client`."""
    event_id = only(headers, "webhook-id", ID)
    timestamp = only(headers, "webhook-timestamp", TIMESTAMP)
    signature = only(headers, "webhook-signature", SIGNATURE)
    if len(timestamp) > 15 or abs(int(now()) - int(timestamp)) > TOLERANCE_SECONDS:
        raise NotTrusted("the timestamp differs from the clock by more than 300 seconds")
    if not hmac.compare_digest(signature, sign(secret, event_id, timestamp, body)):
        raise NotTrusted("the signature does not match")
    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError as cause:
        raise NotTrusted("the body is not JSON in UTF-8") from cause
    if not isinstance(event, dict) or event.get("event_id") != event_id:
        raise NotTrusted("the body is not the event that webhook-id names")
    return event


def only(headers, name, form):
    """Returns the header's only value if it has the required form. Several values are refused like a missing one."""
    values = headers.get_all(name, [])
    if len(values) != 1 or not form.fullmatch(values[0]):
        raise NotTrusted(f"{name} is missing, repeated or malformed")
    return values[0]
