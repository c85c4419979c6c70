/**
 * The process of one assistant module: executes its runs for the gateway that started it, and ends with that gateway.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect, types } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { describeAttachmentFault } from '@conversation-gateway/openapi/behaviour/attachments'
import type { AssistantRequest, Decision } from '../../assistants/assistant.ts'
import { readData } from '../../assistants/assistant.ts'
import type { Answers, Ask, FromModule, PlainError, PlainRequest, ToModule } from './protocol.ts'
import { createOutbox, STEP_COST, WINDOW_COST } from './protocol.ts'

/** Maximum concurrent calls to the gateway; each may carry an attachment. */
const CALLS_AT_ONCE = 8
/**
 * Maximum text of a step. It exceeds the output limit of a run, so that the run fails as it would with the whole text.
 */
const TEXT_CHARACTERS = 2 * 1024 * 1024
/** Maximum serialized size of an outcome, or of a step that is not a text. */
const COPY_BYTES = 8 * 1024 * 1024
const ERROR_CHARACTERS = 16 * 1024
/** How often a second thread checks whether the gateway is alive. */
const CHECK_MS = 1000

const channel = process.send?.bind(process)
if (channel === undefined) throw new Error('This program is started by the gateway only.')
// Hide the channel from the module, which might mistake it for a channel to a process manager.
delete process.send
const { post, flush } = createOutbox<FromModule>((batch) => void channel(batch))

const [, , file = '', gatewayPid = ''] = process.argv

process.on('exit', flush)
process.on('disconnect', () => process.exit(0))
// A module that blocks its thread does not notice that the channel closes, so a second thread checks.
new Worker(
  `setInterval(() => { if (process.ppid !== ${Number(gatewayPid)}) process.kill(process.pid, 'SIGKILL') }, ${CHECK_MS})`,
  { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 } },
).unref()

type ModuleFunction = (request: AssistantRequest) => unknown

const isFunction = (value: unknown): value is ModuleFunction => typeof value === 'function'

const isAsyncGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.asyncIterator in value &&
  'next' in value &&
  typeof value.next === 'function' &&
  'return' in value &&
  typeof value.return === 'function'

const load = async (): Promise<ModuleFunction | null> => {
  try {
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href)
    const candidate = exported.default ?? exported.assistant
    if (isFunction(candidate)) {
      post({ type: 'loaded' })
      // Wait for the next turn of the event loop: only the first message of a turn is sent at once.
      flush()
      await nextTurn()
      return candidate
    }
    const message = `The assistant module ${file} exports no async generator function as "default" or "assistant".`
    post({ type: 'unloadable', message })
  } catch (cause) {
    const message = `The assistant module ${file} cannot be loaded.`
    post({ type: 'unloadable', message, cause: describeThrown(cause) })
  }
  return null
}

/** The exception as text. It may be any value, even one that throws when it is read. */
const describeThrown = (thrown: unknown): PlainError => {
  try {
    const text = inspect(thrown, { depth: 3, maxStringLength: 1000, maxArrayLength: 20 }).slice(0, ERROR_CHARACTERS)
    if (!(thrown instanceof Error)) return { name: 'Error', message: text, stack: text }
    return { name: String(thrown.name), message: String(thrown.message).slice(0, ERROR_CHARACTERS), stack: text }
  } catch {
    const message = 'The module threw something that cannot be read.'
    return { name: 'Error', message, stack: message }
  }
}

/** Copies a module's value, so that it cannot throw or change later. @throws Error if it cannot be copied. */
const copyOf = (value: unknown, what: string): { readonly copy: unknown; readonly bytes: number } => {
  let bytes: Buffer
  try {
    // The member `message` of an error would make the error look like a step.
    if (types.isNativeError(value)) throw value
    bytes = serialize(value)
  } catch (cause) {
    const described = describeThrown(cause).message
    throw new Error(`The assistant module ${file} ${what} something other than documented: ${described}`)
  }
  if (bytes.byteLength > COPY_BYTES)
    throw new Error(`The assistant module ${file} ${what} more than ${COPY_BYTES} bytes at once.`)
  return { copy: deserialize(bytes), bytes: bytes.byteLength }
}

interface CopiedStep {
  readonly step: unknown
  readonly cost: number
  readonly isApproval: boolean
}

const TEXT_STEPS = ['delta', 'message', 'approval']

/** Copies a step without validation, which is left to the gateway. A text beyond the maximum is cut. */
const readStep = (value: unknown): CopiedStep => {
  const text = textStepOf(value)
  if (text === null) {
    const { copy, bytes } = copyOf(value, 'yielded')
    return { step: copy, cost: STEP_COST + bytes, isApproval: false }
  }
  const [name, content] = text
  const cut = content.slice(0, TEXT_CHARACTERS)
  return { step: { [name]: cut }, cost: STEP_COST + cut.length, isApproval: name === 'approval' }
}

