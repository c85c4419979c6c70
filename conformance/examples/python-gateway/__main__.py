"""Starts the gateway with test data, and prints the settings that the conformance suite needs as one line of JSON."""
import argparse
import asyncio
import itertools
import json
import sys

from api import Api
from callbacks import TYPES, Callbacks
from clock import Clock
from control import Control
from engine import Engine
from records import SCOPES, App, Device, Service, Store
from webhooks import Webhooks
from wire import listen

ALLOWED_HOST = 'receiver.example.com'
INPUT = {'message_field': 'event.text', 'data_field': 'event.data', 'resource_ids_field': 'event.resources'}
BY_KEY = {'match': 'key', 'conversation_key_field': 'conversation.key'}
BY_ID = {'conversation_id_field': 'conversation.id', 'generation_field': 'conversation.generation'}
INTEGRATIONS = {
    'new': {'action': 'new', **INPUT},
    'messageByKey': {'action': 'message', **INPUT, **BY_KEY},
    'messageById': {'action': 'message', 'match': 'id', **INPUT, **BY_ID},
    'resetReject': {'action': 'reset', 'busy_policy': 'reject', **BY_ID},
    'resetCancel': {'action': 'reset', 'busy_policy': 'cancel_and_reset', **BY_ID},
    'cancel': {'action': 'cancel', 'run_id_field': 'run.id'},
    'disabled': {'action': 'message', 'enabled': False, **INPUT, **BY_KEY},
    'deepPaths': {'action': 'message', 'match': 'key', 'message_field': 'a.b.c.d.e', 'conversation_key_field': 'k',
                  'event_type_field': 't'},
}


async def main():
    parser = argparse.ArgumentParser(prog='python-gateway', description=__doc__)
    parser.add_argument('--port', type=int, default=8787, help='port of the API; 0 picks a free port')
    parser.add_argument('--control-port', type=int, default=8788, help='port of the control protocol; 0 picks a free port')
    parser.add_argument('--callback-origin', default='http://127.0.0.1:8789', help="where the suite's receiver listens")
    parser.add_argument('--rate', type=int, default=500, help='requests per second for each key, with a burst of twice as many; 0: no limit')
    options = parser.parse_args()

    store, clock = Store(), Clock()
    engine, callbacks = Engine(store, clock), Callbacks(clock, [ALLOWED_HOST], [options.callback_origin])
    engine.on_event = callbacks.on_event
    webhooks = Webhooks(engine)
    api = Api(engine, webhooks, options.rate)
    running = asyncio.create_task(clock.run())
    _, base_url = await listen(api.handle, '127.0.0.1', options.port)
    first, second = App('app_first', 'owner_first'), App('app_second', 'owner_second')
    control = Control(engine, webhooks, callbacks, {'first': first, 'second': second}, base_url)
    _, control_url = await listen(control.handle, '127.0.0.1', options.control_port)

    device = Device()
    for name, app, its_device in (('main', first, device), ('same', first, device), ('other', first, Device()),
                                  ('foreign', second, Device()), ('callbacks', first, Device())):
        store.services[f'ep_{name}'] = Service(f'ep_{name}', app, its_device, ('text/*', 'application/json'))
    for name, settings in INTEGRATIONS.items():
        common = {'subject': 'webhook-subject', 'event_type_field': 'event.type',
                  'event_types': ['conformance.event', 'conformance.other']}
        webhooks.save(store.services['ep_main'], {**common, **settings}, f'wh_{name}')
    callback = callbacks.save(store.services['ep_callbacks'], f'{options.callback_origin}/callbacks', sorted(TYPES),
                              callback_id='cb_main')

    fewer = [*itertools.combinations(SCOPES, 1), *itertools.combinations(SCOPES, 3)]
    print(json.dumps({
        'baseUrl': base_url,
        'control': {'url': control_url},
        'apps': {'first': {'key': store.new_key(first, SCOPES), 'appId': first.app_id,
                           'scopedKeys': {' '.join(scopes): store.new_key(first, scopes) for scopes in fewer}},
                 'second': {'key': store.new_key(second, SCOPES), 'appId': second.app_id}},
        'services': {'main': 'ep_main', 'sameDevice': 'ep_same', 'otherDevice': 'ep_other', 'foreign': 'ep_foreign'},
        'webhooks': {name: {'integrationId': f'wh_{name}', 'subject': 'webhook-subject',
                            'secret': webhooks.integrations[f'wh_{name}'].secrets[0][0]} for name in INTEGRATIONS},
        'callbacks': {'service': 'ep_callbacks', 'secret': callback.secret, 'allowedHost': ALLOWED_HOST},
    }), flush=True)
    await running


try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
except OSError as error:
    sys.exit(f'The gateway cannot listen: {error.strerror}. Choose other ports with --port and --control-port.')
