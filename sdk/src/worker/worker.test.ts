import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorker, runAssistant, type WorkerAssistant, type WorkerLog, WorkerRefusedError } from './index.ts'

const LEASE_MS = 3000

interface Asked {
  readonly path: string
  readonly body: { runs: { run_id: string }[]; limit: number; index: number; steps?: object[]; end?: object }
}

/** A gateway that hands out one run, and answers as the test says. */
const playGateway = (
  answers: Record<string, (asked: Asked, signal: AbortSignal) => object | number | Promise<never>>,
) => {
  const asked: Asked[] = []
  let isGiven = false
  const run = {
    run_id: 'run_1',
    app_id: 'app_1',
    subject: 'customer',
    conversation_id: 'conv_1',
    message_id: 'msg_1',
    generation: 1,
    endpoint_id: 'ep_1',
    binding_version: 1,
    assistant: { type: 'worker' },
    input: { text: 'hello', data: null, resource_ids: [] },
    reply_message_id: 'msg_2',
    deadline: '2030-01-01T00:00:00.000Z',
    traceparent: null,
  }
  const defaults: typeof answers = {
    sessions: () => ({ session_id: 'ws_1', device_id: 'dev_1', lease_ms: LEASE_MS, services: [] }),
    claims: ({ body }, signal) => {
      if (body.limit === 0) return { runs: [] }
      if (isGiven) return hang(signal)
      isGiven = true
      return { runs: [run] }
    },
    heartbeats: (_asked, signal) => hang(signal),
    steps: ({ body }) => ({ index: body.index + (body.steps?.length ?? 0), stop: false, approval_id: null }),
    end: () => ({ state: 'succeeded' }),
    ws_1: () => 204,
  }
  const fetch = async (url: string, init: { body?: Uint8Array; signal: AbortSignal }): Promise<Response> => {
    const path = new URL(url).pathname
    const one = { path, body: init.body === undefined ? null : JSON.parse(new TextDecoder().decode(init.body)) }
    asked.push(one)
    const name = path.split('/').at(-1) ?? ''
    const answer = await (answers[name] ?? defaults[name])?.(one, init.signal)
    if (answer instanceof Response) return answer
    if (typeof answer === 'object') return Response.json(answer)
    const status = answer ?? 500
    return status === 204
      ? new Response(null, { status })
      : Response.json({ code: CODES[status], detail: 'no' }, { status })
  }
  return { fetch, asked, sent: (name: string) => asked.filter(({ path }) => path.endsWith(`/${name}`)) }
}

const CODES: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND', 409: 'RUN_LOST' }

const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const start = (gateway: ReturnType<typeof playGateway>, assistant: WorkerAssistant) => {
  const logged: string[] = []
  const write = (_fields: object, message: string): void => void logged.push(message)
  const log: WorkerLog = { info: write, warn: write, error: write }
  const ending = new AbortController()
  const over = createWorker({
    url: 'https://gateway.test',
    key: 'gd_key',
    assistants: { ep_1: assistant },
    log,
    fetch: gateway.fetch,
  }).run({ signal: ending.signal })
  const failure = over.then(
    () => null,
    (error: unknown) => error,
  )
  return { logged, failure, end: () => ending.abort() }
}

