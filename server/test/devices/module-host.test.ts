import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { AssistantRequest, AssistantStep, Decision, RehearsalStep } from '../../src/assistants/assistant.ts'
import { createStop, driveAssistant } from '../../src/devices/drive-assistant.ts'
import type { ModuleHostOptions } from '../../src/devices/isolation/module-host.ts'
import { createModuleHost } from '../../src/devices/isolation/module-host.ts'
import { ended, eventually } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { createRequest, inputOf } from '../support/play-assistant.ts'
import { publishService } from '../support/publish-service.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

const MODULES = join(import.meta.dirname, '../support/modules')
const LEASE_MS = 4000
const PING_MS = LEASE_MS / 4
const IDLE_MS = 10 * 60_000

interface Line {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

const hosts: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

const createHost = (given: Partial<ModuleHostOptions> = {}) => {
  const timers = createManualTimers()
  const lines: Line[] = []
  const write = (level: Line['level']) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: { ...fields } })
  const log = { info: write('info'), warn: write('warn'), error: write('error') }
  const { PATH } = process.env
  const host = createModuleHost({
    directory: MODULES,
    environment: { PATH },
    memoryMb: 64,
    leaseMs: LEASE_MS,
    reloads: false,
    timers,
    log,
    ...given,
  })
  hosts.push({
    close: async () => {
      const closed = host.close()
      // After this time, the host kills the modules that have not ended.
      timers.advance(1000)
      await closed
    },
  })

  /** Executes a run as a device worker does. */
  const run = (path: string, text: string, more: Partial<AssistantRequest> = {}, decide?: () => Promise<Decision>) => {
    const stop = createStop(timers)
    const steps: (AssistantStep | RehearsalStep)[] = []
    const request = createRequest({
      signal: stop.signal,
      input: inputOf({ text, data: null, resourceIds: [] }),
      ...more,
    })
    const perform = (step: AssistantStep | RehearsalStep) => {
      steps.push(step)
      return 'approval' in step ? decide?.() : undefined
    }
    const ended = driveAssistant(host.assistant(path), request, perform, stop, log)
    return { stop, steps, ended, streamed: () => steps.map((step) => ('delta' in step ? step.delta : '')).join('') }
  }
  /** Advances the time to the next ping, and waits for its answer. */
  const ping = async (path: string): Promise<void> => {
    timers.advance(PING_MS)
    await run(path, 'pid').ended
  }
  return { host, timers, lines, run, ping }
}

const failedWith = (code: string) => ({ state: 'failed', error: { code } })
const FAILED = failedWith('ASSISTANT_ERROR')

/** Whether a process is running; a zombie is not. */
const isAlive = async (pid: string): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return status !== null && !/\) Z /.test(status)
}

