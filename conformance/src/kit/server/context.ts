import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Admission, Conversation, MessageInput, Operation, Run } from '#openapi/generated/gateway'
import { type Check, UntestableError } from '../check.ts'
import type { Driver, ScriptStep } from '../config/driver.ts'
import type { ServerConfig } from '../config/server-config.ts'
import type { Waits } from '../waits.ts'
import type { AdminCaller } from './admin-caller.ts'
import type { CallbackReceiver } from './callback-receiver.ts'
import type { Caller } from './caller.ts'
import type { Profile } from './contract.ts'
import { expectStatus } from './expectations.ts'
import { createGuardedDriver, type GuardedDriverOptions } from './guarded-driver.ts'
import { withHandledRejections } from './handled-rejections.ts'
import type { ServerNeed } from './needs.ts'
import type { Answer, WireRequest } from './wire.ts'

/** A check of a server. */
export interface ServerCheck extends Check<ServerContext, ServerNeed> {
  /** Maximum number of event streams that it has open at one time. Default 0. */
  readonly streams?: number
  /**
   * Whether it provokes and examines refusals of too many requests. If not, the suite waits and repeats the requests.
   * Default false.
   */
  readonly meetsRateLimit?: boolean
}

export const TERMINAL_STATES: ReadonlySet<string> = new Set([
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
  'expired',
])

export interface CallerChoice {
  /** Default `first`. */
  readonly app?: 'first' | 'second'
  /** Default: the subject of `me`. */
  readonly subject?: string
  /** Default: the app's key with all scopes. */
  readonly apiKey?: string
}

interface Started {
  readonly conversation: Conversation
  readonly admission: Admission
}

