"""The routes below /api/v1. Each is a function that takes the caller, the request and the IDs of the path."""
import hashlib
import json
import re
import time

import bodies
from bodies import positive_parameter, read_body, read_query, that
from engine import DIRECT_WINDOW_MS
from problem import Problem, busy, denied, invalid, not_found, too_many, unauthenticated
from records import Resource, new_id
from streams import open_stream
from wire import Response, json_response, to_json

PREFIX = '/api/v1'
PAGE, LARGEST_PAGE, LIMIT_MOST = 50, 100, 200
SNAPSHOT_BYTES, SNAPSHOT_MESSAGES, SNAPSHOT_RUNS = 1024 * 1024, 200, 100
MAX_RESOURCE_BYTES = 16 * 1024 * 1024

CREATE = {'endpoint_id': (True, that(lambda value: isinstance(value, str) and value != '', 'This has to be the ID of a service.')),
          'conversation_key': (False, bodies.conversation_key)}
SEND = {'expected_generation': (True, bodies.positive), 'input': (True, bodies.message_input),
        'start_before': (False, bodies.timestamp)}
RUN = {**SEND, 'expected_generation': (False, bodies.positive), 'conversation_key': (False, bodies.conversation_key)}
RESET = {'expected_generation': (True, bodies.positive), 'busy_policy': (False, bodies.busy_policy)}
RESOURCE = {
    'filename': (True, that(lambda value: bodies.is_text(1, 255)(value) and not re.search(r'[/\\\x00-\x1f\x7f-\x9f]', value),
                            'This has to be a plain file name.')),
    'content_type': (True, that(lambda value: isinstance(value, str) and re.match(r'[\w.+-]+/[\w.+-]+', value, re.ASCII),
                                'This has to be a media type.')),
    'size': (True, that(lambda value: bodies.is_positive_integer(value) and value <= MAX_RESOURCE_BYTES,
                        'This has to be a number of bytes up to 16 MiB.')),
    'sha256': (False, that(lambda value: isinstance(value, str) and re.fullmatch('[0-9a-f]{64}', value),
                           'This has to be 64 hexadecimal digits.')),
}


class Caller:
    def __init__(self, app, subject):
        self.app, self.subject = app, subject


