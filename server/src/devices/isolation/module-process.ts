import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { fileURLToPath } from 'node:url'
import type { AssistantRequest, AssistantResource, StepReply } from '../../assistants/assistant.ts'
import type { WorkerLog } from '../../runtime/log.ts'
import { programBeside } from '../../runtime/program-beside.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Answers, Ask, FromModule, PlainError, ToModule } from './protocol.ts'
import { createOutbox, WINDOW_COST } from './protocol.ts'

export interface ModuleProcessOptions {
  /** The module's absolute path. */
  readonly file: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Limit of the heap, and separately of buffers outside it, in MiB. */
  readonly memoryMb: number
  /** How long its event loop may be blocked, in milliseconds. */
  readonly leaseMs: number
  readonly timers: Timers
  readonly log: WorkerLog
  /** The process takes no more runs: it has ended or is ending. */
  readonly onUnusable: () => void
  /** The process has ended. */
  readonly onGone: () => void
}

/** The gateway's interface to a module's process. */
export interface ModuleProcess {
  /** Begins a run. */
  begin(request: AssistantRequest): ModuleRun
  /** Ends the process as soon as it executes no run. */
  retire(): void
  /** Ends the process, whatever it does. Resolves when it is gone. */
  end(): Promise<void>
}

export interface ModuleRun {
  /** The module's next event. Steps from before a stop are skipped. */
  next(): Promise<RunEvent>
  /** Tells the module that the last step has been performed. */
  performed(cost: number, step: object, reply: StepReply): void
  /** Stops the run unless it has ended. Resolves when it has ended. */
  close(): Promise<void>
}

export type RunEvent =
  | { readonly type: 'step'; readonly step: unknown; readonly cost: number }
  | { readonly type: 'end'; readonly outcome: unknown }
  | { readonly type: 'failure'; readonly error: Error }
  /** The process has ended, so the run's outcome is unknown. */
  | { readonly type: 'gone' }

const PROGRAM = fileURLToPath(programBeside('module-main', import.meta.url))
/** Pings per lease; this many consecutive unanswered pings end the process. */
const PINGS_PER_LEASE = 4
/** Startup timeout in leases, generous for a busy machine. */
const LEASES_TO_START = 15
/** How long an idle process is kept. After that it ends, so that it uses no memory. */
const IDLE_MS = 10 * 60_000
/** How long a process may take to exit before it is killed. */
const END_MS = 1000
/** Maximum lines of output logged between two pings. */
const LINES_PER_PING = 500
/** Maximum runs and endpoints named in a log line. */
const NAMED = 20
const MEBIBYTE = 1024 * 1024

interface OpenRun {
  readonly request: AssistantRequest
  readonly resources: Map<string, AssistantResource>
  take(event: RunEvent): void
}