const textStepOf = (value: unknown): readonly [string, string] | null => {
  try {
    if (typeof value !== 'object' || value === null) return null
    const [entry, ...others] = Object.entries(value)
    if (entry === undefined || others.length > 0 || !TEXT_STEPS.includes(entry[0])) return null
    return typeof entry[1] === 'string' ? [entry[0], entry[1]] : null
  } catch {
    return null
  }
}

/** Pending calls to the gateway. */
const createCalls = () => {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  const queue: (() => void)[] = []
  let count = 0
  const settle = (call: number) => {
    const settled = waiting.get(call)
    waiting.delete(call)
    queue.shift()?.()
    return settled
  }
  return {
    ask: async <Asked extends Ask>(run: number, ask: Asked): Promise<Answers[Asked['method']]> => {
      if (waiting.size >= CALLS_AT_ONCE) await new Promise<void>((resolve) => queue.push(resolve))
      const call = count++
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(call, { resolve, reject }))
      post({ type: 'call', run, call, ask })
      return answer as Promise<Answers[Asked['method']]>
    },
    answered: (call: number, value: unknown) => settle(call)?.resolve(value),
    refused: (call: number, { name, message }: PlainError) => {
      const error = name === 'RangeError' ? new RangeError(message) : new Error(message)
      settle(call)?.reject(error)
    },
  }
}

const calls = createCalls()

const requestOf = (run: number, plain: PlainRequest, signal: AbortSignal): AssistantRequest => ({
  ...plain,
  input: { ...plain.input, ...readData(plain.input.dataText) },
  signal,
  readContext: () => calls.ask(run, { method: 'readContext' }),
  readResource: async (resourceId) => {
    const resource = await calls.ask(run, { method: 'readResource', resourceId })
    return resource && { ...resource, readContent: () => calls.ask(run, { method: 'readContent', resourceId }) }
  },
  createResource: async ({ filename, contentType, content }) => {
    // Do not send content that would be refused.
    const fault = describeAttachmentFault({ filename, contentType, size: content.byteLength })
    if (fault !== null) throw new RangeError(`The attachment cannot be stored: ${fault}.`)
    return calls.ask(run, { method: 'createResource', resource: { filename, contentType, content } })
  },
})

interface LiveRun {
  stop(): void
  room(cost: number): void
  reply(reply: Decision | undefined): void
}

const runs = new Map<number, LiveRun>()

const createRun = (run: number, plain: PlainRequest, assistant: ModuleFunction): LiveRun => {
  const stopping = new AbortController()
  let ahead = 0
  let wake = (): void => {}
  let reply: Decision | undefined
  let hasReply = false

  /** Waits until the condition is true, or the run must stop. */
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds() && !stopping.signal.aborted)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }

  const give = async (value: unknown): Promise<Decision | undefined> => {
    const { step, cost, isApproval } = readStep(value)
    ahead += cost
    post({ type: 'step', run, step, cost })
    if (isApproval) await until(() => hasReply)
    else await until(() => ahead < WINDOW_COST)
    const given = reply
    reply = undefined
    hasReply = false
    return given
  }

  const perform = async (): Promise<unknown> => {
    const steps = assistant(requestOf(run, plain, stopping.signal))
    if (!isAsyncGenerator(steps)) throw new Error(`The assistant module ${file} did not return an async generator.`)
    try {
      let given: Decision | undefined
      while (!stopping.signal.aborted) {
        const turn = await steps.next(given)
        if (turn.done === true) return copyOf(turn.value, 'returned').copy
        if (!stopping.signal.aborted) given = await give(turn.value)
      }
      return undefined
    } finally {
      await steps.return(undefined)
    }
  }

  void perform()
    .then(
      (outcome) => post({ type: 'end', run, outcome }),
      (error: unknown) => post({ type: 'failure', run, error: describeThrown(error) }),
    )
    .then(() => runs.delete(run))
  return {
    stop: () => {
      stopping.abort()
      wake()
    },
    room: (cost) => {
      ahead -= cost
      wake()
    },
    reply: (given) => {
      reply = given
      hasReply = true
      wake()
    },
  }
}

const loading = load()

const handle = async (message: ToModule): Promise<void> => {
  switch (message.type) {
    case 'start': {
      const assistant = await loading
      if (assistant !== null) runs.set(message.run, createRun(message.run, message.request, assistant))
      return
    }
    case 'stop':
      await loading
      return runs.get(message.run)?.stop()
    case 'room':
      return runs.get(message.run)?.room(message.cost)
    case 'reply':
      return runs.get(message.run)?.reply(message.reply)
    case 'answer':
      return calls.answered(message.call, message.value)
    case 'refusal':
      return calls.refused(message.call, message.error)
    case 'ping':
      return post({ type: 'pong', bufferBytes: process.memoryUsage().external })
  }
}

process.on('message', (batch: readonly ToModule[]) => {
  for (const message of batch) void handle(message)
})
post({ type: 'started' })
