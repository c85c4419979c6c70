"""Server-sent events of a conversation or a run: the recorded events after a position, and then the new ones."""
import asyncio

from bodies import read_query
from problem import Problem, invalid, too_many
from wire import Stream

PING_S = 15
HEADERS = {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no'}


def open_stream(engine, request, conversation, run=None):
    _check_accept(request)
    position = _read_position(engine, request, conversation)
    device, app = conversation.service.device, conversation.service.app
    place = ((app, conversation.subject), app, device)
    for at, limit in enumerate((4, 16, 32)):
        if sum(open_place[at] is place[at] or open_place[at] == place[at] for open_place in engine.store.streams) >= limit:
            raise too_many('STREAM_LIMIT', 'Too many event streams are open.')
    engine.store.streams.append(place)

    async def write(reader, writer):
        wake = asyncio.Event()
        conversation.readers.add(wake)
        gone = asyncio.create_task(reader.read())  # ends when the reader closes the connection
        try:
            await _write_events(conversation, run, position, wake, gone, writer)
        finally:
            gone.cancel()
            conversation.readers.discard(wake)
            engine.store.streams.remove(place)
    return Stream(HEADERS, write)


async def _write_events(conversation, run, position, wake, gone, writer):
    writer.write(b'retry: 1000\n\n')
    while not gone.done():
        wake.clear()
        for seq, _, event_type, of_run, data in list(conversation.events):
            if seq > position:
                position = seq
                if run is None or of_run is run:
                    writer.write(b'id: %d\nevent: %s\ndata: %s\n\n' % (seq, event_type.encode(), data))
                    await writer.drain()
        if wake.is_set():
            continue
        woken = asyncio.create_task(wake.wait())
        done, _ = await asyncio.wait({woken, gone}, timeout=PING_S, return_when=asyncio.FIRST_COMPLETED)
        woken.cancel()
        if not done:
            writer.write(b': ping\n\n')


def _check_accept(request):
    accepted = ','.join(value.decode('latin-1') for value in request.values('accept')).lower() or '*/*'
    types = {one.split(';')[0].strip() for one in accepted.split(',')}
    if not types & {'text/event-stream', 'text/*', '*/*'}:
        raise Problem(406, 'NOT_ACCEPTABLE', 'Events are sent as text/event-stream.')


def _read_position(engine, request, conversation):
    name = 'Last-Event-ID' if request.values('last-event-id') else 'after'
    value = request.header('last-event-id') if name == 'Last-Event-ID' else read_query(request, ['after']).get('after')
    engine.prune(conversation)
    if value is None and name == 'after':
        return conversation.pruned_to
    if value is None or not (value.isascii() and value.isdigit()):
        raise invalid(name, 'This has to be the seq of an event.')
    position = int(value[-20:] if value.strip('0') == '' else value[:20])
    if not conversation.pruned_to <= position <= conversation.seq:
        raise Problem(410, 'CURSOR_EXPIRED', 'The events after this position are not retained: read the snapshot again.')
    return position