/** An assistant that says a word and then waits until it is stopped. */
const waiting = () => {
  const seen = { isStopped: false }
  const assistant: WorkerAssistant = async function* ({ signal }) {
    yield { delta: 'word' }
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    seen.isStopped = true
    yield { delta: 'never sent' }
  }
  return { seen, assistant }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a worker', () => {
  it.each([
    ['claims', { runs: [] }],
    ['heartbeats', { stop: [], lost: [], decisions: [], drain: false }],
  ])('pauses between requests when the gateway answers %s at once', async (name, answer) => {
    const gateway = playGateway({ [name]: () => answer })
    const worker = start(gateway, waiting().assistant)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(gateway.sent(name).length).toBeLessThan(60)
    worker.end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await worker.failure).toBeNull()
  })

  it('merges pieces of text, repeats a request that failed unchanged, and ends the run', async () => {
    let failures = 2
    const gateway = playGateway({
      steps: ({ body }) => {
        failures -= 1
        return failures >= 0 ? 500 : { index: body.index + (body.steps?.length ?? 0), stop: false, approval_id: null }
      },
    })
    const { end, failure } = start(gateway, async function* () {
      yield { delta: 'a' }
      yield { delta: 'b\uD83D' }
      yield { delta: '\uDE42' }
      yield { message: 'whole' }
    })
    await vi.waitFor(() => expect(gateway.sent('end')).toHaveLength(1))
    const bodies = gateway.sent('steps').map(({ body }) => JSON.stringify(body))
    expect(bodies[0]).toBe(bodies[1])
    expect(bodies[1]).toBe(bodies[2])
    const sent = gateway
      .sent('steps')
      .slice(2)
      .flatMap(({ body }) => body.steps ?? [])
    expect(sent.map((step) => ('delta' in step ? step.delta : step)).join('|')).toContain('🙂')
    expect(gateway.sent('end')[0]?.body.index).toBe(sent.length)
    end()
    await vi.advanceTimersByTimeAsync(100)
    expect(await failure).toBeNull()
    expect(gateway.asked.at(-1)?.path).toBe('/worker/v1/sessions/ws_1')
  })

  it('sends the steps of one tick with the end, even if the assistant throws', async () => {
    const gateway = playGateway({})
    const { end } = start(gateway, async function* () {
      yield { delta: 'a' }
      yield { delta: 'b' }
      throw new Error('broken')
    })
    await vi.waitFor(() => expect(gateway.sent('end')).toHaveLength(1))
    expect(gateway.sent('end')[0]?.body).toMatchObject({
      index: 0,
      steps: [{ delta: 'ab' }],
      end: { state: 'failed', error: { code: 'ASSISTANT_ERROR' } },
    })
    expect(gateway.sent('steps')).toEqual([])
    end()
  })

  it('sends the last steps before an end with a long text', async () => {
    const text = 'long '.repeat(40_000)
    const gateway = playGateway({})
    const { end } = start(gateway, async function* () {
      yield { delta: 'a' }
      return { state: 'succeeded', text }
    })
    await vi.waitFor(() => expect(gateway.sent('end')).toHaveLength(1))
    expect(gateway.sent('steps').map(({ body }) => body.steps)).toEqual([[{ delta: 'a' }]])
    expect(gateway.sent('end')[0]?.body).toMatchObject({ index: 1, steps: [], end: { state: 'succeeded', text } })
    end()
  })

  it('stops its assistants when the lease expires without an answer, and sends nothing more about their runs', async () => {
    const gateway = playGateway({ heartbeats: () => 503 })
    const { seen, assistant } = waiting()
    const { logged, end } = start(gateway, assistant)
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1)
    expect(seen.isStopped).toBe(false)
    expect(gateway.sent('heartbeats').length).toBeGreaterThan(3)
    await vi.advanceTimersByTimeAsync(2)
    expect(seen.isStopped).toBe(true)
    expect(logged.join()).toContain('the lease is over, because no heartbeat was answered in time')
    await vi.advanceTimersByTimeAsync(1000)
    expect(gateway.sent('end')).toEqual([])
    expect(gateway.sent('steps')).toHaveLength(1)
    end()
  })

  it('measures the lease from when it sends the heartbeat, not from the answer', async () => {
    let beats = 0
    const gateway = playGateway({
      heartbeats: async ({ body }, signal) => {
        if ((body as { runs: unknown[] }).runs.length > 0) beats += 1
        if (beats !== 1) return hang(signal)
        await new Promise((resolve) => setTimeout(resolve, 2000))
        return { stop: [], lost: [], decisions: [], drain: false } as never
      },
    })
    const { seen, assistant } = waiting()
    const { end } = start(gateway, assistant)
    await vi.advanceTimersByTimeAsync(LEASE_MS + 100)
    // The only answered heartbeat that names the run was sent at the start; its answer arrived 2 seconds later.
    expect(seen.isStopped).toBe(true)
    end()
  })

  it('fails a run whose assistant yields an invalid step, and logs this', async () => {
    const gateway = playGateway({})
    const { logged, end } = start(gateway, async function* () {
      yield { think: 'hm' } as never
    })
    await vi.waitFor(() => expect(gateway.sent('end')).toHaveLength(1))
    expect(gateway.sent('end')[0]?.body.end).toMatchObject({ state: 'failed', error: { code: 'ASSISTANT_ERROR' } })
    expect(logged.join()).toContain('an assistant failed')
    end()
  })

  it('opens another session after it loses its own, and gives up when the key is refused', async () => {
    let sessions = 0
    const gateway = playGateway({
      sessions: () => {
        sessions += 1
        return sessions > 1 ? 401 : { session_id: 'ws_1', device_id: 'dev_1', lease_ms: LEASE_MS, services: [] }
      },
      heartbeats: () => 404,
    })
    const { failure } = start(gateway, waiting().assistant)
    await vi.advanceTimersByTimeAsync(100)
    expect(await failure).toBeInstanceOf(WorkerRefusedError)
    expect(sessions).toBe(2)
  })
})

describe('an assistant without a gateway', () => {
  it('returns its steps, its text and its end', async () => {
    const run = await runAssistant(
      async function* ({ input, readContext, createResource }) {
        yield { delta: `${input.text}, ` }
        yield { delta: String((await readContext()).length) }
        const decision = yield { approval: 'Send it?' }
        const resourceId = await createResource({
          filename: 'a',
          contentType: 'text/plain',
          content: new Uint8Array(1),
        })
        return { state: 'succeeded', text: String(decision), resourceIds: [resourceId] }
      },
      'hello',
      { decide: () => 'denied' },
    )
    expect(run.text).toBe('hello, 0')
    expect(run.end).toEqual({ state: 'succeeded', text: 'denied', resource_ids: [...run.created.keys()] })
    expect(run.steps).toHaveLength(3)
  })

  it.each([
    [{ think: 'a' }, 'think is not a known member'],
    [{ delta: 1 }, 'delta must be a string'],
    [{ delta: 'a', message: 'b' }, 'exactly one member'],
    [{ end: { state: 'done' } }, 'end.state must be succeeded or failed'],
    [{ end: { state: 'succeeded', resourceIds: [] } }, 'end.resourceIds is not a known member'],
    [{ end: 'text' }, 'end must be an object'],
    ['text', 'it must be an object'],
  ])('refuses %j as a step', async (step, fault) => {
    const assistant = async function* () {
      yield step as never
    }
    await expect(runAssistant(assistant, 'hello')).rejects.toThrow(fault)
  })
})
