import { deepEqual, equal, ok } from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'

interface Timeline {
  readonly run: { readonly run_id: string; readonly state: string }
  readonly usage: object | null
  readonly events: readonly { readonly type: string; readonly count: number; readonly activity: object | null }[]
  readonly messages: readonly { readonly role: string; readonly text: string | null }[]
  readonly deliveries: readonly unknown[]
}

const WORDS = 'words-of-a-customer'

export const checks: readonly ServerCheck[] = [
  {
    id: 'admin/runs',
    title: 'a run is listed by application, conversation and state, and read, without its text',
    rules: ['ADMIN-15', 'ADMIN-19'],
    tags: ['security'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const { admission: sent } = await t.start({ delta: WORDS })
      await t.runEnded(sent.run_id)
      const list = async (filter: string) =>
        (await t.admin.call<{ runs: { run_id: string }[] }>('GET', `/runs?${filter}`)).runs.map(({ run_id }) => run_id)
      const own = `app_id=${t.config.apps.first.appId}&conversation_id=${sent.conversation_id}`
      deepEqual(await list(own), [sent.run_id])
      deepEqual(await list(`${own}&state=succeeded`), [sent.run_id])
      deepEqual(await list(`${own}&state=failed`), [])
      deepEqual(await list(`${own}&before=${sent.run_id}`), [])
      const read = await t.admin.request<{ state: string }>('GET', `/runs/${sent.run_id}`)
      equal(expectStatus(read, 200).body.state, 'succeeded')
      ok(!read.text.includes(WORDS), 'the record shows text of a message')
      expectStatus(await t.admin.request('GET', `/runs/${t.fresh('run')}`), 404)
    },
  },
  {
    id: 'admin/timeline',
    title: 'the timeline of a run shows its events in order, and texts only on request',
    rules: ['ADMIN-16', 'ADMIN-19'],
    tags: ['security'],
    needs: ['admin'],
    run: async (t) => {
      const { admission } = await t.start({ delta: WORDS }, { delta: WORDS })
      await t.runEnded(admission.run_id)
      const path = `/runs/${admission.run_id}/timeline`
      const plain = await t.admin.request<Timeline>('GET', path)
      const { run, events, messages } = expectStatus(plain, 200).body
      equal(run.state, 'succeeded')
      deepEqual([events.at(0)?.type, events.at(-1)?.type], ['run.started', 'run.completed'])
      ok(
        events.some(({ type }) => type === 'assistant.delta'),
        'the timeline must show deltas',
      )
      deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant'],
      )
      ok(!plain.text.includes(WORDS), 'texts are shown without a request for them')
      const full = await t.admin.call<Timeline>('GET', `${path}?include_text=true`)
      equal(full.messages.at(-1)?.text, WORDS + WORDS)
    },
  },
  {
    id: 'admin/timeline-of-activities',
    title: 'the timeline of a run shows each activity once with its end, and the usage of the run',
    rules: ['ADMIN-16', 'ADMIN-19', 'ACT-06'],
    tags: ['security'],
    needs: ['admin'],
    run: async (t) => {
      const usage = { input_tokens: 12, output_tokens: 3 }
      const { admission } = await t.start(
        { activity: { activity_id: 'call_1', kind: 'tool', name: 'find_order', input: { words: WORDS } } },
        { delta: 'On its way.' },
        { activity: { activity_id: 'call_1', state: 'succeeded', output: { words: WORDS } } },
        { succeed: { usage } },
      )
      await t.runEnded(admission.run_id)
      const { text, body } = await t.admin.request<Timeline>('GET', `/runs/${admission.run_id}/timeline`)
      const activityEvents = body.events.filter(({ type }) => type === 'assistant.activity')
      deepEqual(
        activityEvents.map(({ activity, count }) => [activity, count]),
        [[{ activity_id: 'call_1', kind: 'tool', name: 'find_order', state: 'succeeded' }, 2]],
      )
      deepEqual(body.usage, usage)
      ok(!text.includes(WORDS), 'inputs and outputs are shown without a request for them')
    },
  },
  {
    id: 'admin/conversations',
    title: 'a conversation is listed by application and subject, and read by its ID',
    rules: ['ADMIN-17', 'ADMIN-19'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const { conversation_id, generation } = await t.conversation()
      const own = `app_id=${t.config.apps.first.appId}&subject=${encodeURIComponent(t.me.subject)}`
      const { conversations } = await t.admin.call<{
        conversations: { conversation_id: string; generation: number }[]
      }>('GET', `/conversations?${own}`)
      const found = conversations.find((each) => each.conversation_id === conversation_id)
      equal(found?.generation, generation)
      const read = await t.admin.call<{ queued_runs: number }>('GET', `/conversations/${conversation_id}`)
      equal(read.queued_runs, 0)
      expectStatus(await t.admin.request('GET', `/conversations?subject=${encodeURIComponent(t.me.subject)}`), 400)
      expectStatus(await t.admin.request('GET', `/conversations/${t.fresh('conv')}`), 404)
    },
  },
  {
    id: 'admin/overview',
    title: 'the overview has a count for each state of unfinished runs and undelivered callbacks, and shows devices',
    rules: ['ADMIN-18'],
    needs: ['admin'],
    run: async (t) => {
      const overview = await t.admin.call<{
        runs: Record<string, number>
        deliveries: Record<string, number>
        devices: { device_id: string; queued: number; executing: number }[]
      }>('GET', '/overview')
      for (const state of ['queued', 'running', 'waiting_approval', 'cancelling', 'reconciling'])
        equal(typeof overview.runs[state], 'number', `the overview has no count of ${state} runs`)
      for (const state of ['pending', 'sending', 'needs_action', 'expired'])
        equal(typeof overview.deliveries[state], 'number', `the overview has no count of ${state} callbacks`)
      ok(overview.devices.length > 0, 'no device is shown')
    },
  },
  {
    id: 'admin/operators',
    title:
      'an operator with the role read can read records but not texts, cannot change anything, and is refused once revoked',
    rules: ['ADMIN-20', 'ADMIN-21', 'ADMIN-22'],
    tags: ['security'],
    needs: ['admin'],
    run: async (t) => {
      const name = t.fresh('operator')
      const made = await t.admin.call<{ operator_id: string; token: string }>('POST', '/operators', {
        name,
        role: 'read',
      })
      const headers = { authorization: `Bearer ${made.token}` }
      const self = await t.admin.request<{ name: string; role: string }>('GET', '/operator', { headers })
      deepEqual([self.body.name, self.body.role], [name, 'read'])
      const listed = await t.admin.request<{ operators: { operator_id: string }[] }>('GET', '/operators?limit=200')
      ok(listed.body.operators.some(({ operator_id }) => operator_id === made.operator_id))
      ok(!listed.text.includes(made.token), 'the list shows the token')
      const before = await t.admin.call<{ paused: boolean }>('GET', '/admission')
      const refused = await t.admin.request('PUT', '/admission', { json: { paused: !before.paused }, headers })
      equal(refused.status, 403)
      deepEqual(await t.admin.call('GET', '/admission'), before)
      equal((await t.admin.request('POST', '/devices', { json: {}, headers })).status, 403)
      const { admission } = await t.start({ delta: WORDS })
      const path = `/runs/${admission.run_id}/timeline`
      equal((await t.admin.request('GET', path, { headers })).status, 200)
      equal((await t.admin.request('GET', `${path}?include_text=true`, { headers })).status, 403)
      await t.admin.call('POST', `/operators/${made.operator_id}/revoke`)
      equal((await t.admin.request('GET', '/operator', { headers })).status, 401)
    },
  },
  {
    id: 'admin/audit',
    title: 'a change by an operator is listed with its author and outcome, without secrets',
    rules: ['ADMIN-23'],
    tags: ['security'],
    needs: ['admin'],
    run: async (t) => {
      const name = t.fresh('operator')
      const made = await t.admin.call<{ operator_id: string; token: string }>('POST', '/operators', {
        name,
        role: 'admin',
      })
      const headers = { authorization: `Bearer ${made.token}`, 'x-request-id': t.fresh('request') }
      const deviceId = t.fresh('dev')
      const json = { device_id: deviceId, name: WORDS }
      equal((await t.admin.request('POST', '/devices', { json, headers })).status, 201)
      equal((await t.admin.request('POST', '/devices', { json, headers })).status, 409)
      const { text, body } = await t.admin.request<{ audit_records: Record<string, unknown>[] }>(
        'GET',
        `/audit?operator=${encodeURIComponent(name)}`,
      )
      deepEqual(
        body.audit_records.map(({ operation, role, request_id, status, code }) => [
          operation,
          role,
          request_id,
          status,
          code,
        ]),
        [
          ['createDevice', 'admin', headers['x-request-id'], 409, 'ALREADY_EXISTS'],
          ['createDevice', 'admin', headers['x-request-id'], 201, null],
        ],
      )
      deepEqual(body.audit_records.at(-1)?.target, { device_id: deviceId })
      ok(!text.includes(WORDS) && !text.includes(made.token), 'the list shows written texts or tokens')
      await t.admin.call('POST', `/operators/${made.operator_id}/revoke`)
    },
  },
  {
    id: 'admin/usage',
    title:
      'an admitted run is counted, a key is listed with its prefix and last use, and an application with its limits',
    rules: ['ADMIN-25', 'ADMIN-26'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const app = t.config.apps.first.appId
      const admitted = async () => {
        const { usage } = await t.admin.call<{ usage: { admitted: number }[] }>('GET', `/usage?app_id=${app}`)
        return usage.reduce((sum, day) => sum + day.admitted, 0)
      }
      const before = await admitted()
      const { admission } = await t.start({ delta: WORDS })
      await t.runEnded(admission.run_id)
      ok((await admitted()) > before, 'the run is not counted')
      equal((await t.admin.request('GET', '/usage?created_after=2020-01-01T00:00:00Z')).status, 400)
      const { key_id, key } = await t.admin.call<{ key_id: string; key: string }>('POST', `/apps/${app}/keys`, {
        scopes: ['runs:read'],
      })
      const { keys } = await t.admin.call<{ keys: { key_id: string; prefix: string; last_used_at: null }[] }>(
        'GET',
        `/apps/${app}/keys`,
      )
      const shown = keys.find((each) => each.key_id === key_id)
      ok(shown !== undefined && key.startsWith(shown.prefix) && shown.last_used_at === null)
      const record = await t.admin.call<{ limits_in_force: { pending_limit: number } }>('GET', `/apps/${app}`)
      ok(record.limits_in_force.pending_limit > 0, 'the application has no pending limit')
    },
  },
  {
    id: 'admin/retries',
    title: 'a bulk retry of deliveries is a dry run by default, and needs a window of time',
    rules: ['ADMIN-24'],
    needs: ['admin'],
    run: async (t) => {
      const created_after = new Date(Date.now() - 60_000).toISOString()
      const counted = await t.admin.call<{ dry_run: boolean; retried: number; more: boolean }>(
        'POST',
        '/delivery-retries',
        {
          created_after,
          app_id: t.fresh('app'),
        },
      )
      deepEqual([counted.dry_run, counted.retried, counted.more], [true, 0, false])
      equal((await t.admin.request('POST', '/delivery-retries', { json: { dry_run: false } })).status, 400)
    },
  },
]
