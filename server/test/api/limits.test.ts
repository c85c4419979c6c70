import { expect, test } from 'vitest'
import type { Admission, Problem } from '../../src/generated/gateway.ts'
import type { Answer, Client } from '../support/client.ts'
import { eventually, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'

const MIB = 1024 * 1024
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const HANG = script({ hang: true })

const refused = (status: number, code: string) => ({ status, body: { status, code } })

/** The places of a 400's faults. */
const pointersOf = ({ status, body }: Answer): [number, readonly string[]] => {
  const { errors = [] } = body as Problem
  return [status, errors.map(({ pointer }) => pointer)]
}

onGateways('the limits of a message', (running) => {
  const newConversation = async (client: Client): Promise<string> =>
    (await client.createConversation({ endpoint_id: 'ep_echo' })).body.conversation_id

  test('let a request have 1 MiB of JSON, and not a byte more [LIMIT-01]', async () => {
    const client = running.client()
    const path = `/api/v1/conversations/${await newConversation(client)}/messages`
    const bodyOf = (bytes: number): string => {
      const filled = (filling: string) => JSON.stringify({ expected_generation: 1, input: { data: { filling } } })
      return filled('x'.repeat(bytes - filled('').length))
    }
    expect(Buffer.byteLength(bodyOf(MIB))).toBe(MIB)
    const send = (rawBody: string) => client.request('POST', path, { rawBody, idempotencyKey: 'large' })
    expect(await send(bodyOf(MIB + 1))).toMatchObject(refused(413, 'PAYLOAD_TOO_LARGE'))
    expect((await send(bodyOf(MIB))).status).toBe(202)
  })

  test('let a text have 65,536 bytes of UTF-8, and not one more [LIMIT-03]', async () => {
    const client = running.client()
    const id = await newConversation(client)
    for (const text of ['x'.repeat(65_536), '\u{1f600}'.repeat(16_384)]) {
      expect((await client.send(id, { text })).status).toBe(202)
      expect(pointersOf(await client.send(id, { text: `${text}x` }))).toEqual([400, ['/input/text']])
    }
  })

  test('let it start within the next 5 minutes, a direct run within 24 hours, and never at once [LIMIT-09, LIMIT-10]', async () => {
    const client = running.client()
    const path = `/api/v1/conversations/${await newConversation(client)}/messages`
    const inMs = (ms: number): string => new Date(running.clock.now().getTime() + ms).toISOString()
    const send = (ms: number) =>
      client.post(path, { expected_generation: 1, input: { text: 'x' }, start_before: inMs(ms) })
    const run = (ms: number) =>
      client.post('/api/v1/agent-endpoints/ep_echo/runs', { input: { text: 'x' }, start_before: inMs(ms) })
    for (const [request, windowMs] of [
      [send, 5 * MINUTE_MS],
      [run, 24 * HOUR_MS],
    ] as const) {
      for (const ms of [1, windowMs]) expect((await request(ms)).status).toBe(202)
      for (const ms of [windowMs + 1, 0, -1]) expect(pointersOf(await request(ms))).toEqual([400, ['/start_before']])
    }
  })

  test('let 20 runs of a conversation wait beside the one that executes; the next is refused until one is gone [LIMIT-11, ERR-13, ERR-14, ERR-32]', async () => {
    const client = running.client()
    const { conversation_id: id } = (await client.createConversation()).body
    const first = (await client.send(id, HANG)).body
    await eventually(
      () => client.run(first.run_id),
      ({ body }) => body.state === 'running',
    )
    const queued = await Promise.all(Array.from({ length: 20 }, () => client.send(id, HANG)))
    expect(queued.map(({ status }) => status)).toEqual(Array(20).fill(202))
    const over = await client.send(id, HANG)
    expect(over).toMatchObject(refused(429, 'QUEUE_FULL'))
    expect(over.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    await client.cancel(queued[7]?.body.run_id ?? '')
    expect([(await client.send(id, HANG)).status, (await client.send(id, HANG)).status]).toEqual([202, 429])
    await client.reset(id, 1, 'cancel_and_reset')
  })
})

onGateways('the limits of unfinished work', (running) => {
  const run = (client: Client, endpointId = 'ep_script') =>
    client.post<Admission>(`/api/v1/agent-endpoints/${endpointId}/runs`, { input: HANG })
  const change = (path: string, body: object) => running.operator.request('PATCH', `/admin/v1/${path}`, { body })
  const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)
  const times = (count: number, send: () => Promise<Answer<Admission>>) =>
    Promise.all(Array.from({ length: count }, send))
  const cancelAll = async (client: Client, answers: readonly Answer<Admission>[]) => {
    for (const { body } of answers) await client.cancel(body.run_id)
  }

  test('are those of the device where it has its own, for all of its applications together [LIMIT-22, LIMIT-24, ERR-13, ERR-33]', async () => {
    const client = running.client()
    await change('devices/dev_second', { pending_limit: 2 })
    const taken = await times(2, () => run(client, 'ep_second'))
    expect(statusesOf(taken)).toEqual([202, 202])
    const over = await run(client, 'ep_second')
    expect(over).toMatchObject(refused(429, 'PENDING_LIMIT'))
    expect(over.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    // Another device is not concerned, and a run that has ended makes room.
    const elsewhere = await run(client)
    expect(elsewhere.status).toBe(202)
    await change('devices/dev_second', { pending_limit: null })
    const more = await run(client, 'ep_second')
    expect(more.status).toBe(202)
    await cancelAll(client, [...taken, elsewhere, more])
  })

  test('are 200 for an application, unless it has its own [LIMIT-21, LIMIT-24, ERR-13, ERR-14, ERR-33]', async () => {
    const client = running.client({ subject: 'busy' })
    await eventually(countUnfinished, (count) => count === 0)
    const taken = await times(200, () => run(client))
    expect(new Set(statusesOf(taken))).toEqual(new Set([202]))
    const over = await run(running.client({ subject: 'another' }))
    expect(over).toMatchObject(refused(429, 'PENDING_LIMIT'))
    expect(over.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    await change('apps/app_test', { pending_limit: 201 })
    const last = await run(client)
    expect([last.status, (await run(client)).status]).toEqual([202, 429])
    await change('apps/app_test', { pending_limit: null })
  })

  const countUnfinished = async (): Promise<number> => {
    const text = `select count(*)::integer as count from runs where state not in
      ('succeeded', 'failed', 'cancelled', 'interrupted', 'expired')`
    const [row] = await running.gateway.context.db.query<{ count: number }>({ name: 'test_unfinished', text }, [])
    return row?.count ?? 0
  }
})
