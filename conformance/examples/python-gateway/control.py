"""The control protocol of the conformance suite (openapi/control.yaml): operator actions over HTTP, for tests."""
import json
import secrets

from problem import Problem
from records import SCOPES, App, Device, Service, new_id
from clock import to_timestamp
from webhooks import check_settings
from wire import json_response


class Control:
    def __init__(self, engine, webhooks, callbacks, apps, base_url):
        self.engine, self.store, self.clock = engine, engine.store, engine.clock
        self.webhooks, self.callbacks, self.apps, self.base_url = webhooks, callbacks, apps, base_url
        self.abilities = {name: getattr(self, name) for name in dir(self) if name[0] != '_' and name[1:] != name[1:].lower()}

    def handle(self, request):
        name = request.path[1:]
        if (request.method, name) == ('GET', 'abilities'):
            return json_response(200, {'protocol': 1, 'abilities': sorted(self.abilities)})
        if name not in self.abilities:
            return json_response(404, {})
        try:
            return json_response(200, self.abilities[name](**json.loads(request.body or b'{}')) or {})
        except (ValueError, Problem) as refusal:
            return json_response(409, {'refused': str(refusal)})

    def _device(self, endpoint_id):
        return self.store.services[endpoint_id].device

    # The gateway

    def pauseAdmission(self):
        self.store.admission_paused = True

    def resumeAdmission(self):
        self.store.admission_paused = False

    def moveClock(self, milliseconds):
        self.clock.move(milliseconds)

    def loseAnswers(self, count):
        self.store.answers_to_lose = count

    # Applications

    def createApp(self, pending_runs=None):
        app = self.apps[app_id] = App(app_id := new_id('app'), 'owner_other', pending_limit=pending_runs or 200)
        return {'app': app_id, 'key': self.store.new_key(app, SCOPES)}

    def disableApp(self, app):
        self.apps[app].enabled = False

    def enableApp(self, app):
        self.apps[app].enabled = True

    def limitApp(self, app, pending_runs=None, **_):
        self.apps[app].pending_limit = 200 if pending_runs is None else pending_runs

    def createKey(self, scopes):
        return {'key': self.store.new_key(self.apps['first'], scopes)}

    def revokeKey(self, key):
        del self.store.keys[key]

    # Services and devices

    def createService(self, app='first', accepts=('text/*',), besides=None):
        device = Device() if besides is None else self._device(besides)
        service = Service(new_id('ep'), self.apps[app], device, tuple(accepts))
        self.store.services[service.endpoint_id] = service
        return {'endpoint_id': service.endpoint_id}

    def publishVersion(self, endpoint_id, change):
        service = self.store.services[endpoint_id]
        service.version += 1
        if change == 'breaking':
            service.least_version = service.version
        return {'version': service.version}

    def _set_device(self, endpoint_id, **settings):
        for name, value in settings.items():
            setattr(self._device(endpoint_id), name, value)
        self.engine.start_waiting(self._device(endpoint_id))

    def takeDeviceOffline(self, endpoint_id):
        self._device(endpoint_id).online.clear()

    def bringDeviceOnline(self, endpoint_id):
        self._device(endpoint_id).online.set()
        self._set_device(endpoint_id)

    def pauseDevice(self, endpoint_id):
        self._set_device(endpoint_id, paused=True)

    def resumeDevice(self, endpoint_id):
        self._set_device(endpoint_id, paused=False)

    def disableDevice(self, endpoint_id):
        self._set_device(endpoint_id, enabled=False)

    def enableDevice(self, endpoint_id):
        self._set_device(endpoint_id, enabled=True)

    def limitDevice(self, endpoint_id, pending_runs=None):
        self._set_device(endpoint_id, pending_limit=1000 if pending_runs is None else pending_runs)

    # Runs

    def decideApproval(self, approval_id, decision):
        self.engine.decide(approval_id, decision)

    def expireEvents(self, conversation_id, up_to_seq):
        self.store.conversations[conversation_id].pruned_to = up_to_seq

    # Webhooks

    def saveWebhook(self, endpoint_id=None, app='first', **settings):
        saved = self.webhooks.save(self._own_service(app, endpoint_id), settings)
        return {'integration_id': saved.integration_id, 'secret': saved.secrets[0][0],
                'url': f'{self.base_url}/api/v1/webhooks/{saved.integration_id}'}

    def changeWebhook(self, integration_id, settings):
        saved = self.webhooks.integrations[integration_id]
        app, endpoint_id = settings.pop('app', 'first'), settings.pop('endpoint_id', saved.service.endpoint_id)
        service, changed = self._own_service(app, endpoint_id), {**saved.settings, **settings}
        check_settings(changed)
        saved.service, saved.settings = service, changed

    def _own_service(self, app, endpoint_id):
        service = self.store.services.get(endpoint_id)
        if service is None or service.app is not self.apps[app]:
            raise ValueError('endpoint_id: must be a published service of the application')
        return service

    def readWebhook(self, integration_id):
        saved = self.webhooks.integrations[integration_id]
        return {'record': {**saved.settings, 'integration_id': integration_id, 'endpoint_id': saved.service.endpoint_id}}

    def rotateWebhookSecret(self, integration_id, overlap_seconds=0):
        return {'secret': self.webhooks.rotate(self.webhooks.integrations[integration_id], overlap_seconds)}

    # Callbacks

    def _check_secret(self, settings):
        if any(settings.get('secret') == secret for one in self.webhooks.integrations.values() for secret, _ in one.secrets):
            raise ValueError('secret: an incoming webhook already uses it')

    def saveCallback(self, endpoint_id=None, url='', events=(), app='first', **settings):
        self._check_secret(settings)
        saved = self.callbacks.save(self._own_service(app, endpoint_id), url, list(events), **settings)
        return {'callback_id': saved.callback_id, 'secret': saved.secret, 'version': saved.version}

    def changeCallback(self, settings, callback_id='cb_main'):
        self._check_secret(settings)
        saved = self.callbacks.configured[callback_id]
        self.callbacks.change(saved, **{name: value for name, value in settings.items() if hasattr(saved, name)})
        return {'version': saved.version}

    def readCallback(self, callback_id='cb_main'):
        saved = self.callbacks.configured[callback_id]
        return {'record': {'callback_id': callback_id, 'endpoint_id': saved.service.endpoint_id, 'url': saved.url,
                           'events': saved.events, 'enabled': saved.enabled, 'version': saved.version}}

    def rotateCallbackSecret(self, callback_id='cb_main'):
        saved = self.callbacks.configured[callback_id]
        self.callbacks.change(saved, secret=f'whsec_{secrets.token_hex(32)}')
        return {'secret': saved.secret, 'version': saved.version}

    def listDeliveries(self, conversation_id=None, callback_id=None):
        return {'deliveries': [
            {'delivery_id': one.delivery_id, 'event_id': one.event_id, 'state': one.state, 'attempts': one.attempts,
             'last_error': one.last_error, 'expires_at': to_timestamp(one.expires_ms),
             'next_attempt_at': to_timestamp(one.next_ms) if one.state == 'pending' else None}
            for one in self.callbacks.deliveries.values()
            if conversation_id in (None, one.conversation_id) and callback_id in (None, one.callback.callback_id)]}

    def retryDelivery(self, delivery_id):
        self.callbacks.retry(self.callbacks.deliveries[delivery_id])
