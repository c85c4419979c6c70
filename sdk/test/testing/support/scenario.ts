import { createParser } from 'eventsource-parser'

export interface ScenarioOptions {
  readonly origin: string
  readonly apiKey: string
  /** A service that follows `input.data.script` (D-45). */
  readonly endpointId: string
}

type Json = Readonly<Record<string, unknown>>
interface Event {
  readonly seq: number
  readonly type: string
}

const TERMINAL = ['run.completed', 'run.failed', 'run.cancelled', 'run.interrupted', 'run.expired']

/**
 * Sends all kinds of requests for conversations and runs to a gateway, and records its answers and events. Identifiers
 * and times are replaced, so that two recordings can be compared; texts for people are left out.
 */
export const playScenario = async ({ origin, apiKey, endpointId }: ScenarioOptions): Promise<readonly string[]> => {
  const recorded: unknown[] = []
  const identity = { authorization: `Bearer ${apiKey}`, 'x-service-subject': 'scenario' }
  let keys = 0

  const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const mutating = { 'content-type': 'application/json', 'idempotency-key': `scenario-${++keys}` }
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...identity, ...(method === 'GET' ? {} : mutating), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const json = await response.json()
    const seen = ['content-type', 'idempotency-replayed'].map((name) => response.headers.get(name)?.split(';')[0])
    const present = ['retry-after', 'www-authenticate', 'x-request-id'].filter((name) => response.headers.has(name))
    recorded.push([method, path, response.status, json, seen, present])
    return json
  }

  /** Reads a stream from its start until an event matches; returns all events so far. */
  const readUntil = async (path: string, fits: (event: Event) => boolean): Promise<Event[]> => {
    const done = new AbortController()
    const response = await fetch(`${origin}/api/v1${path}/events`, { headers: identity, signal: done.signal })
    const streamHeaders = ['content-type', 'cache-control', 'x-accel-buffering'].map((name) =>
      response.headers.get(name),
    )
    recorded.push([path, streamHeaders])
    const events: Event[] = []
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        const envelope = JSON.parse(data)
        recorded.push([id, event])
        events.push(envelope)
      },
      onRetry: (ms) => recorded.push(`retry ${ms}`),
    })
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      parser.feed(text)
      if (events.some(fits)) break
    }
    done.abort()
    return events
  }

  const conversation = { endpoint_id: endpointId, conversation_key: 'order-1' }
  const { conversation_id } = await request('POST', '/conversations', conversation)
  await request('POST', '/conversations', conversation)
  const own = `/conversations/${conversation_id}`
  const post = (body: unknown, headers?: Record<string, string>) => request('POST', `${own}/messages`, body, headers)

  /** Sends an input and waits for an event of its run. */
  const send = async (input: Json, types: readonly string[] = TERMINAL): Promise<string> => {
    const { run_id } = await post({ expected_generation: 1, input })
    recorded.push((await readUntil(`/runs/${run_id}`, ({ type }) => types.includes(type))).at(-1))
    await request('GET', `/runs/${run_id}`)
    return run_id
  }
  const play = (script: readonly Json[], types?: readonly string[]) => send({ data: { script } }, types)

  await send({ text: '  Hello  there you ' })
  await send({ data: { a: 1 } })
  await play([{ delta: 'a' }, { delta: 'b' }, { message: 'whole' }, { delta: 'c' }])
  const { resource_id } = await request('POST', '/resources', {
    filename: 'a.txt',
    content_type: 'text/plain',
    size: 2,
  })
  await request('PUT', `/resources/${resource_id}/content`, 'hi', { 'content-type': 'application/octet-stream' })
  await play([{ message: 'whole' }, { succeed: { text: 'Result', resource_ids: [resource_id] } }])
  await play([{ delta: 'x' }, { succeed: { text: 'Result' } }])
  await play([{ succeed: { text: 'Only a result' } }])
  await play([{ succeed: {} }])
  await play([{ message: 'only whole' }])
  await play([{ delta: 'x' }, { fail: { code: 'OOPS', message: 'No.' } }])
  await play([{ fail: { code: 'OOPS', message: 'No.', retryable: true } }])

  const approval = await play([{ delta: 'before' }, { approval: 'Refund?' }], ['approval.required'])
  await request('POST', `/runs/${approval}/cancel`, {})
  await readUntil(`/runs/${approval}`, ({ type }) => TERMINAL.includes(type))

  const hanging = await play([{ delta: 'half' }, { hang: true }], ['assistant.delta'])
  const queued = (await post({ expected_generation: 1, input: { text: 'queued' } })).run_id
  await request('POST', `${own}/reset`, { expected_generation: 1 })
  for (let waiting = 1; waiting < 20; waiting++) await post({ expected_generation: 1, input: { text: 'queued' } })
  await post({ expected_generation: 1, input: { text: 'one too many' } }, { 'idempotency-key': 'refused' })
  await request('POST', `/runs/${queued}/cancel`, {})
  const { operation_id } = await request('POST', `${own}/reset`, {
    expected_generation: 1,
    busy_policy: 'cancel_and_reset',
  })
  await readUntil(own, ({ type }) => type === 'conversation.reset')
  await request('GET', `/operations/${operation_id}`)
  await request('POST', `/runs/${hanging}/cancel`, {})

  const again = { 'idempotency-key': 'again' }
  await request('POST', `${own}/reset`, { expected_generation: 2 }, again)
  await request('POST', `${own}/reset`, { expected_generation: 2 }, again)
  await request('POST', `${own}/reset`, { expected_generation: 3 }, again)
  await post({ expected_generation: 2, input: { text: 'late' } })

  await post({ expected_generation: '3', input: {}, x: 1 })
  await post({ expected_generation: 3, input: { text: 'a' }, x: 1, y: 2 })
  await post({ expected_generation: 3, input: { text: '', data: {} } })
  await post({ expected_generation: 3, input: { resource_ids: ['res_a', 'res_b'] } })
  await post({ expected_generation: 3, input: { text: 'a' }, start_before: '2020-01-01T00:00:00Z' })
  await post('{')
  await post('')
  await post('{}', { 'content-type': 'text/plain' })
  await post({ expected_generation: 3, input: { text: 'a' } }, { 'idempotency-key': 'a b' })
  await post({}, { authorization: 'Basic x' })
  await post({}, { 'x-service-subject': '' })
  await request('POST', '/runs/run_absent/cancel', {})
  await request('POST', '/runs/run_absent/cancel', { a: 1 })
  await request('GET', '/runs/run_absent')
  await request('GET', '/operations/op_absent')

  for (const query of ['limit=3', 'limit=300', 'generation=2', 'before=x&generation=0', 'before=4'])
    await request('GET', `${own}/messages?${query}`)
  const list = `/conversations?endpoint_id=${endpointId}`
  for (const path of [list, `${list}&before=${conversation_id}`, `${list}&limit=0`, '/conversations'])
    await request('GET', path)
  await request('GET', '/conversations?endpoint_id=ep_absent')

  for (const after of ['-1', 'x', '99999', '99999999999999999999999'])
    await request('GET', `${own}/events?after=${after}`)
  await request('GET', `${own}/events`, undefined, { accept: 'application/json' })
  await request('GET', `${own}/events?after=1`, undefined, { 'last-event-id': 'x' })
  await request('GET', '/conversations/conv_absent/events?after=x')
  await request('GET', '/runs/run_absent/events')

  const direct = (body: Json, id = endpointId) =>
    request('POST', `/agent-endpoints/${id}/runs`, { input: { text: 'a' }, ...body })
  await direct({ expected_generation: 1 })
  await direct({ expected_generation: 1, conversation_key: 'absent' })
  await direct({ expected_generation: 1, conversation_key: 'order-1' })
  await direct({}, 'ep_absent')
  const { run_id } = await direct({ conversation_key: 'order-1' })
  await readUntil(`/runs/${run_id}`, ({ type }) => TERMINAL.includes(type))

  const { watermark } = await request('GET', own)
  recorded.push(...(await readUntil(own, ({ seq }) => seq === watermark)))
  return comparable(recorded)
}

const TEXTS_FOR_PEOPLE = new Set(['detail', 'title', 'message'])

/**
 * JSON with sorted members, and without texts for people and times. An identifier becomes its prefix and a number;
 * IDs of events and requests become only their prefix.
 */
const comparable = (recorded: readonly unknown[]): readonly string[] => {
  const names = new Map<string, string>()
  return recorded.map((one) =>
    JSON.stringify(sorted(one))
      .replaceAll(/\b(conv|msg|run|op|evt|req|apr|res)_[0-9a-f]{6,}/g, (id, prefix: string) => {
        if (prefix === 'evt' || prefix === 'req') return prefix
        if (!names.has(id)) names.set(id, `${prefix} ${names.size}`)
        return names.get(id) ?? id
      })
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
  )
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !(TEXTS_FOR_PEOPLE.has(name) && typeof member === 'string'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [
        name,
        name === 'errors' && Array.isArray(member) ? pointersOf(member) : sorted(member),
      ]),
  )
}

/** The faults, sorted, because their order does not matter. */
const pointersOf = (errors: readonly unknown[]): unknown[] =>
  errors.map((error) => JSON.stringify(sorted(error))).toSorted()
