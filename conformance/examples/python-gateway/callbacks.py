"""Outgoing callbacks: signed events of a device's services, sent until they are accepted, refused or expired."""
import asyncio
import ipaddress
import secrets
import socket
import ssl
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from records import Service, new_id
from signature import sign

SCHEDULE_S = (5, 30, 120, 600, 1800, 7200, 21600)
WINDOW_MS = 24 * 3_600_000
PAYLOAD_RETENTION_MS = 7 * WINDOW_MS
TIMEOUT_S = 10
TYPES = {'run.completed', 'run.failed', 'run.cancelled', 'run.interrupted', 'run.expired', 'approval.required'}


@dataclass(eq=False)
class Callback:
    callback_id: str
    service: Service
    url: str
    events: list
    secret: str
    enabled: bool = True
    version: int = 1


@dataclass(eq=False)
class Delivery:
    delivery_id: str
    callback: Callback
    version: int
    conversation_id: str
    event_id: str
    body: bytes
    recorded_ms: int
    expires_ms: int
    state: str = 'pending'
    attempts: int = 0
    last_error: str = None
    round: int = 0
    pending: object = field(default=None, repr=False)


class Callbacks:
    def __init__(self, clock, allowed_hosts, dev_origins=()):
        self.clock, self.allowed_hosts, self.dev_origins = clock, set(allowed_hosts), set(dev_origins)
        self.configured, self.deliveries = {}, {}

    # Configuration

    def save(self, service, url, events, secret=None, enabled=True, callback_id=None):
        self.check(url, events)
        saved = Callback(callback_id or new_id('cb'), service, url, events, secret or f'whsec_{secrets.token_hex(32)}', enabled)
        self.configured[saved.callback_id] = saved
        return saved

    def change(self, callback, **settings):
        """Changes a configuration. Cancels undelivered callbacks if it is disabled or has another URL or secret."""
        self.check(settings.get('url', callback.url), settings.get('events', callback.events))
        renewed = any(name in settings and settings[name] != getattr(callback, name) for name in ('url', 'secret'))
        for name, value in settings.items():
            setattr(callback, name, value)
        callback.version += renewed
        for delivery in self.deliveries.values():
            if delivery.callback is callback and not self._is_current(delivery) and delivery.state in ('pending', 'sending'):
                delivery.state = 'cancelled_config_changed'

    def check(self, url, events):
        parts = urlsplit(url)
        origin = f'{parts.scheme}://{parts.netloc}'
        host = parts.hostname or ''
        public = (parts.scheme == 'https' and parts.port in (None, 443) and host in self.allowed_hosts
                  and '@' not in parts.netloc and '#' not in url and not _is_address(host) and url.isascii()
                  and not any(one <= ' ' or one in '\\\x7f' for one in url))
        if not public and origin not in self.dev_origins:
            raise ValueError('url: must be an HTTPS URL on port 443 of an allowed host')
        if not events or not set(events) <= TYPES:
            raise ValueError(f'events: must be some of {", ".join(sorted(TYPES))}')

    def _is_current(self, delivery):
        return delivery.callback.enabled and delivery.callback.version == delivery.version

    # Delivery

    def on_event(self, conversation, event, data):
        service, now = conversation.service, self.clock.now_ms()
        for callback in self.configured.values():
            if (callback.enabled and event['type'] in callback.events and callback.service.app is service.app
                    and callback.service.device is service.device):
                delivery = Delivery(new_id('dlv'), callback, callback.version, conversation.conversation_id,
                                    event['event_id'], data, now, now + WINDOW_MS)
                self.deliveries[delivery.delivery_id] = delivery
                self._send(delivery, 0)

    def retry(self, delivery):
        """The manual retry: starts a new window with all attempts. Raises a ValueError if the delivery allows none."""
        if delivery.state not in ('needs_action', 'expired'):
            raise ValueError('only deliveries that need action or have expired are retried')
        if not delivery.callback.enabled or delivery.callback.version != delivery.version:
            raise ValueError('the configuration is disabled or has changed')
        if self.clock.now_ms() - delivery.recorded_ms > PAYLOAD_RETENTION_MS:
            raise ValueError('the payload is no longer retained')
        delivery.state, delivery.round, delivery.expires_ms = 'pending', 0, self.clock.now_ms() + WINDOW_MS
        self._send(delivery, 0)

    def _send(self, delivery, after_ms):
        delivery.state = 'pending'
        delivery.next_ms = self.clock.now_ms() + after_ms
        if delivery.round >= len(SCHEDULE_S) + 1 or delivery.next_ms > delivery.expires_ms:
            delivery.state = 'expired'
        else:
            self.clock.at(delivery.next_ms, lambda: asyncio.ensure_future(self._attempt(delivery)))

    async def _attempt(self, delivery):
        if delivery.state != 'pending':
            return
        if self.clock.now_ms() > delivery.expires_ms:
            delivery.state = 'expired'
            return
        callback, timestamp = delivery.callback, self.clock.now_ms() // 1000
        delivery.state, delivery.attempts, delivery.round = 'sending', delivery.attempts + 1, delivery.round + 1
        headers = {'Content-Type': 'application/json', 'webhook-id': delivery.event_id, 'webhook-timestamp': timestamp,
                   'webhook-signature': sign(callback.secret, delivery.event_id, timestamp, delivery.body)}
        try:
            async with asyncio.timeout(TIMEOUT_S):
                status, retry_after = await self._post(callback.url, headers, delivery.body)
            error = None if 200 <= status < 300 else f'answered {status}'
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as failure:
            status, retry_after, error = None, None, str(failure) or type(failure).__name__
        if delivery.state != 'sending':
            return
        delivery.last_error = error
        if error is None:
            delivery.state = 'delivered'
        elif status is None or status in (408, 425, 429) or status >= 500:
            planned = SCHEDULE_S[min(delivery.round, len(SCHEDULE_S)) - 1] * 1000
            self._send(delivery, max(planned, self._wait_ms(retry_after)))
        else:
            delivery.state = 'needs_action'

    def _wait_ms(self, retry_after):
        """Milliseconds of a Retry-After, which is given in seconds or as a date."""
        if retry_after is None:
            return 0
        if retry_after.isdigit():
            return int(retry_after) * 1000
        try:
            return max(0, int(parsedate_to_datetime(retry_after).timestamp() * 1000) - self.clock.now_ms())
        except ValueError:
            return 0

    async def _post(self, url, headers, body):
        """Returns status and Retry-After of the answer. Connects to the checked address and follows no redirects."""
        parts = urlsplit(url)
        port, is_tls = parts.port or (443 if parts.scheme == 'https' else 80), parts.scheme == 'https'
        found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
        addresses = [one[4][0] for one in found]
        if f'{parts.scheme}://{parts.netloc}' not in self.dev_origins:
            if not all(ipaddress.ip_address(one).is_global for one in addresses):
                raise ValueError('the name resolves to an address that is not public')
        tls = {'ssl': ssl.create_default_context(), 'server_hostname': parts.hostname} if is_tls else {}
        reader, writer = await asyncio.open_connection(addresses[0], port, **tls)
        try:
            path = (parts.path or '/') + (f'?{parts.query}' if parts.query else '')
            lines = [f'POST {path} HTTP/1.1', f'Host: {parts.netloc}', f'Content-Length: {len(body)}', 'Connection: close',
                     *(f'{name}: {value}' for name, value in headers.items())]
            writer.write('\r\n'.join(lines).encode() + b'\r\n\r\n' + body)
            await writer.drain()
            head = (await reader.readuntil(b'\r\n\r\n')).decode('latin-1').split('\r\n')
            answered = {name.lower(): value.strip() for name, _, value in (line.partition(':') for line in head[1:])}
            return int(head[0].split(' ')[1]), answered.get('retry-after')
        finally:
            writer.close()


def _is_address(host):
    try:
        socket.inet_aton(host)
        return True
    except OSError:
        return ':' in host
