import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdminClient } from '../../src/admin/index.ts'
import { createClient } from '../../src/index.ts'
import { createWorker, type WorkerAssistant } from '../../src/worker/index.ts'
import { ADMIN_TOKEN, API_KEY, type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import { listen } from '../support/listening.ts'
import { tailOf } from '../support/tail-of.ts'

const PYTHON_WORKER = fileURLToPath(new URL('../../../examples/python-worker/worker.py', import.meta.url))
const GATEWAY = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url))
const DYING_MODULE = fileURLToPath(new URL('fixtures/dying-module.mjs', import.meta.url))
const logged: string[] = []
const write = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`)
const LOG = { info: write, warn: write, error: write }
const WORD_MS = 50

/** The same assistant as that of the Python worker. */
const assistant: WorkerAssistant = async function* ({ input }) {
  const text = input.text ?? ''
  if (text.startsWith('refund') && (yield { approval: 'Refund the order?' }) !== 'approved')
    return { state: 'failed', error: { code: 'NO_REFUND', message: 'The refund was denied.', retryable: false } }
  for (const word of `You said: ${text}`.split(' ')) {
    yield { delta: `${word} ` }
    await new Promise((resolve) => setTimeout(resolve, WORD_MS))
  }
}

interface StartedWorker {
  /** Asks the worker to drain; resolves when it has ended. */
  end(): Promise<void>
  kill: (() => Promise<void>) | null
}

interface WorkerKind {
  readonly name: string
  start(url: string, key: string, service: string): StartedWorker
}

const SDK: WorkerKind = {
  name: 'of the SDK',
  start: (url, key, service) => {
    const ending = new AbortController()
    const over = createWorker({ url, key, assistants: { [service]: assistant }, slots: 4, log: LOG }).run({
      signal: ending.signal,
    })
    return {
      end: () => {
        ending.abort()
        return over
      },
      kill: null,
    }
  },
}

const PYTHON: WorkerKind = {
  name: 'in Python',
  start: (url, key, service) => {
    const child = spawn('python3', [PYTHON_WORKER], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PYTHONDONTWRITEBYTECODE: '1',
        GATEWAY_BASE_URL: url,
        GATEWAY_DEVICE_KEY: key,
        SERVICES: service,
        WORD_SECONDS: String(WORD_MS / 1000),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const log = tailOf(child.stderr, 10_000)
    const exited = once(child, 'exit')
    return {
      end: async () => {
        child.kill('SIGTERM')
        const [code] = await exited
        expect(code, log()).toBe(0)
      },
      kill: async () => {
        child.kill('SIGKILL')
        await exited
      },
    }
  },
}

let gateway: GatewayProcess
const admin = () => createAdminClient({ baseUrl: gateway.origin, adminToken: ADMIN_TOKEN })
const client = () => createClient({ baseUrl: gateway.origin, apiKey: API_KEY, subject: 'customer-4711' })
const untilEnded = async (runId: string) => {
  for (;;) {
    const run = await client().runs.get(runId)
    if (['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(run.state)) return run
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
beforeAll(async () => {
  const { status, error } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
  if (status !== 0)
    throw new Error(`The Python worker needs python3, 3.9 or later (Debian: apt install python3). ${error ?? ''}`)
  gateway = await startGateway({ GATEWAY_WORKER_LEASE_MS: '8000' })
})
afterAll(() => gateway.remove())

describe.each([SDK, PYTHON])('a worker $name', ({ name, start }) => {
  const suffix = name.slice(-3).toLowerCase()
  const [deviceId, service] = [`dev_worker_${suffix}`, `ep_worker_${suffix}`]
  let key = ''
  let worker: StartedWorker
  beforeAll(async () => {
    await admin().devices.create({ device_id: deviceId })
    await admin().endpoints.create('app_sdk', {
      endpoint_id: service,
      device_id: deviceId,
      assistant: { type: 'worker' },
    })
    key = (await admin().devices.createKey(deviceId, {})).key
    worker = start(gateway.origin, key, service)
    await untilOnline()
  })
  afterAll(() => worker.end())

  const untilOnline = async () => {
    while ((await admin().devices.listSessions(deviceId)).sessions.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const begin = async (text: string) => {
    const { conversation_id } = await client().conversations.create({ endpoint_id: service })
    return client().messages.send(conversation_id, { expected_generation: 1, input: { text } })
  }
  const untilBegun = async (runId: string) => {
    while ((await client().runs.get(runId)).state === 'queued') await new Promise((resolve) => setTimeout(resolve, 20))
  }

  it('does not send its key to the target of a redirect', async () => {
    const keys: (string | undefined)[] = []
    const elsewhere = await listen((request, response) => {
      keys.push(request.headers.authorization)
      response.end('{}')
    })
    const asked = Promise.withResolvers<void>()
    const redirecting = await listen((_request, response) => {
      response.writeHead(302, { location: elsewhere.url }).end(() => asked.resolve())
    })
    const redirected = start(redirecting.url, key, service)
    await asked.promise
    // The worker gives up, so `end` rejects.
    await redirected.end().catch(() => {})
    await Promise.all([redirecting.close(), elsewhere.close()])
    expect(keys).toEqual([])
  })

  it('executes runs concurrently and streams their text, each piece once', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => `hello ${index} 🙂`)
    const admissions = await Promise.all(texts.map(begin))
    const runs = await Promise.all(admissions.map(({ run_id }) => untilEnded(run_id)))
    const found = runs.map(({ state, result }) => [state, result?.text?.trim()])
    expect(found, logged.join('\n')).toEqual(texts.map((text) => ['succeeded', `You said: ${text}`]))
  })

  it.each([
    ['approve', 'succeeded'],
    ['deny', 'failed'],
  ] as const)('waits for a decision: %s', async (decision, state) => {
    const { run_id: runId } = await begin('refund it')
    let approval: { approval_id: string } | undefined
    while (approval === undefined) {
      const { approvals } = await admin().approvals.list({ state: 'pending' })
      approval = approvals.find((each) => each.run_id === runId)
    }
    await admin().approvals.decide(approval.approval_id, { decision })
    expect((await untilEnded(runId)).state).toBe(state)
  })

  it('stops a run on request', async () => {
    const { run_id: runId } = await begin('word '.repeat(2000).trim())
    await untilBegun(runId)
    await client().runs.cancel(runId)
    expect((await untilEnded(runId)).state).toBe('cancelled')
  })

  it('keeps a prefix of the text when the gateway crashes, and a new worker executes the next run', async () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}`).join(' ')
    const { run_id: runId } = await begin(words)
    await untilBegun(runId)
    // The gateway restarts on another port, so the worker cannot reconnect, and its run is interrupted.
    await gateway.kill()
    await gateway.start()
    const moved = start(gateway.origin, key, service)
    const { state, result } = await untilEnded(runId)
    expect(state).toBe('interrupted')
    expect(`You said: ${words} `.startsWith(result?.text ?? '')).toBe(true)
    expect((await untilEnded((await begin('again')).run_id)).result?.text?.trim()).toBe('You said: again')
    await worker.end()
    worker = moved
  })

  it('finishes its current runs when it is asked to shut down', async () => {
    const { run_id: runId } = await begin('a b c d e f g h')
    await untilBegun(runId)
    await worker.end()
    expect((await untilEnded(runId)).state).toBe('succeeded')
    worker = start(gateway.origin, key, service)
    await untilOnline()
  })
})