/** What a check of a server works with. */
export interface ServerContext {
  readonly profile: Profile
  readonly config: ServerConfig
  /** The first application with a subject that no other check uses (unless `freshSubjects` is false). */
  readonly me: Caller
  caller(choice?: CallerChoice): Caller
  /** Returns an unused subject, business key or idempotency key. */
  fresh(prefix?: string): string
  /** A subject different from that of `me`. */
  otherSubject(): string
  /** Sends a request unchanged. Its path includes `/api/v1`. */
  send(request: WireRequest): Promise<Answer>
  /** Creates a conversation of the service `main`. Fails unless the answer is 201. */
  conversation(more?: Readonly<Record<string, unknown>>, caller?: Caller): Promise<Conversation>
  /** Returns an input that makes the assistant execute these steps. */
  script(...steps: readonly ScriptStep[]): MessageInput
  /** Sends a message and fails unless it is admitted. */
  admit(conversation: Conversation, input: MessageInput, caller?: Caller): Promise<Admission>
  /** Creates a conversation with one admitted message. */
  start(...steps: readonly ScriptStep[]): Promise<Started>
  /** Does the same, and waits until the run is in this state. */
  startIn(state: Run['state'], ...steps: readonly ScriptStep[]): Promise<Started>
  /** Polls until the condition is true. After `settleMs` it fails and reports the last value. */
  until<Value, Held extends Value>(
    what: string,
    read: () => Promise<Value>,
    holds: (value: Value) => value is Held,
  ): Promise<Held>
  until<Value>(what: string, read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value>
  /** Waits until the run is in one of these states, and returns it. */
  runIn(runId: string, states: readonly Run['state'][], caller?: Caller): Promise<Run>
  /** Waits until the run has ended, and returns it. */
  runEnded(runId: string, caller?: Caller): Promise<Run>
  /** Waits until the operation has succeeded or failed, and returns it. */
  operationEnded(operationId: string, caller?: Caller): Promise<Operation>
  /**
   * Waits for `quietMs`, so that a check can observe that nothing arrives. Prefer to wait for an event that must come
   * later.
   */
  quiet(): Promise<void>
  /** The gateway's time in milliseconds, including all calls of `driver.moveClock`. */
  now(): number
  /** The admin API. A check that uses it needs `admin`. */
  readonly admin: AdminCaller
  /** The suite's own receiver of callbacks. A check that uses it needs `callbacks`. */
  readonly callbacks: CallbackReceiver
  /** The secret that signs callbacks, including changes by `driver.rotateCallbackSecret`. */
  callbackSecret(): string
  /** Aborted when the check fails or exceeds its time limit, for work of the check other than requests. */
  readonly signal: AbortSignal
  readonly waits: Waits
  /** Deadline for a single answer, in milliseconds. */
  readonly answerMs: number
  /** The driver's functions. A check lists the functions it uses in `needs`. */
  readonly driver: Required<Driver>
  /** Ends the check as not testable here. */
  untestable(reason: string): never
  /** Adds a line to the transcript. */
  note(text: string): void
}

export interface ContextParts {
  readonly profile: Profile
  readonly config: ServerConfig
  readonly needs: readonly ServerNeed[]
  readonly subjects: { readonly own: string; readonly other: string }
  makeCaller(apiKey: string, subject: string): Caller
  send(request: WireRequest): Promise<Answer>
  note(text: string): void
  readonly answerMs: number
  readonly settleMs: number
  readonly quietMs: number
  readonly waits: Waits
  readonly signal: AbortSignal
  now(): number
  /** Total time for which the gateway has kept the suite from sending, in milliseconds. */
  pausedMs(): number
  /** Called with the result of each call to the driver. */
  driverDid: GuardedDriverOptions['onResult']
  readonly admin: AdminCaller | null
  readonly callbacks: CallbackReceiver | null
  callbackSecret(): string
}

const POLL_MS = 15

export function createContext(parts: ContextParts): ServerContext {
  const { config, profile, settleMs, waits, signal } = parts
  const caller = ({
    app = 'first',
    subject = parts.subjects.own,
    apiKey = config.apps[app].key,
  }: CallerChoice = {}): Caller => parts.makeCaller(apiKey, subject)
  const me = caller()
  const fresh = (prefix = 'c'): string => `${prefix}-${randomBytes(9).toString('hex')}`

  const poll = async <Value>(
    what: string,
    read: () => Promise<Value>,
    holds: (value: Value) => boolean,
  ): Promise<Value> => {
    const startedAt = performance.now()
    const pausedAtStart = parts.pausedMs()
    for (;;) {
      const value = await read()
      if (holds(value)) return value
      // Pauses that the gateway requested do not count against its deadlines.
      if (performance.now() - startedAt - (parts.pausedMs() - pausedAtStart) > settleMs)
        throw new Error(`${what}: not true within ${settleMs} ms; last value: ${describe(value)}`)
      await sleep(POLL_MS, undefined, { signal })
    }
  }
  const until = <Value>(what: string, read: () => Promise<Value>, holds: (value: Value) => boolean) =>
    waits.during(what, poll(what, read, holds))
  const readRun = async (runId: string, by: Caller): Promise<Run> => expectStatus(await by.run(runId), 200).body

  const context: ServerContext = {
    profile,
    config,
    me,
    caller,
    fresh,
    otherSubject: () => parts.subjects.other,
    send: parts.send,
    conversation: async (more = {}, by = me) =>
      expectStatus(await by.createConversation({ endpoint_id: config.services.main, ...more }), 201).body,
    script: (...steps) => (config.driver?.scriptInput?.(steps) ?? { data: { script: steps } }) as MessageInput,
    admit: async ({ conversation_id, generation }, input, by = me) =>
      expectStatus(await by.send(conversation_id, input, { generation }), 202).body,
    start: async (...steps) => {
      const conversation = await context.conversation()
      return { conversation, admission: await context.admit(conversation, context.script(...steps)) }
    },
    startIn: async (state, ...steps) => {
      const started = await context.start(...steps)
      await context.runIn(started.admission.run_id, [state])
      return started
    },
    until,
    runIn: (runId, states, by = me) =>
      until(
        `run ${runId} is ${states.join(' or ')}`,
        () => readRun(runId, by),
        ({ state }) => states.includes(state),
      ),
    runEnded: (runId, by = me) =>
      until(
        `run ${runId} has ended`,
        () => readRun(runId, by),
        ({ state }) => TERMINAL_STATES.has(state),
      ),
    operationEnded: (operationId, by = me) =>
      until(
        `operation ${operationId} is complete`,
        async () => expectStatus(await by.operation(operationId), 200).body,
        ({ state }) => state === 'succeeded' || state === 'failed',
      ),
    quiet: () => sleep(parts.quietMs, undefined, { signal }),
    now: parts.now,
    signal,
    waits,
    answerMs: parts.answerMs,
    get admin() {
      return needed(parts, 'admin')
    },
    get callbacks() {
      return needed(parts, 'callbacks')
    },
    callbackSecret: parts.callbackSecret,
    driver: createGuardedDriver({ ...parts, driver: config.driver, onResult: parts.driverDid }),
    untestable: (reason) => {
      throw new UntestableError(reason)
    },
    note: parts.note,
  }
  return withHandledRejections(context)
}

const needed = <Name extends 'admin' | 'callbacks'>(
  parts: ContextParts,
  name: Name,
): NonNullable<ContextParts[Name]> => {
  if (!parts.needs.includes(name)) throw new Error(`the check uses ${name}, which its needs do not list`)
  const part = parts[name]
  if (part === null) throw new UntestableError(`the configuration has no ${name}`)
  return part
}

/** Formats a value for a message. Omits an answer's request, which contains a key, and its raw bytes. */
const describe = (value: unknown): string =>
  String(
    JSON.stringify(value, (name, member: unknown) =>
      ['request', 'bytes', 'headerLines'].includes(name) ? undefined : member,
    ),
  ).slice(0, 600)
