"""The life of conversations: admission, execution of one run at a time, stops, resets, and their events."""
import asyncio

from assistant import Failed, Stopped, perform
from bodies import to_ms
from problem import Problem, busy, denied, invalid, not_found, too_many, unavailable
from records import TERMINAL, Conversation, Message, Operation, Run, new_id
from wire import to_json

MINUTE_MS, DAY_MS = 60_000, 86_400_000
MESSAGE_WINDOW_MS, DIRECT_WINDOW_MS = 5 * MINUTE_MS, DAY_MS
STOP_WINDOW_MS = RECONCILIATION_MS = MINUTE_MS
EVENT_RETENTION_MS, BODY_RETENTION_MS = 7 * DAY_MS, 30 * DAY_MS
QUEUE_LIMIT = 20
END_EVENTS = {'succeeded': 'run.completed'}


class Engine:
    def __init__(self, store, clock):
        self.store, self.clock = store, clock
        self.on_event = lambda conversation, event, data: None
        self._tasks = set()  # strong references, because the loop keeps only weak ones

    # Admission

    def create(self, service, subject, business_key):
        owner = (service.app, subject, service, business_key)
        if business_key is not None and owner in self.store.business_keys:
            raise busy('There is a conversation with this business key already.')
        conversation = Conversation(new_id('conv'), subject, service, business_key, self.clock.now_ms(), service.version)
        self.store.conversations[conversation.conversation_id] = conversation
        if business_key is not None:
            self.store.business_keys[owner] = conversation
        return conversation

    def find(self, service, subject, business_key):
        return self.store.business_keys.get((service.app, subject, service, business_key))

    def admit(self, service, subject, conversation, request, window_ms=MESSAGE_WINDOW_MS, business_key=None):
        """Admits a run to the conversation, or to a new one if it is None. A refusal changes nothing."""
        now = self.clock.now_ms()
        start_before = to_ms(request['start_before']) if 'start_before' in request else now + window_ms
        if not now < start_before <= now + window_ms:
            raise invalid('/start_before', f'This has to be later than now, by at most {window_ms // 1000} seconds.')
        for at, resource_id in enumerate(request['input'].get('resource_ids', [])):
            self._check_attachment(service, subject, resource_id, f'/input/resource_ids/{at}')
        if conversation is not None:
            self.check_generation(conversation, request.get('expected_generation', conversation.generation))
            if conversation.version < service.least_version:
                raise Problem(409, 'GENERATION_CONFLICT', 'The service has a new version that requires a reset of the conversation.')
            # If no run is executing, the first in the queue is about to start.
            if sum(run.state == 'queued' for run in conversation.runs) >= QUEUE_LIMIT + (conversation.executing is None):
                raise too_many('QUEUE_FULL', 'Too many runs of this conversation are queued.')
        elif 'expected_generation' in request:
            raise Problem(409, 'GENERATION_CONFLICT', 'There is no conversation with this key yet.')
        self._check_service(service)
        if conversation is None:
            conversation = self.create(service, subject, business_key)
        return self._add_run(conversation, request['input'], start_before, now)

    def check_generation(self, conversation, expected):
        if expected != conversation.generation:
            raise Problem(409, 'GENERATION_CONFLICT', 'This is not the current generation of the conversation.')
        if conversation.reset is not None:
            raise busy('The conversation is being reset.')

    def _check_attachment(self, service, subject, resource_id, at):
        resource = self.store.resources.get(resource_id)
        if resource is None or (resource.app, resource.subject) != (service.app, subject) or resource.content is None:
            raise invalid(at, 'This is not a ready attachment of this subject.')
        kind = resource.declared['content_type'].split(';')[0].strip().lower()
        if not {kind, f'{kind.split("/")[0]}/*', '*/*'} & set(service.accepts):
            raise invalid(at, 'The service does not accept attachments of this type.')

    def _check_service(self, service):
        if not service.device.enabled:
            raise denied('The device of this service is disabled.')
        if self.store.admission_paused or service.device.paused or not service.device.online.is_set():
            raise unavailable('No new work is accepted at present.')
        pending = [run.conversation.service for run in self.store.unfinished()]
        if sum(one.app is service.app for one in pending) >= service.app.pending_limit:
            raise too_many('PENDING_LIMIT', 'The application has too many unfinished runs.')
        if sum(one.device is service.device for one in pending) >= service.device.pending_limit:
            raise too_many('PENDING_LIMIT', 'The device has too many unfinished runs.')

    def _add_run(self, conversation, content, start_before_ms, now):
        run = Run(new_id('run'), conversation, conversation.generation, content, start_before_ms, now, now)
        run.message = self.add_message(run, 'user', {'text': '', **content})
        conversation.runs.append(run)
        self.store.runs[run.run_id] = run
        self.clock.at(start_before_ms, self._expire, run)
        # In the next turn of the loop, so that the answer has the state `queued` and the earlier event position.
        asyncio.get_running_loop().call_soon(self.start_next, conversation)
        return {'conversation_id': conversation.conversation_id, 'generation': run.generation,
                'message_id': run.message.message_id, 'run_id': run.run_id, 'state': 'queued',
                'event_cursor': conversation.seq}

    # Events and messages

    def add_message(self, run, role, content):
        conversation = run.conversation
        message = Message(new_id('msg'), len(conversation.messages) + 1, run, role, self.clock.now_ms(), content)
        conversation.messages.append(message)
        return message

    def emit(self, conversation, event_type, payload, run=None, message=None):
        conversation.seq += 1
        message = message or (run and run.message)
        event = {'conversation_id': conversation.conversation_id,
                 'generation': run.generation if run else conversation.generation, 'event_id': new_id('evt'),
                 'seq': conversation.seq, 'run_id': run and run.run_id, 'message_id': message and message.message_id,
                 'type': event_type, 'payload': payload}
        data = to_json(event)
        conversation.events.append((conversation.seq, self.clock.now_ms(), event_type, run, data))
        for reader in conversation.readers:
            reader.set()
        self.on_event(conversation, event, data)

    def prune(self, conversation):
        """Removes expired events."""
        oldest = self.clock.now_ms() - EVENT_RETENTION_MS
        while conversation.events and (conversation.events[0][1] < oldest or conversation.events[0][0] <= conversation.pruned_to):
            conversation.pruned_to = max(conversation.pruned_to, conversation.events.pop(0)[0])

    def is_retained(self, run):
        return run.ended_ms is None or self.clock.now_ms() - run.ended_ms < BODY_RETENTION_MS

    # Execution

    def _begin(self, work):
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def start_next(self, conversation):
        device = conversation.service.device
        if conversation.executing is not None or not device.enabled or device.paused or not device.online.is_set():
            return
        for run in conversation.runs:
            if run.state == 'queued' and run.start_before_ms > self.clock.now_ms():
                conversation.executing = run
                run.received = True
                self._change(run, 'running', 'run.started', {'state': 'running'})
                self._begin(self._execute(run))
                return

    def start_waiting(self, device):
        """Starts the runs that waited for the device."""
        for conversation in self.store.conversations.values():
            if conversation.service.device is device:
                self.start_next(conversation)

    async def _execute(self, run):
        try:
            result = await perform(run, self)
            if result is not None:
                self.end(run, 'succeeded', result)
        except Failed as failure:
            self.end(run, 'failed', {**self._partial(run), 'error': failure.error})
        except Stopped:
            self.end(run, 'cancelled', self._partial(run) or None)
        except Exception:  # an invalid script must not block its conversation
            error = {'code': 'SCRIPT_INVALID', 'message': 'A step of the script cannot be carried out.', 'retryable': False}
            self.end(run, 'failed', {**self._partial(run), 'error': error})

    def _partial(self, run):
        return {} if run.output is None else {'text': run.output.content['text']}

    def update(self, run, state):
        """A change that neither starts nor ends the run."""
        if run.state not in TERMINAL and run.state != state:
            delivery = 'device_received' if run.received else 'waiting_device'
            self._change(run, state, 'run.updated', {'state': state, 'delivery_state': delivery})

    def _change(self, run, state, event_type, payload):
        run.state, run.updated_ms = state, self.clock.now_ms()
        self.emit(run.conversation, event_type, payload, run)

    def lose(self, run):
        """Marks the run as lost: it is `reconciling`, and becomes `interrupted` unless its end is reported in time."""
        self.update(run, 'reconciling')
        self.clock.at(self.clock.now_ms() + RECONCILIATION_MS, self.end, run, 'interrupted', self._partial(run) or None)

    def end(self, run, state, result=None):
        if run.state in TERMINAL:
            return
        if state == 'succeeded' and run.output is not None:
            run.output.content['partial'] = False
            self.emit(run.conversation, 'assistant.message', {'message': run.output.record()}, run, run.output)
        run.result, run.ended_ms = result, self.clock.now_ms()
        error = {'error': result['error']} if state == 'failed' else {}
        self._change(run, state, END_EVENTS.get(state, f'run.{state}'), {'state': state, **error, 'result': result})
        for operation in run.operations:
            if operation.state == 'stopping' or operation.state == 'waiting_device':
                operation.state = 'succeeded'
        conversation = run.conversation
        if conversation.executing is run:
            conversation.executing = None
        self._finish_reset(conversation)
        self.start_next(conversation)

    def _expire(self, run):
        if run.state == 'queued':
            self.end(run, 'expired')

    # Stops and resets

    def _operate(self, conversation):
        operation = Operation(new_id('op'), conversation, conversation.generation)
        self.store.operations[operation.operation_id] = operation
        return operation

    def cancel(self, run):
        operation = self._operate(run.conversation)
        operation.generation = run.generation
        run.operations.append(operation)
        self._stop(run)
        if run.state in TERMINAL:
            operation.state = 'succeeded'
        elif not run.conversation.service.device.online.is_set():
            operation.state = 'waiting_device'
        return operation.record()

    def _stop(self, run):
        if run.state == 'queued':
            self.end(run, 'cancelled')
        elif run.state not in (*TERMINAL, 'cancelling', 'reconciling'):
            self.update(run, 'cancelling')
            self.clock.at(self.clock.now_ms() + STOP_WINDOW_MS, self._give_up_stopping, run)
            self._begin(self._tell_device(run))

    async def _tell_device(self, run):
        await run.conversation.service.device.online.wait()
        for operation in run.operations:
            if operation.state == 'waiting_device':
                operation.state = 'stopping'
        run.stop.set()

    def _give_up_stopping(self, run):
        if run.state != 'cancelling':
            return
        conversation = run.conversation
        for operation in filter(None, [*run.operations, conversation.reset]):
            operation.state = 'failed'
        conversation.reset = None
        self.lose(run)

    def reset(self, conversation, expected_generation, policy):
        self.check_generation(conversation, expected_generation)
        unfinished = conversation.unfinished()
        if unfinished and policy == 'reject':
            raise busy('The conversation has unfinished work.')
        operation = conversation.reset = self._operate(conversation)
        for run in reversed(unfinished):  # the executing run last, so that no queued run starts
            self._stop(run)
        self._finish_reset(conversation)
        return operation.record()

    def _finish_reset(self, conversation):
        operation = conversation.reset
        if operation is None or conversation.unfinished():
            return
        conversation.generation += 1
        conversation.version = conversation.service.version
        conversation.reset, operation.generation, operation.state = None, conversation.generation, 'succeeded'
        self.emit(conversation, 'conversation.reset', {
            'operation_id': operation.operation_id, 'generation': conversation.generation,
            'previous_generation': conversation.generation - 1, 'binding_version': conversation.version})

    def decide(self, approval_id, decision):
        future = self.store.approvals.pop(approval_id, None)
        if future is None:
            raise not_found()
        if not future.done():
            future.set_result(decision)