it('the run of a killed worker is interrupted, and another worker executes the next run', async () => {
  await admin().devices.create({ device_id: 'dev_killed' })
  await admin().endpoints.create('app_sdk', {
    endpoint_id: 'ep_killed',
    device_id: 'dev_killed',
    assistant: { type: 'worker' },
  })
  const { key } = await admin().devices.createKey('dev_killed', {})
  const doomed = PYTHON.start(gateway.origin, key, 'ep_killed')
  while ((await admin().devices.listSessions('dev_killed')).sessions.length === 0);
  const { conversation_id } = await client().conversations.create({ endpoint_id: 'ep_killed' })
  const send = (text: string) => client().messages.send(conversation_id, { expected_generation: 1, input: { text } })
  const { run_id: lost } = await send('word '.repeat(500).trim())
  const { run_id: next } = await send('next')
  while ((await client().runs.get(lost)).state === 'queued');
  await doomed.kill?.()
  const second = PYTHON.start(gateway.origin, key, 'ep_killed')
  expect((await untilEnded(lost)).state).toBe('interrupted')
  expect((await untilEnded(next)).state).toBe('succeeded')
  await second.end()
})

describe('gateway device', () => {
  const startDevice = (key: string, ...args: string[]) => {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, [GATEWAY, 'device', '--url', gateway.origin, ...args], {
      env: { PATH, HOME, NODE_COMPILE_CACHE, GATEWAY_DEVICE_KEY: key },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return { child, closed: once(child, 'close'), log: tailOf(child.stderr, 10_000) }
  }
  const ask = async (service: string, input: { text: string; data?: Record<string, unknown> }) => {
    const { conversation_id } = await client().conversations.create({ endpoint_id: service })
    const { run_id } = await client().messages.send(conversation_id, { expected_generation: 1, input })
    return untilEnded(run_id)
  }

  it("executes the runs of its device's services without a database until it is asked to end", async () => {
    await admin().devices.create({ device_id: 'dev_remote' })
    for (const [endpoint_id, assistant] of [
      ['ep_remote_echo', { type: 'echo' }],
      ['ep_remote_script', { type: 'script' }],
      ['ep_remote_module', { type: 'module', path: DYING_MODULE }],
    ] as const)
      await admin().endpoints.create('app_sdk', { endpoint_id, device_id: 'dev_remote', assistant })
    const { key } = await admin().devices.createKey('dev_remote', {})
    const device = startDevice(key, '--name', 'gpu-7', '--slots', '2')

    expect((await ask('ep_remote_echo', { text: 'hello' })).result?.text).toContain('hello')
    const data = { script: [{ delta: 'a' }, { fail: { code: 'NO_STOCK', message: 'Sold out.' } }] }
    expect((await ask('ep_remote_script', { text: 'x', data })).result?.error?.code).toBe('NO_STOCK')
    const crash = await ask('ep_remote_script', { text: 'x', data: { script: [{ crash: true }] } })
    expect(crash.result?.error?.code).toBe('ASSISTANT_ERROR')
    expect(device.log()).toContain('cannot simulate crash')
    expect((await ask('ep_remote_module', { text: 'hi' })).result?.text).toBe('Looking it up. You said: hi')
    const lost = await ask('ep_remote_module', { text: 'die' })
    expect([lost.state, lost.result?.text]).toEqual(['interrupted', 'Looking it up. '])
    expect((await ask('ep_remote_module', { text: 'again' })).state).toBe('succeeded')

    const { sessions } = await admin().devices.listSessions('dev_remote')
    expect(sessions).toMatchObject([{ name: 'gpu-7', slots: 2 }])
    device.child.kill('SIGTERM')
    expect(await device.closed, device.log()).toEqual([0, null])
    expect((await admin().devices.listSessions('dev_remote')).sessions).toEqual([])
    expect(device.log()).not.toContain(key)
  })

  it('reports faults of its key, its address and its options', async () => {
    const unknown = startDevice(`gd_${'x'.repeat(8)}_${'y'.repeat(43)}`)
    expect((await unknown.closed)[0]).toBe(1)
    expect(unknown.log()).toContain('does not accept the device key')
    for (const [key, args, fault] of [
      ['gk_of_an_application', [], '--key, or GATEWAY_DEVICE_KEY, must be a device key'],
      ['gd_key', ['--url', 'gateway.example.com'], '--url must be'],
      ['gd_key', ['--slots', '0'], '--slots must be a whole number from 1 to 1000, not 0'],
    ] as const) {
      const device = startDevice(key, ...args)
      expect((await device.closed)[0]).toBe(1)
      expect(device.log()).toContain(fault)
    }
  })
})
