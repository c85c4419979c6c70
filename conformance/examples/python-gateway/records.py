"""The gateway's stored data, and its public records."""
import asyncio
import secrets
import uuid
from dataclasses import dataclass, field

from clock import to_timestamp

TERMINAL = ('succeeded', 'failed', 'cancelled', 'interrupted', 'expired')
SCOPES = ('conversations:read', 'conversations:write', 'runs:read', 'runs:write')


def new_id(prefix):
    return f'{prefix}_{uuid.uuid4().hex}'


@dataclass(eq=False)
class App:
    app_id: str
    owner_id: str
    enabled: bool = True
    pending_limit: int = 200


@dataclass(eq=False)
class Device:
    enabled: bool = True
    paused: bool = False
    pending_limit: int = 1000
    online: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self):
        self.online.set()


@dataclass(eq=False)
class Service:
    endpoint_id: str
    app: App
    device: Device
    accepts: tuple = ('text/*',)
    version: int = 1
    least_version: int = 1  # conversations bound to an earlier version require a reset


@dataclass(eq=False)
class Conversation:
    conversation_id: str
    subject: str
    service: Service
    business_key: str
    created_ms: int
    version: int
    generation: int = 1
    reset: object = None  # the operation that is resetting it
    executing: object = None
    seq: int = 0
    events: list = field(default_factory=list)  # (seq, at, type, run, JSON)
    pruned_to: int = 0
    messages: list = field(default_factory=list)
    runs: list = field(default_factory=list)
    readers: set = field(default_factory=set)

    def record(self):
        app = self.service.app
        key = {} if self.business_key is None else {'business_key': self.business_key}
        return {'conversation_id': self.conversation_id, 'owner_id': app.owner_id, 'app_id': app.app_id,
                'subject': self.subject, 'endpoint_id': self.service.endpoint_id, 'binding_version': self.version,
                'generation': self.generation, **key, 'state': 'active' if self.reset is None else 'resetting',
                'created_at': to_timestamp(self.created_ms)}

    def unfinished(self):
        return [run for run in self.runs if run.state not in TERMINAL]


@dataclass(eq=False)
class Message:
    message_id: str
    cursor: int
    run: object
    role: str
    created_ms: int
    content: dict

    def record(self):
        return {'cursor': self.cursor, 'message_id': self.message_id,
                'conversation_id': self.run.conversation.conversation_id, 'run_id': self.run.run_id,
                'generation': self.run.generation, 'role': self.role, 'created_at': to_timestamp(self.created_ms),
                'content': self.content}


@dataclass(eq=False)
class Run:
    run_id: str
    conversation: Conversation
    generation: int
    input: dict
    start_before_ms: int
    created_ms: int
    updated_ms: int
    message: Message = None
    state: str = 'queued'
    received: bool = False
    result: dict = None
    ended_ms: int = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    stop_delay_ms: int = 0
    ignores_stop: bool = False
    output: Message = None  # the assistant's message while it is streamed
    pieces: int = 0
    operations: list = field(default_factory=list)

    def record(self):
        return {'run_id': self.run_id, 'message_id': self.message.message_id,
                'conversation_id': self.conversation.conversation_id, 'generation': self.generation,
                'state': self.state, 'delivery_state': 'device_received' if self.received else 'waiting_device',
                'created_at': to_timestamp(self.created_ms), 'updated_at': to_timestamp(self.updated_ms),
                'result': self.result}


@dataclass(eq=False)
class Operation:
    operation_id: str
    conversation: Conversation
    generation: int
    state: str = 'stopping'

    def record(self):
        return {'operation_id': self.operation_id, 'state': self.state,
                'ref': {'conversation_id': self.conversation.conversation_id, 'generation': self.generation}}


@dataclass(eq=False)
class Resource:
    resource_id: str
    app: App
    subject: str
    declared: dict
    created_ms: int
    content: bytes = None

    def record(self):
        return {'resource_id': self.resource_id, 'app_id': self.app.app_id, 'subject': self.subject,
                'sha256': None, **self.declared, 'status': 'pending' if self.content is None else 'ready',
                'created_at': to_timestamp(self.created_ms)}


class Store:
    """All data, in memory. It is lost when the process ends."""

    def __init__(self):
        self.apps, self.keys, self.services = {}, {}, {}
        self.conversations, self.business_keys, self.runs, self.operations, self.resources = {}, {}, {}, {}, {}
        self.answers = {}  # by idempotency key: (application, subject, key) to (fingerprint, status, body)
        self.approvals = {}
        self.admission_paused = False
        self.answers_to_lose = 0
        self.streams = []  # (subject of an application, application, device) of each open stream

    def new_key(self, app, scopes):
        key = f'gk_{secrets.token_hex(32)}'
        self.keys[key] = (app, tuple(scopes))
        return key

    def unfinished(self):
        return (run for conversation in self.conversations.values() for run in conversation.unfinished())
