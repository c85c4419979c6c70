"""Incoming webhooks: a signed JSON body, mapped by configured paths to a new run, a message, a reset or a cancel."""
import hashlib
import re
import secrets
from dataclasses import dataclass

import bodies
from bodies import invalid, is_positive_integer
from problem import Problem, denied, not_found, unauthenticated
from records import Service, new_id
from signature import is_signed
from wire import Response, json_response

PATH = re.compile(r'[^.\[\]*?()$@]+(\.[^.\[\]*?()$@]+){0,4}')
FIELDS = ('event_type_field', 'message_field', 'data_field', 'resource_ids_field', 'conversation_key_field',
          'conversation_id_field', 'generation_field', 'run_id_field')
INPUT_FIELDS = {'text': 'message_field', 'data': 'data_field', 'resource_ids': 'resource_ids_field'}
NEEDS = {'new': (), 'key': ('conversation_key_field',), 'id': ('conversation_id_field', 'generation_field'),
         'reset': ('conversation_id_field', 'generation_field'), 'cancel': ('run_id_field',)}


@dataclass(eq=False)
class Integration:
    integration_id: str
    service: Service
    settings: dict
    secrets: list  # (secret, the time until which it is valid or None)


class Webhooks:
    def __init__(self, engine):
        self.engine, self.store, self.integrations, self.accepted = engine, engine.store, {}, {}

    def save(self, service, settings, integration_id=None, secret=None):
        check_settings(settings)
        saved = Integration(integration_id or new_id('wh'), service, settings, [(secret or f'whsec_{secrets.token_hex(32)}', None)])
        self.integrations[saved.integration_id] = saved
        return saved

    def rotate(self, integration, overlap_seconds):
        until = self.engine.clock.now_ms() + overlap_seconds * 1000
        integration.secrets = [(f'whsec_{secrets.token_hex(32)}', None), (integration.secrets[0][0], until)]
        return integration.secrets[0][0]

    def receive(self, request, integration_id):
        integration = self.integrations.get(integration_id)
        if integration is None:
            raise not_found()
        if len(request.body) > bodies.MEBIBYTE:
            raise Problem(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.')
        now = self.engine.clock.now_ms()
        if not is_signed(request, [secret for secret, until in integration.secrets if until is None or now < until], now):
            raise unauthenticated('The signature headers or the timestamp are wrong.')
        service = integration.service
        if not (integration.settings.get('enabled', True) and service.app.enabled and service.device.enabled):
            raise denied('The integration, its application or its device is disabled.')
        if (request.header('content-type') or '').split(';')[0].strip().lower() != 'application/json':
            raise Problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'The Content-Type has to be application/json.')
        body, digest = bodies.parse_json_object(request.body), hashlib.sha256(request.body).digest()
        event = (integration, request.header('webhook-id'))
        if event in self.accepted:
            known, answer = self.accepted[event]
            if known != digest:
                raise Problem(409, 'WEBHOOK_CONFLICT', 'This webhook-id was used with another body.')
            return Response(202, answer, {'Content-Type': 'application/json', 'Idempotency-Replayed': 'true'})
        answer = json_response(202, self._act(integration, integration.settings, body))
        self.accepted[event] = (digest, answer.body)
        return answer

    def _act(self, integration, settings, body):
        def read(field):
            value = body
            for name in settings[field].split('.') if settings.get(field) else ['']:
                value = value.get(name) if isinstance(value, dict) else None
            return value
        if read('event_type_field') not in settings['event_types']:
            raise denied('The event type is not one that the integration accepts.')
        service, subject = integration.service, settings['subject']

        def own(records, field):
            value = read(field)
            if not isinstance(value, str) or value == '':
                raise invalid(settings[field], 'This has to be an ID.')
            record = records.get(value)
            conversation = getattr(record, 'conversation', record)
            if record is None or (conversation.service, conversation.subject) != (service, subject):
                raise not_found()
            return record

        def generation():
            if not is_positive_integer(read('generation_field')):
                raise invalid(settings['generation_field'], 'This has to be a positive integer.')
            return read('generation_field')
        action = settings['action']
        if action == 'cancel':
            return self.engine.cancel(own(self.store.runs, 'run_id_field'))
        if action == 'reset':
            expected = generation()
            conversation = own(self.store.conversations, 'conversation_id_field')
            return self.engine.reset(conversation, expected, settings.get('busy_policy', 'reject'))
        content = {name: read(field) for name, field in INPUT_FIELDS.items() if read(field) is not None}
        bodies.check_writable(content, '')
        bodies.message_input(content, '')
        conversation, key, expected = None, None, {}
        if action == 'message' and settings['match'] == 'key':
            key = read('conversation_key_field')
            bodies.check_writable(key, settings['conversation_key_field'])
            bodies.conversation_key(key, settings['conversation_key_field'])
            conversation = self.engine.find(service, subject, key)
        elif action == 'message':
            expected = {'expected_generation': generation()}
            conversation = own(self.store.conversations, 'conversation_id_field')
        return self.engine.admit(service, subject, conversation, {'input': content, **expected}, business_key=key)


def check_settings(settings):
    """Refuses invalid settings with a ValueError that names the reason."""
    action, types = settings.get('action'), settings.get('event_types')
    if not bodies.is_subject(settings.get('subject')):
        raise ValueError('subject: must be a text of 1 to 256 characters')
    if not isinstance(types, list) or not types or not all(isinstance(one, str) and one for one in types):
        raise ValueError('event_types: must be a non-empty list of texts')
    kind = settings.get('match') if action == 'message' else action
    if kind not in NEEDS or action == 'new' and ('match' in settings or settings.get('conversation_key_field')
                                                 or settings.get('conversation_id_field')):
        raise ValueError('action: must be new, message with match key or id, reset or cancel; new takes no match and no conversation field')
    for field in ('event_type_field', *NEEDS[kind]):
        if not settings.get(field):
            raise ValueError(f'{field}: this action requires it')
    if kind in ('new', 'key', 'id') and not any(settings.get(field) for field in INPUT_FIELDS.values()):
        raise ValueError('message_field, data_field or resource_ids_field: one of them is required')
    for field in FIELDS:
        if settings.get(field) and not PATH.fullmatch(settings[field]):
            raise ValueError(f'{field}: a path has one to five names with dots between them')
