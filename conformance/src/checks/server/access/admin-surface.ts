import { equal, notEqual, ok } from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { SCOPES } from '../../../kit/steps/processes.ts'
import { whileAdmissionIsPaused } from '../../../kit/steps/suspensions.ts'

interface Listed {
  readonly [name: string]: unknown
}

/** A route for each of several kinds of records. */
const ROUTES = ['apps', 'devices', 'approvals', 'admission', 'webhooks', 'callbacks', 'deliveries']

export const checks: readonly ServerCheck[] = [
  {
    id: 'admin/own-document',
    title: 'the admin API has its own OpenAPI document, with all routes below /admin/v1',
    rules: ['ADMIN-01'],
    needs: ['admin'],
    run: async (t) => {
      const answer = await t.send({ method: 'GET', path: '/admin/openapi.json' })
      // D-46 does not say where the document is.
      if (answer.status === 404) t.untestable('the document is not at /admin/openapi.json')
      const { openapi, paths } = Object(expectStatus(answer, 200).body) as Listed
      ok(typeof openapi === 'string' && openapi.startsWith('3.'), `openapi is ${String(openapi)}`)
      const names = Object.keys(Object(paths))
      ok(names.length > 0, 'the document has no paths')
      for (const name of names) ok(name.startsWith('/admin/v1/'), `${name} is outside /admin/v1`)
      const publicPaths = Object.keys(
        Object((Object((await t.send({ method: 'GET', path: '/openapi.json' })).body) as Listed).paths),
      )
      for (const name of publicPaths) ok(!name.startsWith('/admin'), `the public document shows ${name}`)
    },
  },
  {
    id: 'admin/wants-its-token',
    title: 'admin routes refuse a missing, a wrong and an almost correct token, and an application key',
    rules: ['ADMIN-02'],
    tags: ['security'],
    needs: ['admin'],
    run: async (t) => {
      const token = t.config.admin?.token ?? ''
      const wrong: Readonly<Record<string, string | null>> = {
        'no token': null,
        'an application key': `Bearer ${t.me.apiKey}`,
        'another token': `Bearer ${'x'.repeat(token.length)}`,
        'the token without its last character': `Bearer ${token.slice(0, -1)}`,
        'the token and one more character': `Bearer ${token}x`,
        'the token in another scheme': `Basic ${token}`,
      }
      for (const route of ROUTES)
        for (const [name, authorization] of Object.entries(wrong)) {
          const answer = await t.admin.request('GET', `/${route}`, { headers: { authorization } })
          ok([401, 403].includes(answer.status), `GET /${route} with ${name} is answered with ${answer.status}`)
        }
      for (const route of ROUTES) expectStatus(await t.admin.request('GET', `/${route}`), 200)
      const write = { json: { owner_id: 'owner' }, headers: { authorization: `Bearer ${t.me.apiKey}` } }
      ok([401, 403].includes((await t.admin.request('POST', '/apps', write)).status))
    },
  },
  {
    id: 'admin/token-opens-nothing-else',
    title: "the operator's token is not accepted as an application key",
    rules: ['ADMIN-02'],
    tags: ['security'],
    needs: ['admin'],
    run: async (t) => {
      const { conversation_id } = await t.conversation()
      const operator = t.caller({ apiKey: t.config.admin?.token ?? '' })
      ok([401, 403].includes((await operator.snapshot(conversation_id)).status))
    },
  },
  {
    id: 'admin/applications',
    title: 'an application is created, listed, read and changed, and a disabled one is refused',
    rules: ['ADMIN-03'],
    needs: ['admin'],
    run: async (t) => {
      const appId = t.fresh('app')
      const created = await t.admin.call<Listed>('POST', '/apps', { app_id: appId, owner_id: 'owner-1' })
      equal(created.app_id, appId)
      equal(created.owner_id, 'owner-1')
      const { apps } = await t.admin.call<{ apps: Listed[] }>('GET', '/apps?limit=200')
      ok(
        apps.some(({ app_id }) => app_id === appId) || apps.length === 200,
        'the list does not show the new application',
      )
      const { key } = await t.admin.call<{ key: string }>('POST', `/apps/${appId}/keys`, { scopes: SCOPES })
      const caller = t.caller({ apiKey: key })
      expectStatus(await caller.run('run_unknown'), 404)
      await t.admin.call('PATCH', `/apps/${appId}`, { name: 'Renamed', state: 'disabled' })
      const read = await t.admin.call<Listed>('GET', `/apps/${appId}`)
      equal(read.name, 'Renamed')
      equal(read.state, 'disabled')
      equal(read.owner_id, 'owner-1')
      ok([401, 403].includes((await caller.run('run_unknown')).status), 'a disabled application is still served')
      expectStatus(await t.admin.request('GET', `/apps/${t.fresh('app')}`), 404)
    },
  },
  {
    id: 'admin/keys',
    title: 'a key is shown once when it is created, listed without its secret, and refused once revoked',
    rules: ['ADMIN-04'],
    tags: ['security'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const app = t.config.apps.first.appId ?? ''
      const made = await t.admin.call<{ key: string; key_id: string; scopes: string[] }>('POST', `/apps/${app}/keys`, {
        scopes: ['runs:read'],
      })
      const caller = t.caller({ apiKey: made.key })
      expectStatus(await caller.run('run_unknown'), 404)
      const listed = await t.admin.request<{ keys: { key_id: string }[] }>('GET', `/apps/${app}/keys`)
      ok(
        listed.body.keys.some(({ key_id }) => key_id === made.key_id),
        'the list does not show the new key',
      )
      ok(!listed.text.includes(made.key), 'the list shows the key itself')
      await t.admin.call('POST', `/apps/${app}/keys/${made.key_id}/revoke`)
      await t.until(
        'the revoked key is refused',
        async () => (await caller.run('run_unknown')).status,
        (status) => status === 401,
      )
    },
  },
  {
    id: 'admin/devices',
    title: 'a device is created, listed, read, changed, paused, resumed, disabled and enabled',
    rules: ['ADMIN-05'],
    needs: ['admin'],
    run: async (t) => {
      const deviceId = t.fresh('dev')
      await t.admin.call('POST', '/devices', { device_id: deviceId })
      const { devices } = await t.admin.call<{ devices: Listed[] }>('GET', '/devices?limit=200')
      ok(
        devices.some(({ device_id }) => device_id === deviceId) || devices.length === 200,
        'the list does not show the new device',
      )
      await t.admin.call('PATCH', `/devices/${deviceId}`, { pending_limit: 7 })
      equal((await t.admin.call<Listed>('GET', `/devices/${deviceId}`)).pending_limit, 7)
      const states: unknown[] = []
      for (const action of ['pause', 'resume', 'disable', 'enable']) {
        await t.admin.call('POST', `/devices/${deviceId}/${action}`)
        states.push((await t.admin.call<Listed>('GET', `/devices/${deviceId}`)).state)
      }
      const [paused, resumed, disabled, enabled] = states
      notEqual(paused, resumed)
      notEqual(disabled, resumed)
      notEqual(disabled, paused)
      equal(enabled, resumed)
    },
  },
  {
    id: 'admin/services',
    title: 'a service is created, listed, read and published again with increasing versions',
    rules: ['ADMIN-06'],
    needs: ['admin', 'appIds', 'driver.createService'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService({})
      const path = `/apps/${t.config.apps.first.appId ?? ''}/endpoints`
      const { endpoints } = await t.admin.call<{ endpoints: Listed[] }>('GET', `${path}?limit=200`)
      ok(
        endpoints.some(({ endpoint_id }) => endpoint_id === endpointId) || endpoints.length === 200,
        'the list does not show the new service',
      )
      const before = await t.conversation({ endpoint_id: endpointId })
      await t.admin.call('POST', `${path}/${endpointId}/versions`, { compatibility: 'compatible' })
      const after = await t.conversation({ endpoint_id: endpointId })
      equal(after.binding_version, before.binding_version + 1)
      equal((await t.admin.call<Listed>('GET', `${path}/${endpointId}`)).endpoint_id, endpointId)
      expectStatus(await t.admin.request('GET', `${path}/${t.fresh('ep')}`), 404)
    },
  },
  {
    id: 'admin/admission',
    title:
      'while admission is paused a message and a direct run are 503 CAPABILITY_UNAVAILABLE; afterwards they are admitted',
    rules: ['ADMIN-11'],
    needs: ['admin'],
    alone: 'all',
    run: async (t) => {
      const conversation = await t.conversation()
      const setPaused = (paused: boolean) => t.admin.call('PUT', '/admission', { paused })
      const attempts = {
        message: () => t.me.send(conversation.conversation_id, t.script({ delta: 'a' })),
        'direct run': () => t.me.createRun(t.config.services.main, { input: t.script({ delta: 'a' }) }),
      }
      await setPaused(true)
      try {
        for (const [name, attempt] of Object.entries(attempts)) {
          const answer = await attempt()
          equal(answer.status, 503, `a ${name} is answered with ${answer.status} while admission is paused`)
          ok(answer.text.includes('CAPABILITY_UNAVAILABLE'), `the 503 of a ${name} names another code: ${answer.text}`)
        }
        expectStatus(await t.me.snapshot(conversation.conversation_id), 200)
      } finally {
        await setPaused(false)
      }
      for (const attempt of Object.values(attempts)) await t.runEnded(expectStatus(await attempt(), 202).body.run_id)
    },
  },
  {
    id: 'admin/admission-of-conversations',
    title: 'while admission is paused no conversation is created, but a replay of an earlier creation is answered',
    rules: ['ADMIN-14'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    alone: 'all',
    run: async (t) => {
      const creation = { endpoint_id: t.config.services.main }
      const [before, meanwhile] = [t.fresh('before'), t.fresh('meanwhile')]
      const create = (key: string) => t.me.createConversation(creation, { key })
      const first = expectStatus(await create(before), 201).body
      await whileAdmissionIsPaused(t, async () => {
        const refused = expectStatus(await create(meanwhile), 503)
        ok(refused.text.includes('CAPABILITY_UNAVAILABLE'), refused.text)
        equal(expectStatus(await create(before), 201).body.conversation_id, first.conversation_id)
      })
      expectStatus(await create(meanwhile), 201)
    },
  },
]