export const createModuleProcess = (options: ModuleProcessOptions): ModuleProcess => {
  const { file, environment, memoryMb, leaseMs, timers, log } = options
  const child = fork(PROGRAM, [file, String(process.pid)], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment },
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // A separate process group: the terminal's signals reach only the gateway, and the module's child processes can be
    // killed together with the module's process.
    detached: true,
    windowsHide: true,
  })
  const runs = new Map<number, OpenRun>()
  let count = 0
  let hasStarted = false
  let hasLoaded = false
  let unanswered = 0
  let lines = 0
  let fault: Error | null = null
  let why: string | null = null
  let phase: 'open' | 'retired' | 'ending' = 'open'
  /** Cancels the timer that ends an idle process, or kills one that does not exit. */
  let cancelEnd = (): void => {}

  const kill = (): void => {
    try {
      if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
    } catch {
      // The process has already exited.
    }
  }
  const killBecause = (reason: string): void => {
    why ??= reason
    options.onUnusable()
    kill()
  }
  const { post } = createOutbox<ToModule>((batch) => {
    // If the process has ended, its exit is reported elsewhere.
    if (child.connected) child.send([...batch], () => {})
  })

  /** The identifiers in a log line. */
  const named = () => ({
    module: file,
    endpoint_ids: [...new Set([...runs.values()].map(({ request }) => request.endpointId))].slice(0, NAMED),
  })

  const watch = timers.every(leaseMs / PINGS_PER_LEASE, () => {
    if (lines > LINES_PER_PING)
      log.warn({ ...named(), lines: lines - LINES_PER_PING }, 'output of an assistant module was dropped')
    lines = 0
    // Count pings instead of time: while the gateway itself was paused, it sent no pings.
    const leases = hasStarted ? 1 : LEASES_TO_START
    if (unanswered >= PINGS_PER_LEASE * leases)
      killBecause(`its event loop did not answer for ${leaseMs * leases} ms (GATEWAY_LEASE_MS)`)
    unanswered += 1
    post({ type: 'ping' })
  })

  const finish = (): void => {
    phase = 'ending'
    if (child.connected) child.disconnect()
    cancelEnd = timers.after(END_MS, kill)
  }
  const settle = (): void => {
    if (phase === 'ending') return
    cancelEnd()
    if (runs.size > 0) return
    if (phase === 'retired') finish()
    else
      cancelEnd = timers.after(IDLE_MS, () => {
        options.onUnusable()
        finish()
      })
  }
  const close = (run: number, event: RunEvent): void => {
    runs.get(run)?.take(event)
    runs.delete(run)
    settle()
  }

  const answer = async (run: number, call: number, ask: Ask): Promise<void> => {
    const asking = runs.get(run)
    if (asking === undefined) return
    try {
      post({ type: 'answer', call, value: await answerOf(asking, ask) })
    } catch (error) {
      post({ type: 'refusal', call, error: plainOf(error) })
    }
  }

  const handle = (message: FromModule): void => {
    switch (message.type) {
      case 'started':
        hasStarted = true
        unanswered = 0
        return
      case 'loaded':
        hasLoaded = true
        return
      case 'unloadable': {
        const cause = message.cause === undefined ? {} : { cause: revive(message.cause) }
        fault = new Error(message.message, cause)
        options.onUnusable()
        kill()
        return
      }
      case 'step':
        runs.get(message.run)?.take(message)
        return
      case 'end':
        close(message.run, message)
        return
      case 'failure':
        close(message.run, { type: 'failure', error: revive(message.error) })
        return
      case 'call':
        void answer(message.run, message.call, message.ask)
        return
      case 'pong':
        unanswered = 0
        if (message.bufferBytes > memoryMb * MEBIBYTE)
          killBecause(`its buffers took more than ${memoryMb} MiB (GATEWAY_MODULE_MEMORY_MB)`)
    }
  }
  child.on('message', (batch: readonly FromModule[]) => {
    for (const message of batch) handle(message)
  })
  child.on('disconnect', () => {
    // It can no longer send, so it can do nothing more for its runs.
    if (phase !== 'ending') kill()
  })

  const onLine = (write: WorkerLog['info'], stream: string) => (line: string) => {
    lines += 1
    if (lines <= LINES_PER_PING) write({ ...named(), stream }, line)
  }
  if (child.stdout !== null) readLines(child.stdout, onLine(log.info, 'stdout'))
  if (child.stderr !== null) readLines(child.stderr, onLine(log.warn, 'stderr'))

  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(describeEnd(code, signal, memoryMb)))
  })
  const disconnected = child.connected ? once(child, 'disconnect') : undefined
  // Process its last messages first.
  const ended = Promise.all([exited, disconnected]).then(([end]) => end)
  const notStarted = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(message)
    })
  })
  const gone = Promise.race([ended, notStarted]).then((end) => {
    const isLost = phase !== 'ending' && fault === null
    phase = 'ending'
    watch()
    cancelEnd()
    // Also kill the module's child processes.
    kill()
    if (isLost && !hasLoaded) fault = new Error(`The assistant module ${file} cannot be loaded: ${why ?? end}.`)
    else if (isLost) {
      const names = [...runs.values()].slice(0, NAMED).map(({ request }) => request.runId)
      log.error(
        { ...named(), run_ids: names, runs: runs.size },
        `the process of an assistant module was lost: ${why ?? end}`,
      )
    }
    options.onUnusable()
    const event: RunEvent = fault === null ? { type: 'gone' } : { type: 'failure', error: fault }
    for (const run of [...runs.keys()]) close(run, event)
    options.onGone()
  })

  return {
    begin: (request) => {
      const run = count++
      const queue = createQueue(request)
      runs.set(run, { request, resources: new Map(), take: queue.take })
      settle()
      const { signal, readContext, readResource, createResource, input, ...plain } = request
      const { data, ...plainInput } = input
      post({ type: 'start', run, request: { ...plain, input: plainInput } })
      const stop = (): void => post({ type: 'stop', run })
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      let spent = 0
      return {
        next: queue.next,
        performed: (cost, step, reply) => {
          spent += cost
          if (spent >= WINDOW_COST / 4) {
            post({ type: 'room', run, cost: spent })
            spent = 0
          }
          if ('approval' in step) post({ type: 'reply', run, reply })
        },
        close: async () => {
          signal.removeEventListener('abort', stop)
          if (runs.has(run) && !signal.aborted) stop()
          await queue.ended
        },
      }
    },
    retire: () => {
      if (phase === 'open') phase = 'retired'
      settle()
    },
    end: async () => {
      if (phase !== 'ending') finish()
      await gone
    },
  }
}

