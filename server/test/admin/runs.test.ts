import type {
  Overview,
  OverviewHistory,
  RunRecord,
  RunRecordList,
  RunTimeline,
} from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, it } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { failure, playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const TARGETS = { callbackTargets: { hosts: new Set(['orders.example.com']), devOrigins: new Set<string>() } }
const WORDS = 'words of a customer'

onGateways(
  'The runs that an operator sees',
  (running) => {
    const device = playDevice(running)
    const read = async <Body>(path: string): Promise<Body> => {
      const { status, body } = await running.operator.request<Body>('GET', `/admin/v1${path}`)
      expect([path, status]).toEqual([path, 200])
      return body
    }
    const listed = async (filter: string) =>
      (await read<RunRecordList>(`/runs?${filter}`)).runs.map((run) => run.run_id)
    const statusOf = async (path: string) => (await running.operator.request('GET', `/admin/v1${path}`)).status
    const begin = async (client: Client = running.client(), endpoint = 'ep_script') => {
      await device.beat()
      const id = (await client.createConversation({ endpoint_id: endpoint })).body.conversation_id
      return { id, runId: (await client.send(id, { text: WORDS })).body.run_id }
    }

    it('are listed newest first and page by page, for all applications or one [ADMIN-15]', async () => {
      const own = await begin()
      await running.passTime(1000)
      const other = await begin(running.client({ key: KEYS.otherApp }), 'ep_other')
      expect((await listed('limit=2')).slice(0, 2)).toEqual([other.runId, own.runId])
      expect(await listed(`limit=1&before=${other.runId}`)).toEqual([own.runId])
      expect(await listed('app_id=app_other')).toEqual([other.runId])
      expect(await statusOf('/runs?before=run_none')).toBe(404)
      expect(await statusOf('/runs/run_none')).toBe(404)
    })

    it('are filtered by owner, service, state and time [ADMIN-15]', async () => {
      const client = running.client({ subject: 'Miller & Sons' })
      const { id, runId } = await begin(client)
      const before = running.clock.now().toISOString()
      const own = `app_id=app_test&subject=${encodeURIComponent('Miller & Sons')}`
      expect(await listed(own)).toEqual([runId])
      expect(await listed(`${own}&state=queued`)).toEqual([runId])
      expect(await listed(`conversation_id=${id}`)).toEqual([runId])
      expect(await listed(`conversation_id=${id}&created_before=${before}`)).toEqual([])
      expect(await listed(`conversation_id=${id}&created_after=${before}`)).toEqual([runId])
      expect(await listed(`conversation_id=${id}&older_than_seconds=60`)).toEqual([])
      const run = await device.take(runId)
      expect(await listed(`conversation_id=${id}&state=running`)).toEqual([runId])
      expect(await listed(`conversation_id=${id}&state=queued`)).toEqual([])
      await device.report(run, failure())
      await running.passTime(60_000)
      for (const filter of ['state=failed', 'error_code=BROKEN', 'endpoint_id=ep_script', 'device_id=dev_test'])
        expect(await listed(`${filter}&limit=1`)).toEqual([runId])
      for (const filter of ['error_code=OTHER', 'endpoint_id=ep_echo', 'device_id=dev_second', 'state=queued'])
        expect(await listed(`${own}&${filter}`)).toEqual([])
      expect(await listed(`conversation_id=${id}&older_than_seconds=60`)).toEqual([runId])
    })

    it('are not listed for a subject without its application, or for invalid times and states [ADMIN-15]', async () => {
      expect(await statusOf('/runs?subject=subject-1')).toBe(400)
      expect(await statusOf('/runs?created_after=2026-01-01T23:59:60Z')).toBe(400)
      expect(await statusOf('/runs?state=lost')).toBe(400)
    })

    it('show the process that executes them, and whether it is alive', async () => {
      const { runId } = await begin()
      expect(await read<RunRecord>(`/runs/${runId}`)).toMatchObject({ state: 'queued', lease: null, error: null })
      await device.take(runId)
      const held = await read<RunRecord>(`/runs/${runId}`)
      expect(held.lease).toMatchObject({ process_id: 'worker of dev_test', alive: true })
      running.clock.pass(60_000)
      expect((await read<RunRecord>(`/runs/${runId}`)).lease).toMatchObject({ alive: false })
      await running.passTime(0)
    })

    it('show their state, failure and callbacks, and the text of their messages only on request [ADMIN-16, ADMIN-19]', async () => {
      const callback = {
        app_id: 'app_test',
        endpoint_id: 'ep_script',
        url: 'https://orders.example.com/',
        events: ['run.failed'],
      }
      const saved = await running.operator.request('POST', '/admin/v1/callbacks', { body: callback })
      expect(saved.status).toBe(201)
      const { id, runId } = await begin()
      const next = (await running.client().send(id, { text: WORDS })).body.run_id
      const run = await device.take(runId)
      await device.stream(run, WORDS, WORDS)
      await device.ask(run, 'May I?')
      await device.report(run, failure())
      const plain = await read<RunTimeline>(`/runs/${runId}/timeline`)
      expect(plain).toMatchObject({
        run: { run_id: runId, state: 'failed', error: { code: 'BROKEN' } },
        started_at: running.clock.now().toISOString(),
        first_output_at: running.clock.now().toISOString(),
        messages: [
          { role: 'user', text: null, data: null, partial: false },
          { role: 'assistant', text: null, partial: true },
        ],
        approvals: [{ summary: 'May I?', state: 'withdrawn' }],
        stops: [],
        deliveries: [{ event_type: 'run.failed', state: 'pending', attempts: 0, attempt_log: [] }],
      })
      expect(plain.events.map(({ type, count, state, error_code }) => [type, count, state, error_code])).toEqual([
        ['run.started', 1, 'running', null],
        ['assistant.delta', 2, null, null],
        ['run.updated', 1, 'waiting_approval', null],
        ['approval.required', 1, null, null],
        ['run.failed', 1, 'failed', 'BROKEN'],
      ])
      expect(JSON.stringify(plain)).not.toContain(WORDS)
      const full = await read<RunTimeline>(`/runs/${runId}/timeline?include_text=true`)
      expect(full.messages.map(({ text }) => text)).toEqual([WORDS, WORDS + WORDS])
      const waiting = await read<RunTimeline>(`/runs/${next}/timeline`)
      expect([waiting.events, waiting.deliveries, waiting.started_at]).toEqual([[], [], null])
      expect(await statusOf('/runs/run_none/timeline')).toBe(404)
    })

    it('show the cause of their stop', async () => {
      const { runId } = await begin()
      await running.client().cancel(runId)
      const { run, stops } = await read<RunTimeline>(`/runs/${runId}/timeline`)
      expect([run.state, stops.map(({ kind, state }) => [kind, state])]).toEqual([
        'cancelled',
        [['cancel', 'succeeded']],
      ])
    })

    it('are counted in the overview, with the load of each device [ADMIN-18]', async () => {
      const before = await read<Overview>('/overview')
      const { runId } = await begin()
      await begin()
      await device.take(runId)
      const after = await read<Overview>('/overview')
      expect(after.runs.running).toBeGreaterThan(before.runs.running)
      expect(after.recent.admitted).toBe(before.recent.admitted + 2)
      expect(after.process.admitted).toBeGreaterThan(before.process.admitted)
      expect(after.deliveries).toMatchObject({ pending: before.deliveries.pending, needs_action: 0 })
      const load = after.devices.find(({ device_id }) => device_id === 'dev_test')
      expect(load).toMatchObject({
        state: 'active',
        online: true,
        executing: after.runs.running + after.runs.reconciling,
      })
      expect(after.devices.map(({ device_id }) => device_id)).toEqual(['dev_second', 'dev_test'])
    })

    it('have a history of their counts, which begins when the process starts', async () => {
      const { process } = await read<Overview>('/overview')
      const history = await read<OverviewHistory>('/overview/history')
      expect(history.process_id).toBe(process.process_id)
      expect(history.samples[0]).toMatchObject({ runs: { queued: 0 }, open_streams: 0, admitted: 0 })
    })
  },
  { ...WITHOUT_WORKER, ...TARGETS },
)
