"""Validation of bodies, headers and queries. The refusal of a member, header or parameter names it."""
import json
import re
from datetime import datetime

from problem import Problem, invalid

MEBIBYTE = 1024 * 1024
MAX_INTEGER = 2**53 - 1
VISIBLE_ASCII = re.compile(r'[\x21-\x7e]{1,128}')
RFC3339 = re.compile(r'(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)', re.ASCII)


def parse_json_object(body):
    """Parses a JSON object from bytes. Requires UTF-8, and refuses NaN and Infinity."""
    def refuse(name):
        raise ValueError(f'{name} is not JSON')
    try:
        value = json.loads(body.decode('utf-8'), parse_constant=refuse)
    except (ValueError, RecursionError):
        raise invalid('', 'The body is not valid JSON in UTF-8.') from None
    if not isinstance(value, dict):
        raise invalid('', 'The body is not a JSON object.')
    return value


def read_body(request, rules):
    """Parses and validates a request's JSON object. The rules say of each member whether it is required, and its check."""
    if len(request.body) > MEBIBYTE:
        raise Problem(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.')
    content_type = (request.header('content-type') or '').split(';')[0].strip().lower()
    if content_type != 'application/json':
        raise Problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'The Content-Type has to be application/json.')
    body = parse_json_object(request.body)
    check_writable(body, '')
    check_members(body, rules)
    return body


def check_writable(value, at):
    """Stored values must be encodable: no lone surrogates, and no nesting deeper than the encoder supports."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise invalid(at, 'This contains a lone surrogate, or is nested too deeply.') from None


def check_members(value, rules, at=''):
    for name in value:
        if name not in rules:
            raise Problem(400, 'UNKNOWN_FIELD', 'This member is not known.', f'{at}/{name}')
    for name, (required, check) in rules.items():
        if name in value:
            check(value[name], f'{at}/{name}')
        elif required:
            raise invalid(f'{at}/{name}', 'This member is required.')


def is_positive_integer(value):
    return type(value) is int and 1 <= value <= MAX_INTEGER


def that(holds, detail):
    """A check of a member: its condition, and the message if the condition is false."""
    def check(value, at):
        if not holds(value):
            raise invalid(at, detail)
    return check


def is_text(least, most):
    return lambda value: isinstance(value, str) and least <= len(value) <= most


positive = that(is_positive_integer, 'This has to be a positive integer.')
conversation_key = that(lambda value: is_text(1, 256)(value) and value.strip() == value and '\0' not in value,
                        'This has to be a text of 1 to 256 characters without surrounding white space.')
busy_policy = that(lambda value: value in ('reject', 'cancel_and_reset'), 'This has to be reject or cancel_and_reset.')
timestamp = that(lambda value: to_ms(value) is not None, 'This has to be an RFC 3339 timestamp with a timezone.')
resource_list = that(lambda value: isinstance(value, list) and len(value) <= 5 and all(isinstance(one, str) for one in value)
                     and len(set(value)) == len(value), 'This has to be a list of at most 5 different IDs.')
INPUT = {
    'text': (False, that(lambda value: isinstance(value, str) and len(value.encode()) <= 64 * 1024,
                         'This has to be a text of at most 64 KiB.')),
    'data': (False, that(lambda value: isinstance(value, dict), 'This has to be an object.')),
    'resource_ids': (False, resource_list),
}


def message_input(value, at):
    if not isinstance(value, dict):
        raise invalid(at, 'This has to be an object.')
    check_members(value, INPUT, at)
    if not any(value.get(name) for name in INPUT):
        raise invalid(at, 'This needs a text, data or attachments.')


def to_ms(value):
    """Milliseconds since 1970 of an RFC 3339 timestamp; None for any other value."""
    match = RFC3339.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    day, hour, fraction, zone, _ = match.groups()
    try:
        whole = datetime.fromisoformat(f'{day}T{hour}' + ('+00:00' if zone in 'Zz' else zone))
        return int(whole.timestamp() * 1000) + int(float(fraction or 0) * 1000)
    except ValueError:
        return None


def read_query(request, names):
    """Returns the query parameters with these names. Refuses a repeated one, and ignores all others."""
    found = {}
    for name, value in request.query:
        if name not in names:
            continue
        if name in found:
            raise invalid(name, 'This parameter occurs more than once.')
        found[name] = value
    return found


def positive_parameter(query, name, default=None, most=MAX_INTEGER):
    value = query.get(name)
    if value is None:
        return default
    if not re.fullmatch(r'[0-9]{1,16}', value) or not 1 <= int(value) <= most:
        raise invalid(name, f'This has to be an integer from 1 to {most}.')
    return int(value)


def read_subject(request):
    values = request.values('x-service-subject')
    try:
        subject = values[0].decode('utf-8') if len(values) == 1 else ''
    except UnicodeDecodeError:
        subject = ''
    if not is_subject(subject):
        raise invalid('X-Service-Subject', 'This header has to name a subject of 1 to 256 characters, once.')
    return subject


def is_subject(value):
    return is_text(1, 256)(value) and value.strip() == value and all(ord(one) > 31 and not 127 <= ord(one) < 160 for one in value)


def read_idempotency_key(request):
    values = request.values('idempotency-key')
    key = values[0].decode('latin-1') if len(values) == 1 else ''
    if not VISIBLE_ASCII.fullmatch(key):
        raise invalid('Idempotency-Key', 'This header has to contain 1 to 128 visible ASCII characters, once.')
    return key
