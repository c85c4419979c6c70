"""The signature scheme of incoming webhooks and outgoing callbacks."""
import hashlib
import hmac
import re

TOLERANCE_S = 300


def sign(secret, event_id, timestamp, body):
    return 'v1,' + hmac.new(secret.encode(), f'{event_id}.{timestamp}.'.encode() + body, hashlib.sha256).hexdigest()


def is_signed(request, secrets, now_ms):
    event_id, timestamp, given = (request.header(f'webhook-{name}') or '' for name in ('id', 'timestamp', 'signature'))
    if not (re.fullmatch(r'[\x21-\x7e]{1,128}', event_id) and re.fullmatch('[0-9]{1,15}', timestamp)
            and re.fullmatch('v1,[0-9a-f]{64}', given)):
        return False
    known = [hmac.compare_digest(sign(secret, event_id, timestamp, request.body), given) for secret in secrets]
    return any(known) and abs(int(timestamp) - now_ms / 1000) <= TOLERANCE_S
