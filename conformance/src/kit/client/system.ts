import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from '../config/client-config.ts'
import { describeConfig } from '../config/describe-config.ts'
import { messageOf } from '../message-of.ts'
import type { Session, System } from '../system.ts'
import { SystemAbsentError } from '../system.ts'
import { createRedaction, createTranscript } from '../transcript.ts'
import { createWaits } from '../waits.ts'
import { type AdapterProcess, startAdapter } from './adapter-process.ts'
import type { ClientContext, OpenedClient } from './client-context.ts'
import type { OpenArguments } from './commands.ts'
import { startSimulatedGateway } from './simulated-gateway.ts'

/** Long enough for reports to redact, and invalid at any real gateway. */
const KEY = 'gk_conformance_kqzvyxwabtesnohfmdlrpcig'
const SUBJECT = 'Customer 4711/north'

const DEFAULT_STEP_MS = 30_000

/** Fast enough for checks, and slow enough to distinguish a retry from a second simultaneous request. */
const PACE = { backoff_base_ms: 10, backoff_max_ms: 50, attempt_timeout_ms: 10_000, timeout_ms: 20_000 }

/**
 * Starts the client target: adapter processes, which checks reuse, and a simulated gateway for each check.
 * Rejects when the adapter cannot be started or does not write its hello.
 */
export const startClientSystem = async (config: ClientConfig): Promise<System<ClientContext>> => {
  const first = await startAdapter(config).catch((error: unknown) => {
    throw new SystemAbsentError(messageOf(error), { cause: error })
  })
  const stepMs = config.deadlines?.stepMs ?? DEFAULT_STEP_MS
  const idle: AdapterProcess[] = [first]
  const running = new Set<AdapterProcess>([first])

  const starting = new Set<Promise<AdapterProcess>>()

  const start = async (): Promise<AdapterProcess> => {
    const started = startAdapter(config)
    starting.add(started)
    try {
      const adapter = await started
      running.add(adapter)
      return adapter
    } finally {
      starting.delete(started)
    }
  }
  const take = async (): Promise<AdapterProcess> => {
    for (let each = idle.pop(); each; each = idle.pop()) if (each.isIdle()) return each
    return start()
  }
  const giveBack = async (adapter: AdapterProcess): Promise<void> => {
    adapter.onLine(() => {})
    if (adapter.isIdle()) idle.push(adapter)
    else {
      running.delete(adapter)
      await adapter.kill()
    }
  }
  const open = async (): Promise<Session<ClientContext>> => {
    const { redact } = createRedaction([KEY])
    const transcript = createTranscript(redact)
    const waits = createWaits()
    const gateway = await startSimulatedGateway({ transcript, stepMs })
    const over = new AbortController()
    const taken: AdapterProcess[] = []
    const folders: string[] = []
    const openIn = async (adapter: AdapterProcess, changes: Partial<OpenArguments> = {}): Promise<OpenedClient> => {
      taken.push(adapter)
      over.signal.throwIfAborted()
      adapter.onLine((direction, line) => transcript.add('note', `${direction} the adapter: ${line}`))
      const args: OpenArguments = { base_url: gateway.origin, api_key: KEY, subject: SUBJECT, pace: PACE, ...changes }
      try {
        await waits.during('the client to be opened', adapter.execute('open', { ...args }).result)
      } catch (error) {
        taken.splice(taken.indexOf(adapter), 1)
        await giveBack(adapter)
        throw error
      }
      return {
        call: (command, args) =>
          waits.during(`the end of the command ${command}`, adapter.execute(command, { ...args }).result),
        start: (command, args) => adapter.execute(command, { ...args }),
        kill: adapter.kill,
      }
    }
    return {
      context: {
        gateway,
        key: KEY,
        subject: SUBJECT,
        open: async (changes) => openIn(await take(), changes),
        openAnew: async (changes) => openIn(await start(), changes),
        folder: async () => {
          const folder = await mkdtemp(join(tmpdir(), 'gateway-conformance-'))
          folders.push(folder)
          return folder
        },
      },
      redact,
      transcript: transcript.entries,
      waits: waits.list,
      abort: (reason) => {
        over.abort(reason)
        void gateway.close()
      },
      close: async () => {
        await Promise.all(taken.map(giveBack))
        await gateway.close()
        await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
        return []
      },
    }
  }
  return {
    target: 'client',
    name: config.name ?? first.hello.name,
    configuration: describeConfig(config),
    capabilities: new Set(first.hello.abilities),
    concurrency: config.concurrency ?? 4,
    waitMs: stepMs,
    // The adapter has already written its hello. If it dies, the next check starts another one.
    probe: async () => {},
    open,
    stop: async () => {
      await Promise.allSettled(starting)
      await Promise.all([...running].map((adapter) => adapter.kill()))
    },
  }
}