/** The queue of a run's events. */
const createQueue = ({ signal }: AssistantRequest) => {
  const events: RunEvent[] = []
  const ended = Promise.withResolvers<void>()
  let wake = (): void => {}
  return {
    take: (event: RunEvent): void => {
      events.push(event)
      if (event.type !== 'step') ended.resolve()
      wake()
    },
    next: async (): Promise<RunEvent> => {
      for (;;) {
        const event = events.shift()
        if (event === undefined)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        else if (event.type !== 'step' || !signal.aborted) return event
      }
    },
    ended: ended.promise,
  }
}

const answerOf = async ({ request, resources }: OpenRun, ask: Ask): Promise<Answers[keyof Answers]> => {
  switch (ask.method) {
    case 'readContext':
      return request.readContext()
    case 'readResource': {
      const resource = await request.readResource(ask.resourceId)
      if (resource === null) return null
      resources.set(ask.resourceId, resource)
      const { filename, contentType, size } = resource
      return { filename, contentType, size }
    }
    case 'readContent': {
      const resource = resources.get(ask.resourceId)
      if (resource === undefined) throw new Error(`The attachment ${ask.resourceId} was not read before.`)
      return resource.readContent()
    }
    case 'createResource':
      return request.createResource(ask.resource)
  }
}

const plainOf = (error: unknown): PlainError => {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { name, message, stack: '' }
}

const revive = ({ name, message, stack }: PlainError): Error => Object.assign(new Error(message), { name, stack })

const describeEnd = (code: number | null, signal: NodeJS.Signals | null, memoryMb: number): string => {
  if (signal === 'SIGABRT' || signal === 'SIGTRAP')
    return `it ended with ${signal}, as it does when it needs more than ${memoryMb} MiB (GATEWAY_MODULE_MEMORY_MB)`
  return signal === null ? `it ended with code ${code}` : `it ended with ${signal}`
}

/** Maximum length of a module's output line in the log; the rest is cut. */
const LINE_CHARACTERS = 8 * 1024

/** Calls `onLine` with each line of the stream that is not blank, including an unterminated last one. */
const readLines = (stream: Readable, onLine: (line: string) => void): void => {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const take = (text: string): void => {
    const lines = text.split('\n')
    lines[0] = rest + lines[0]
    rest = (lines.pop() ?? '').slice(0, LINE_CHARACTERS)
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, LINE_CHARACTERS))
  }
  stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)))
  stream.on('end', () => take('\n'))
}