describe('an operator’s module', () => {
  it('gets its request and decisions, and determines how the run ends [ASST-11]', async () => {
    const { run } = createHost()
    const context = [{ role: 'user' as const, ...inputOf({ text: 'before', data: null, resourceIds: [] }) }]
    const { steps, ended } = run('./greeting.js', 'you', { readContext: async () => context }, async () => 'denied')
    expect(await ended).toEqual({ state: 'succeeded', text: '1 messages before' })
    expect(steps).toEqual([{ delta: 'Hello you, ' }, { approval: 'Tell the number?' }, { message: 'denied' }])
  })

  it('can be given by absolute path, and can export its generator by name', async () => {
    const { run } = createHost()
    const { ended, streamed } = run(join(MODULES, 'named.js'), '')
    expect([await ended, streamed()]).toEqual([{ state: 'succeeded' }, 'named'])
  })

  it('executes all its runs in one process, which starts with the first', async () => {
    const { run } = createHost()
    const runs = [run('faulty.js', 'pid'), run('faulty.js', 'pid')]
    for (const { ended } of runs) await ended
    runs.push(run('./faulty.js', 'pid'))
    await runs[2]?.ended
    expect(new Set(runs.map(({ streamed }) => streamed())).size).toBe(1)
  })

  it('streams each piece once and in order, however many there are', async () => {
    const { run } = createHost()
    const { ended, streamed } = run('faulty.js', 'many')
    expect(await ended).toEqual({ state: 'succeeded' })
    expect(streamed()).toBe(Array.from({ length: 5000 }, (_, index) => `${index} `).join(''))
  })

  it('does not run far ahead of its reader', async () => {
    const { host, run } = createHost()
    const input = inputOf({ text: 'flood', data: null, resourceIds: [] })
    const steps = host.assistant('faulty.js')(createRequest({ input }))
    await steps.next()
    let [before, after] = ['', '0']
    while (before !== after) {
      before = after
      const look = run('faulty.js', 'flooded')
      await look.ended
      after = look.streamed()
    }
    expect(Number(after)).toBeLessThan(512)
    for (let count = 1; count <= 2000; count += 1) expect((await steps.next()).value).toEqual({ delta: `${count} ` })
    await steps.return(undefined)
  })

  it('sends only the beginning of a text that exceeds the output limit of a run', async () => {
    const { run } = createHost({ memoryMb: 256 })
    const { ended, streamed } = run('faulty.js', 'large')
    await ended
    expect(streamed()).toHaveLength(2 * 1024 * 1024)
  })

  it('has the environment of the gateway without the gateway’s own settings', async () => {
    const { PATH } = process.env
    const own = { GATEWAY_SECRET_KEY: 'x', GATEWAY_ADMIN_TOKEN: 'x', SERVICE_GATEWAY_X: 'x', DATABASE_URL: 'x' }
    const others = { MODEL_API_KEY: 'x', GATEWAY_API_KEY: 'x', GATEWAY_BASE_URL: 'x' }
    const { run } = createHost({
      environment: { PATH, ...own, PGPASSWORD: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'x', ...others },
    })
    const { ended, streamed } = run('faulty.js', 'keys')
    await ended
    const keys = ['PATH', ...Object.keys(others)].sort()
    expect(
      JSON.parse(streamed())
        .filter((key: string) => !key.startsWith('NODE_'))
        .sort(),
    ).toEqual(keys)
  })

  it('writes to the gateway’s log, where its lines name module and service', async () => {
    const { run, lines, timers } = createHost()
    const { stop, steps } = run('faulty.js', 'print', { endpointId: 'ep_printer' })
    await untilHolds(() => expect(steps).toHaveLength(1))
    await untilHolds(() => expect(lines).toHaveLength(2))
    const named = { module: join(MODULES, 'faulty.js'), endpoint_ids: ['ep_printer'] }
    expect(lines).toEqual(
      expect.arrayContaining([
        { level: 'info', message: 'a line of output', fields: { ...named, stream: 'stdout' } },
        { level: 'warn', message: 'a line of errors', fields: { ...named, stream: 'stderr' } },
      ]),
    )
    stop.ask('requested')
    expect(timers.pending).toBeGreaterThan(0)
  })

  it('may still report how the run ended when it is stopped', async () => {
    const { run } = createHost()
    const { stop, steps, ended } = run('faulty.js', 'wait')
    await untilHolds(() => expect(steps).toHaveLength(1))
    stop.ask('requested')
    expect(await ended).toEqual({ state: 'succeeded', text: 'ended by itself' })
  })

  it('has its failures logged with the thrown error, its cause and its location', async () => {
    const { run, lines } = createHost()
    expect(await run('faulty.js', 'fails').ended).toMatchObject(FAILED)
    const fields = lines.find(({ message }) => message === 'an assistant failed')?.fields
    expect(fields).toMatchObject({
      run_id: 'run_1',
      endpoint_id: 'ep_1',
      err: { name: 'TypeError', message: 'the reason' },
    })
    expect(Object(fields?.err).stack).toMatch(/faulty\.js:\d+.*cause.*of it/s)
  })

  it('is reloaded for new runs when its file has changed, and running runs continue', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-modules-'))
    const write = (said: string) =>
      writeFile(
        join(folder, 'changing.mjs'),
        `export default async function* () {
          yield { delta: '${said} ' }
          yield { approval: 'Go on?' }
          yield { delta: String(process.pid) }
        }`,
      )
    try {
      const { run } = createHost({ directory: folder, reloads: true })
      const decision = Promise.withResolvers<Decision>()
      await write('old')
      const first = run('changing.mjs', '', {}, () => decision.promise)
      await untilHolds(() => expect(first.steps).toHaveLength(2))
      await write('changed')
      const second = run('changing.mjs', '', {}, async () => 'approved')
      expect([await second.ended, second.streamed()]).toEqual([
        { state: 'succeeded' },
        expect.stringMatching(/^changed \d+$/),
      ])
      decision.resolve('approved')
      expect([await first.ended, first.streamed()]).toEqual([
        { state: 'succeeded' },
        expect.stringMatching(/^old \d+$/),
      ])
      const [, pid = ''] = first.streamed().split(' ')
      await untilHolds(async () => expect(await isAlive(pid)).toBe(false))
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('has no process after an idle period, until the next run', async () => {
    // With this lease no ping is due during the test, so the test does not have to wait for its answer.
    const { run, timers } = createHost({ leaseMs: 24 * IDLE_MS })
    const first = run('faulty.js', 'pid')
    await first.ended
    timers.advance(IDLE_MS)
    await untilHolds(async () => expect(await isAlive(first.streamed())).toBe(false))
    const second = run('faulty.js', 'pid')
    expect(await second.ended).toEqual({ state: 'succeeded' })
    expect(second.streamed()).not.toBe(first.streamed())
  })
})

describe('a faulty module', () => {
  const reasonOf = (lines: readonly Line[]) =>
    String(Object(lines.find(({ message }) => message === 'an assistant failed')?.fields.err).message)

  it.each([
    ['missing.js', '', /The assistant module .*missing\.js cannot be loaded\.$/],
    ['exits.js', '', /exits\.js cannot be loaded: it ended with code 3/],
    [
      'without-assistant.js',
      '',
      /without-assistant\.js exports no async generator function as "default" or "assistant"/,
    ],
    ['not-a-generator.js', '', /not-a-generator\.js did not return an async generator/],
    ['sloppy.js', 'step', /sloppy\.js yielded something other than documented/],
    ['sloppy.js', 'many', /sloppy\.js yielded something other than documented/],
    ['sloppy.js', 'text', /sloppy\.js yielded something other than documented/],
    ['sloppy.js', 'nothing', /sloppy\.js returned something other than documented/],
  ])('is named in the error: %s %s', async (path, text, message) => {
    const { run, lines } = createHost()
    expect(await run(path, text).ended).toMatchObject(FAILED)
    expect(reasonOf(lines)).toMatch(message)
  })

  const { run } = createHost()
  const kept = hosts.splice(0)
  afterAll(async () => {
    for (const host of kept) await host.close()
  })
  it.each(
    ['throws', 'yields', 'returns'].flatMap((act) =>
      ['getter', 'message', 'proxy', 'toJSON', 'symbol', 'function', 'null'].map((what) => `${act} ${what}`),
    ),
  )('fails its run when it %s', async (text) => {
    expect(await run('faulty.js', text).ended).toMatchObject(FAILED)
  })
})

describe('the process of a module is replaced, and its runs are interrupted, when the module', () => {
  it.each([
    ['timer', /ended with code 1$/],
    ['rejection', /ended with code 1$/],
    ['exit', /ended with code 7$/],
    ['disconnect', /ended with (code 0|SIGKILL)$/],
    ['heap', /needs more than 64 MiB \(GATEWAY_MODULE_MEMORY_MB\)$/],
    ['buffers', /buffers took more than 64 MiB \(GATEWAY_MODULE_MEMORY_MB\)$/],
    ['loop', /did not answer for 4000 ms \(GATEWAY_LEASE_MS\)$/],
  ])('fails because of “%s”', async (act, reason) => {
    const { run, lines, timers, ping } = createHost()
    const other = run('greeting.js', 'other', {}, () => decision.promise)
    const decision = Promise.withResolvers<Decision>()
    const faulty = run('faulty.js', act, { runId: 'run_faulty', endpointId: 'ep_faulty' })
    await untilHolds(() => expect(faulty.steps).toHaveLength(1))
    if (act === 'buffers') await ping('faulty.js')
    // The other module answers each ping before the next one.
    if (act === 'loop')
      for (let passed = 0; passed <= LEASE_MS; passed += PING_MS) {
        timers.advance(PING_MS)
        expect(await run('greeting.js', 'x', {}, async () => 'approved').ended).toMatchObject({ state: 'succeeded' })
      }
    expect(await faulty.ended).toEqual({ state: 'interrupted' })
    expect(faulty.steps).toHaveLength(1)

    expect(lines.filter(({ message }) => message.startsWith('the process'))).toEqual([
      {
        level: 'error',
        message: expect.stringMatching(reason),
        fields: {
          module: join(MODULES, 'faulty.js'),
          endpoint_ids: ['ep_faulty'],
          run_ids: ['run_faulty'],
          runs: 1,
        },
      },
    ])
    expect(await run('faulty.js', 'pid').ended).toEqual({ state: 'succeeded' })
    decision.resolve('approved')
    expect(await other.ended).toMatchObject({ state: 'succeeded' })
  })

  it('ignores the stop signal; a run that was to be cancelled is then cancelled, not interrupted', async () => {
    const { run, timers } = createHost()
    const faulty = run('faulty.js', 'loop')
    await untilHolds(() => expect(faulty.steps).toHaveLength(1))
    faulty.stop.ask('requested')
    timers.advance(LEASE_MS + PING_MS)
    expect(await faulty.ended).toEqual({ state: 'cancelled' })
  })
})

it.each(['wait', 'loop'])('a module that executes “%s” ends when its gateway is killed', async (act) => {
  const program = join(import.meta.dirname, '../support/module-parent.ts')
  const parent = spawn(process.execPath, [program, join(MODULES, 'faulty.js'), act], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line]: Buffer[] = await once(parent.stdout, 'data')
  const pid: string = JSON.parse(String(line)).delta
  expect(await isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await untilHolds(async () => expect(await isAlive(pid)).toBe(false))
})

onGateways(
  'a module that blocks its process',
  (running) => {
    it('ends only its own run: probes are answered, and other runs and the next run of the module are executed', async () => {
      const client = running.client()
      const publish = async (assistant: object): Promise<string> => {
        const { endpoint_id } = await publishService(running, { assistant })
        return (await client.createConversation({ endpoint_id })).body.conversation_id
      }
      const [faulty, other, echo] = [
        await publish({ type: 'module', path: './modules/faulty.js' }),
        await publish({ type: 'module', path: './modules/named.js' }),
        await publish({ type: 'echo' }),
      ]
      const blocked = (await client.send(faulty, { text: 'loop' })).body.run_id
      await eventually(
        () => client.snapshot(faulty),
        ({ body }) => body.messages.length === 2,
      )
      for (const id of [other, echo]) {
        const run = await ended(client, (await client.send(id, { text: 'x' })).body.run_id)
        expect(run.state).toBe('succeeded')
        expect((await client.request('GET', '/healthz')).status).toBe(200)
      }
      const run = await ended(client, blocked)
      expect(run).toMatchObject({ state: 'interrupted', result: { text: expect.stringMatching(/^\d+$/) } })
      expect((await ended(client, (await client.send(faulty, { text: 'pid' })).body.run_id)).state).toBe('succeeded')
    })
  },
  { environment: { PATH: process.env.PATH }, settings: { ...SETTINGS, leaseMs: LEASE_MS } },
)