class Api:
    def __init__(self, engine, webhooks, rate=0):
        self.engine, self.store, self.webhooks = engine, engine.store, webhooks
        self.rate, self.buckets = rate, {}  # requests a second for a key; for each key the remaining requests and their time
        self.routes = [(method, re.compile(PREFIX + path.replace('{id}', '([^/]+)')), scopes, act) for method, path, scopes, act in (
            ('POST', '/conversations', 'conversations:write', self.create_conversation),
            ('GET', '/conversations', 'conversations:read', self.list_conversations),
            ('GET', '/conversations/{id}', 'conversations:read', self.read_snapshot),
            ('POST', '/conversations/{id}/messages', 'conversations:write', self.send_message),
            ('GET', '/conversations/{id}/messages', 'conversations:read', self.list_messages),
            ('GET', '/conversations/{id}/events', 'conversations:read', self.stream_conversation),
            ('POST', '/conversations/{id}/reset', 'conversations:write', self.reset),
            ('GET', '/runs/{id}', 'runs:read', self.read_run),
            ('GET', '/runs/{id}/events', 'runs:read', self.stream_run),
            ('POST', '/runs/{id}/cancel', 'runs:write', self.cancel),
            ('GET', '/operations/{id}', 'conversations:read runs:read', self.read_operation),
            ('POST', '/agent-endpoints/{id}/runs', 'runs:write', self.create_run),
            ('POST', '/resources', 'conversations:write', self.create_resource),
            ('GET', '/resources/{id}', 'conversations:read', self.read_resource),
            ('DELETE', '/resources/{id}', 'conversations:write', self.delete_resource),
            ('PUT', '/resources/{id}/content', 'conversations:write', self.put_content),
            ('GET', '/resources/{id}/content', 'conversations:read', self.read_content),
            ('POST', '/webhooks/{id}', None, webhooks.receive))]

    def handle(self, request):
        try:
            return self._dispatch(request)
        except Problem as problem:
            return json_response(problem.status, problem.body(), problem.headers, 'application/problem+json')

    def _dispatch(self, request):
        found = [(method, scopes, act, match.groups()) for method, path, scopes, act in self.routes
                 if (match := path.fullmatch(request.path))]
        for method, scopes, act, ids in found:
            if method == request.method:
                return act(request, *ids) if scopes is None else act(self._authenticate(request, scopes), request, *ids)
        if found:
            allowed = ', '.join(method for method, *_ in found)
            raise Problem(405, 'METHOD_NOT_ALLOWED', 'This path does not support this method.', headers={'Allow': allowed})
        raise not_found()

    def _authenticate(self, request, scopes):
        match = re.fullmatch(r'(?i:bearer) +([\x21-\x7e]+)', request.header('authorization') or '')
        app, granted = self.store.keys.get(match and match[1], (None, ()))
        if app is None:
            raise unauthenticated('The request has no valid key.')
        self._limit_rate(match[1])
        if not app.enabled or not set(scopes.split()) & set(granted):
            raise denied('The application is disabled, or the key lacks the scope.')
        return Caller(app, bodies.read_subject(request))

    def _limit_rate(self, key):
        """Each key has a token bucket for two seconds' requests, which refills at its rate."""
        if self.rate == 0:
            return
        now, most = time.monotonic(), 2 * self.rate
        left, since = self.buckets.get(key, (most, now))
        left = min(most, left + (now - since) * self.rate)
        if left < 1:
            raise too_many('RATE_LIMITED', 'This key sends more requests a second than it may.')
        self.buckets[key] = (left - 1, now)

    def _owned(self, caller, records, record_id):
        """Returns the caller's record with this ID, or raises a 404."""
        record = records.get(record_id)
        holder = getattr(record, 'conversation', record)
        app = holder and getattr(holder, 'app', None) or holder and holder.service.app
        if record is None or (app, holder.subject) != (caller.app, caller.subject):
            raise not_found()
        return record

    def _service(self, caller, endpoint_id):
        service = self.store.services.get(endpoint_id)
        if service is None or service.app is not caller.app:
            raise not_found()
        return service

    def _once(self, caller, request, key, body, status, act):
        """Repeats the stored answer for a known key. A refused request does not use up its key."""
        content = json.dumps([request.method, request.path, body], sort_keys=True)
        owner, fingerprint = (caller.app, caller.subject, key), hashlib.sha256(content.encode()).digest()
        if owner in self.store.answers:
            known, kept_status, kept = self.store.answers[owner]
            if known != fingerprint:
                raise Problem(409, 'IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with other content.')
            return Response(kept_status, kept, {'Content-Type': 'application/json', 'Idempotency-Replayed': 'true'})
        answer = json_response(status, act())
        self.store.answers[owner] = (fingerprint, status, answer.body)
        if self.store.answers_to_lose > 0:
            self.store.answers_to_lose -= 1
            lost = Problem(503, 'CAPABILITY_UNAVAILABLE', 'The answer was lost: send the request again.', headers={'Retry-After': '1'})
            return json_response(503, {**lost.body(), 'outcome': 'unknown'}, lost.headers, 'application/problem+json')
        return answer

    # Conversations

    def create_conversation(self, caller, request):
        key, body = bodies.read_idempotency_key(request), read_body(request, CREATE)
        service = self._service(caller, body['endpoint_id'])
        return self._once(caller, request, key, body, 201, lambda: self.engine.create(
            service, caller.subject, body.get('conversation_key')).record())

    def list_conversations(self, caller, request):
        query = read_query(request, ['endpoint_id', 'limit', 'before'])
        limit = positive_parameter(query, 'limit', PAGE, LIMIT_MOST)
        if not query.get('endpoint_id'):
            raise invalid('endpoint_id', 'This parameter is required.')
        device = self._service(caller, query['endpoint_id']).device
        found = [one for one in reversed(self.store.conversations.values()) if one.subject == caller.subject
                 and one.service.app is caller.app and one.service.device is device]
        if 'before' in query:
            before = self._owned(caller, self.store.conversations, query['before'])
            found = found[found.index(before) + 1:] if before in found else []
        return json_response(200, {'conversations': [one.record() for one in found[:min(limit, LARGEST_PAGE)]]})

    def read_snapshot(self, caller, request, conversation_id):
        conversation = self._owned(caller, self.store.conversations, conversation_id)
        messages = self._messages(conversation)[-SNAPSHOT_MESSAGES:]
        runs = [{'run_id': run.run_id, 'generation': run.generation, 'state': run.state, 'device_received': run.received,
                 'result': self._result(run), 'result_available': self._result(run) is not None}
                for run in conversation.runs[-SNAPSHOT_RUNS:]]
        size = len(to_json([messages, runs]))
        for run in runs:
            if size > SNAPSHOT_BYTES and run['result'] is not None:
                size -= len(to_json(run['result']))
                run['result'] = None
        while size > SNAPSHOT_BYTES and messages:
            size -= len(to_json(messages.pop(0)))
        return json_response(200, {'conversation_id': conversation_id, 'generation': conversation.generation,
                                   'watermark': conversation.seq, 'messages': messages, 'runs': runs})

    def _messages(self, conversation):
        return [one.record() for one in conversation.messages if self.engine.is_retained(one.run)]

    def _result(self, run):
        return run.result if self.engine.is_retained(run) else None

    def list_messages(self, caller, request, conversation_id):
        conversation = self._owned(caller, self.store.conversations, conversation_id)
        query = read_query(request, ['generation', 'limit', 'before'])
        limit = min(positive_parameter(query, 'limit', PAGE, LIMIT_MOST), LARGEST_PAGE)
        before, generation = positive_parameter(query, 'before'), positive_parameter(query, 'generation')
        found = [one for one in self._messages(conversation) if (before is None or one['cursor'] < before)
                 and (generation is None or one['generation'] == generation)]
        return json_response(200, {'messages': found[-limit:]})

    def send_message(self, caller, request, conversation_id):
        key, body = bodies.read_idempotency_key(request), read_body(request, SEND)
        conversation = self._owned(caller, self.store.conversations, conversation_id)
        return self._once(caller, request, key, body, 202, lambda: self.engine.admit(
            conversation.service, caller.subject, conversation, body))

    def reset(self, caller, request, conversation_id):
        key, body = bodies.read_idempotency_key(request), read_body(request, RESET)
        conversation = self._owned(caller, self.store.conversations, conversation_id)
        return self._once(caller, request, key, body, 202, lambda: self.engine.reset(
            conversation, body['expected_generation'], body.get('busy_policy', 'reject')))

    def stream_conversation(self, caller, request, conversation_id):
        return open_stream(self.engine, request, self._owned(caller, self.store.conversations, conversation_id))

    # Runs and operations

    def create_run(self, caller, request, endpoint_id):
        key, body = bodies.read_idempotency_key(request), read_body(request, RUN)
        if 'expected_generation' in body and 'conversation_key' not in body:
            raise invalid('/expected_generation', 'This needs a conversation_key.')
        service = self._service(caller, endpoint_id)

        def act():
            business_key = body.get('conversation_key')
            conversation = business_key and self.engine.find(service, caller.subject, business_key)
            return self.engine.admit(service, caller.subject, conversation, body, DIRECT_WINDOW_MS, business_key)
        return self._once(caller, request, key, body, 202, act)

    def read_run(self, caller, request, run_id):
        run = self._owned(caller, self.store.runs, run_id)
        return json_response(200, {**run.record(), 'result': self._result(run)})

    def stream_run(self, caller, request, run_id):
        run = self._owned(caller, self.store.runs, run_id)
        return open_stream(self.engine, request, run.conversation, run)

    def cancel(self, caller, request, run_id):
        key, body = bodies.read_idempotency_key(request), read_body(request, {})
        run = self._owned(caller, self.store.runs, run_id)
        return self._once(caller, request, key, body, 202, lambda: self.engine.cancel(run))

    def read_operation(self, caller, request, operation_id):
        return json_response(200, self._owned(caller, self.store.operations, operation_id).record())

    # Attachments

    def create_resource(self, caller, request):
        key, body = bodies.read_idempotency_key(request), read_body(request, RESOURCE)

        def act():
            resource = Resource(new_id('res'), caller.app, caller.subject, body, self.engine.clock.now_ms())
            self.store.resources[resource.resource_id] = resource
            return resource.record()
        return self._once(caller, request, key, body, 201, act)

    def read_resource(self, caller, request, resource_id):
        return json_response(200, self._owned(caller, self.store.resources, resource_id).record())

    def put_content(self, caller, request, resource_id):
        resource = self._owned(caller, self.store.resources, resource_id)
        received = hashlib.sha256(request.body).hexdigest()
        if resource.content is not None and resource.content != request.body:
            raise Problem(409, 'IDEMPOTENCY_CONFLICT', 'The attachment already has other content.')
        if len(request.body) != resource.declared['size'] or resource.declared.get('sha256', received) != received:
            raise invalid('', 'The length or hash of the content differs from the declared one.')
        resource.content, resource.declared = request.body, {**resource.declared, 'sha256': received}
        return json_response(200, resource.record())

    def read_content(self, caller, request, resource_id):
        resource = self._owned(caller, self.store.resources, resource_id)
        if resource.content is None:
            raise not_found()
        return Response(200, resource.content, {'Content-Type': resource.declared['content_type'],
                                                'Content-Disposition': 'attachment', 'X-Content-Type-Options': 'nosniff'})

    def delete_resource(self, caller, request, resource_id):
        self._owned(caller, self.store.resources, resource_id)
        if any(resource_id in run.input.get('resource_ids', []) for run in self.store.unfinished()):
            raise busy('An unfinished run uses this attachment.')
        del self.store.resources[resource_id]
        return Response(204)
