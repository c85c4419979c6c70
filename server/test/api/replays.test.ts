import { randomUUID } from 'node:crypto'
import type { Admission, Control } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { NOBODY } from '../support/api-routes.ts'
import type { Answer } from '../support/client.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const RUNS = '/api/v1/agent-endpoints/ep_second/runs'
const messagesOf = (conversationId: string): string => `/api/v1/conversations/${conversationId}/messages`
const isAdmitted = ({ status }: Answer): boolean => status === 201 || status === 202

onGateways(
  'a request under an idempotency key',
  (running) => {
    const device = playDevice(running, 'dev_second')
    const moveDevice = (move: string) => running.operator.request('POST', `/admin/v1/devices/dev_second/${move}`)
    const limitApp = (pending: number | null) =>
      running.operator.request('PATCH', '/admin/v1/apps/app_test', { body: { pending_limit: pending } })
    const pauseAdmission = (paused: boolean) =>
      running.operator.request('PUT', '/admin/v1/admission', { body: { paused } })

    test('that was admitted is answered as at first, whatever the conversation, the clock, the service, the limits and the device have come to [REQ-12, REQ-13]', async () => {
      await device.beat()
      const client = running.client({ subject: 'replaying' })
      const answers: { readonly name: string; again(): Promise<Answer>; readonly first: Answer }[] = []
      const intend = async <Body>(name: string, path: string, body: object): Promise<Body> => {
        const key = randomUUID()
        const first = await client.post<Body>(path, body, key)
        expect([name, isAdmitted(first)]).toEqual([name, true])
        answers.push({ name, first, again: () => client.post(path, body, key) })
        return first.body
      }
      const expectReplays = async (after: string) => {
        for (const { name, first, again } of answers) {
          const { status, headers, body } = await again()
          expect([after, name, status, body]).toEqual([after, name, first.status, first.body])
          expect([after, name, headers.get('idempotency-replayed')]).toEqual([after, name, 'true'])
        }
      }
      const expectRefused = async (code: string, request: Promise<Answer>) =>
        expect(await request).toMatchObject({ body: { code } })

      const startBefore = new Date(running.clock.now().getTime() + 100_000).toISOString()
      const creation = { endpoint_id: 'ep_second', conversation_key: 'replayed' }
      const { conversation_id: id } = await intend<Admission>('create', '/api/v1/conversations', creation)
      const message = { expected_generation: 1, input: { text: 'x' }, start_before: startBefore }
      const sent = await intend<Admission>('send', messagesOf(id), message)
      const run = { conversation_key: 'replayed', input: { text: 'x' }, start_before: startBefore }
      const direct = await intend<Admission>('run', RUNS, run)
      for (const { run_id } of [sent, direct]) await device.report(await device.take(run_id), { state: 'succeeded' })
      await intend<Control>('cancel', `/api/v1/runs/${sent.run_id}/cancel`, {})
      await intend<Control>('reset', `/api/v1/conversations/${id}/reset`, { expected_generation: 1 })
      await expectRefused('GENERATION_CONFLICT', client.post(messagesOf(id), message))
      await expectReplays('in the next generation')

      await running.passTime(120_000)
      await expectRefused('INVALID_REQUEST', client.post(messagesOf(id), { ...message, expected_generation: 2 }))
      await expectRefused('INVALID_REQUEST', client.post(RUNS, run))
      await expectReplays('after start_before has passed')

      const breaking = { compatibility: 'breaking' }
      await running.operator.request('POST', '/admin/v1/apps/app_test/endpoints/ep_second/versions', { body: breaking })
      await expectRefused('GENERATION_CONFLICT', client.send(id, { text: 'x' }, 2))
      await expectReplays('after a breaking publication')

      await device.beat()
      const fresh = () => client.post(RUNS, { input: { text: 'fresh' } })
      await limitApp(0)
      await expectRefused('PENDING_LIMIT', fresh())
      await expectReplays('at the limit of the application')
      await limitApp(null)

      await pauseAdmission(true)
      await expectRefused('CAPABILITY_UNAVAILABLE', fresh())
      await expectReplays('while admission is paused')
      await pauseAdmission(false)

      await moveDevice('disable')
      await expectRefused('PERMISSION_DENIED', fresh())
      await expectReplays('while the device is disabled')
      await moveDevice('enable')

      await client.reset(id, 2)
      await device.take((await client.send(id, { text: 'x' }, 3)).body.run_id)
      expect((await client.reset(id, 3, 'cancel_and_reset')).body.state).toBe('stopping')
      await expectRefused('BUSY', client.send(id, { text: 'x' }, 3))
      await expectReplays('while the conversation is being reset')
    })

    test('that was refused leaves its key for a later request, also for another one [IDEM-17, IDEM-20]', async () => {
      const client = running.client({ subject: 'refused' })
      await device.beat()
      const { conversation_id: id } = (
        await client.createConversation({ endpoint_id: 'ep_second', conversation_key: 'taken' })
      ).body
      const message = (text: string, generation = 1) => ({ expected_generation: generation, input: { text } })
      const path = messagesOf(id)
      const none = async () => {}

      const refusals: readonly {
        readonly code: string
        readonly prepare?: () => Promise<unknown>
        readonly repair?: () => Promise<unknown>
        readonly path?: string
        readonly body: object
      }[] = [
        { code: 'INVALID_REQUEST', path, body: { expected_generation: 1, input: {} } },
        { code: 'UNKNOWN_FIELD', path, body: { ...message('x'), model: 'x' } },
        { code: 'NOT_FOUND', path: messagesOf(NOBODY.conversation_id), body: message('x') },
        { code: 'GENERATION_CONFLICT', path, body: message('x', 2) },
        {
          code: 'BUSY',
          path: '/api/v1/conversations',
          body: { endpoint_id: 'ep_second', conversation_key: 'taken' },
        },
        { code: 'PENDING_LIMIT', prepare: () => limitApp(0), repair: () => limitApp(null), path, body: message('x') },
        {
          code: 'CAPABILITY_UNAVAILABLE',
          prepare: () => pauseAdmission(true),
          repair: () => pauseAdmission(false),
          path: RUNS,
          body: { input: { text: 'x' } },
        },
        {
          code: 'PERMISSION_DENIED',
          prepare: () => moveDevice('disable'),
          repair: () => moveDevice('enable'),
          path: RUNS,
          body: { input: { text: 'x' } },
        },
      ]
      for (const { code, prepare = none, repair = none, path: refusedPath = path, body } of refusals) {
        const key = randomUUID()
        await prepare()
        const refused = await client.post(refusedPath, body, key)
        await repair()
        expect(refused).toMatchObject({ body: { code } })
        const admitted = await client.post(path, message(`instead of ${code}`), key)
        expect([code, admitted.status, admitted.headers.has('idempotency-replayed')]).toEqual([code, 202, false])
      }
    })
  },
  WITHOUT_WORKER,
)
