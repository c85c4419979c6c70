"""The assistant of every service: it follows the script in `input.data.script`, or repeats its input word by word."""
import asyncio
import json

from records import new_id


class Failed(Exception):
    def __init__(self, code, message, retryable=False):
        super().__init__(message)
        self.error = {'code': code, 'message': message, 'retryable': retryable}


class Stopped(Exception):
    pass


def script_of(run):
    data = run.input.get('data', {})
    if isinstance(data.get('script'), list):
        return data['script']
    text = run.input.get('text') or json.dumps(data, ensure_ascii=False)
    return [{'delta': word} for word in text.replace(' ', ' \0').split('\0')]


async def perform(run, engine):
    """Executes a run and returns its result, or None if the device stops reporting. Raises any other outcome."""
    device = run.conversation.service.device
    for step in script_of(run):
        await asyncio.sleep(0)
        await device.online.wait()
        await _heed_stop(run, engine)
        match step:
            case {'delta': text}:
                _stream(run, engine, text)
            case {'message': text}:
                message = engine.add_message(run, 'assistant', {'text': text, 'partial': False})
                engine.emit(run.conversation, 'assistant.message', {'message': message.record()}, run, message)
            case {'sleep_ms': milliseconds}:
                await _unless_stopped(run, engine, engine.clock.sleep(milliseconds))
            case {'hang': _}:
                await _unless_stopped(run, engine, asyncio.Event().wait())
            case {'approval': summary}:
                await _await_approval(run, engine, summary)
            case {'stop_delay_ms': milliseconds}:
                run.stop_delay_ms = milliseconds
            case {'ignore_stop': _}:
                run.ignores_stop = True
            case {'crash': _}:
                engine.lose(run)
                return None
            case {'fail': {'code': code, 'message': message, **rest}}:
                raise Failed(code, message, rest.get('retryable', False))
            case {'succeed': outcome}:
                return {**_streamed(run), **outcome}
    await device.online.wait()
    await _heed_stop(run, engine)
    return _streamed(run)


def _streamed(run):
    return {'text': '' if run.output is None else run.output.content['text']}


def _stream(run, engine, text):
    if run.output is None:
        run.output = engine.add_message(run, 'assistant', {'text': '', 'partial': True})
    run.output.content['text'] += text
    engine.emit(run.conversation, 'assistant.delta', {'text': text, 'index': run.pieces}, run, run.output)
    run.pieces += 1


async def _await_approval(run, engine, summary):
    approval_id, decision = new_id('apr'), asyncio.get_running_loop().create_future()
    engine.store.approvals[approval_id] = decision
    engine.update(run, 'waiting_approval')
    engine.emit(run.conversation, 'approval.required', {'approval_id': approval_id, 'summary': summary}, run)
    if await _unless_stopped(run, engine, decision) == 'denied':
        raise Failed('APPROVAL_DENIED', 'The operator denied the approval.')
    engine.update(run, 'running')


async def _heed_stop(run, engine):
    if run.stop.is_set() and not run.ignores_stop:
        await engine.clock.sleep(run.stop_delay_ms)
        raise Stopped


async def _unless_stopped(run, engine, waiting):
    """Waits for the awaitable, unless the run is stopped first and obeys stops."""
    if run.ignores_stop:
        return await waiting
    stopped, done = asyncio.ensure_future(run.stop.wait()), asyncio.ensure_future(waiting)
    await asyncio.wait({stopped, done}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not done.done():
        done.cancel()
        await _heed_stop(run, engine)
    return done.result()
