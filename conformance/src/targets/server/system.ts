import { randomBytes } from 'node:crypto'
import type { Check } from '../../check.ts'
import type { ServerConfig, WebhookConfig } from '../../config/server-config.ts'
import type { Session, System } from '../../system.ts'
import { createRedaction, createTranscript } from '../../transcript.ts'
import type { AdminCaller } from './admin-caller.ts'
import { createAdminCaller } from './admin-caller.ts'
import type { CallbackReceiver } from './callback-receiver.ts'
import { startCallbackReceiver } from './callback-receiver.ts'
import type { Caller } from './caller.ts'
import { createCaller } from './caller.ts'
import { endUnfinishedWork } from './clean-up.ts'
import type { ServerContext } from './context.ts'
import { createContext } from './context.ts'
import type { Profile } from './contract.ts'
import { createAdminContract, createContract } from './contract.ts'
import type { EventStream } from './event-stream.ts'
import { openStream } from './event-stream.ts'
import { withInstances } from './instances.ts'
import type { ServerNeed } from './needs.ts'
import { listCapabilities } from './needs.ts'
import type { Answer, WireRequest } from './wire.ts'
import { createWire } from './wire.ts'

/** A check of a server. */
export interface ServerCheck extends Check<ServerContext, ServerNeed> {
  /** How many event streams it has open at most at one time. Default 0. */
  readonly streams?: number
}

export interface ServerSystemOptions {
  /** Default `reference`. */
  readonly profile?: Profile
  /** Checks that run at once. Default 8. */
  readonly concurrency?: number
}

const DEFAULT_ANSWER_MS = 30_000
const DEFAULT_SETTLE_MS = 20_000
const DEFAULT_QUIET_MS = 400

/** Instances at once: two of them keep two cores busy where most of these checks wait. */
const INSTANCES = 2

/** Makes a described server ready to be examined, with further instances of it where its configuration can start them. */
export function createServerSystem(config: ServerConfig, options: ServerSystemOptions = {}): System<ServerContext> {
  const system = createInstance(config, options)
  const another = config.another?.bind(config)
  return another === undefined
    ? system
    : withInstances(system, INSTANCES, async () => createInstance(await another(), options))
}

function createInstance(config: ServerConfig, options: ServerSystemOptions): System<ServerContext> {
  const { profile = 'reference', concurrency = 8 } = options
  const {
    answerMs = DEFAULT_ANSWER_MS,
    settleMs = DEFAULT_SETTLE_MS,
    quietMs = DEFAULT_QUIET_MS,
  } = config.deadlines ?? {}
  const contract = createContract(profile)
  const adminContract = createAdminContract()
  const redact = createRedaction(secretsOf(config))
  let clockOffsetMs = 0
  let callbackSecret = config.callbacks?.secret ?? ''
  let receiver: Promise<CallbackReceiver> | null = null
  /** Started with the first check that needs it. */
  const callbacksFor = async ({ needs = [] }: ServerCheck): Promise<CallbackReceiver | null> => {
    if (config.callbacks === undefined || !needs.includes('callbacks')) return null
    receiver ??= startCallbackReceiver(config.callbacks)
    return receiver
  }

  const open = async (check: ServerCheck): Promise<Session<ServerContext>> => {
    const transcript = createTranscript(redact)
    const wire = createWire({ baseUrl: config.baseUrl, answerMs, transcript })
    const faults = new Set<string>()
    const onFault = (fault: string) => faults.add(fault)
    const streams = new Set<EventStream>()
    const worked = new Map<string, Caller>()
    const allowedStreams = check.streams ?? 0

    const send = async (request: WireRequest): Promise<Answer> => {
      const answer = await wire.send(request)
      for (const fault of contract.faultsOf(answer)) onFault(fault)
      return answer
    }
    const openOne = async (request: WireRequest): Promise<EventStream | Answer> => {
      const opened = await openStream({ wire, request, settleMs, transcript, contract, onFault })
      if (!('frames' in opened)) return opened
      streams.add(opened)
      const gone = (): boolean => streams.delete(opened)
      opened.ended.then(gone, gone)
      if (streams.size > allowedStreams)
        throw new Error(`the check opens ${streams.size} streams and declares ${allowedStreams}`)
      return opened
    }
    const admin: AdminCaller | null =
      config.admin === undefined
        ? null
        : createAdminCaller({ admin: config.admin, contract: adminContract, answerMs, transcript, onFault })
    const subjects = subjectsOf(config)
    const context = createContext({
      profile,
      config,
      needs: check.needs ?? [],
      subjects,
      makeCaller: (apiKey, subject) =>
        createCaller({
          apiKey,
          subject,
          send,
          open: openOne,
          onConversation: (caller, conversationId) => worked.set(conversationId, caller),
        }),
      send,
      note: (text) => transcript.add('note', text),
      settleMs,
      quietMs,
      now: () => Date.now() + clockOffsetMs,
      clockMoved: (milliseconds) => {
        clockOffsetMs += milliseconds
      },
      admin,
      callbacks: await callbacksFor(check),
      callbackSecret: () => callbackSecret,
      callbackSecretChanged: (secret) => {
        callbackSecret = secret
      },
    })
    return {
      context,
      redact,
      transcript: transcript.entries,
      close: async () => {
        for (const stream of streams) stream.close()
        const seen = [...faults]
        await endUnfinishedWork(worked)
        return seen.map((fault) => `the contract is broken: ${fault}`)
      },
    }
  }

  return {
    target: 'server',
    name: config.baseUrl,
    capabilities: listCapabilities(config),
    concurrency,
    open,
    stop: async () => {
      await receiver?.then(
        ({ close }) => close(),
        () => {},
      )
      await config.stop?.()
    },
  }
}

function subjectsOf({ subjects, freshSubjects = true }: ServerConfig): { own: string; other: string } {
  if (!freshSubjects) return { own: subjects.first, other: subjects.second }
  const suffix = randomBytes(6).toString('hex')
  return { own: `${subjects.first}-${suffix}`, other: `${subjects.second}-${suffix}` }
}

function* secretsOf({ apps, webhooks = {}, callbacks, model, admin, secrets = [] }: ServerConfig): Generator<string> {
  for (const { key, scopedKeys = {} } of Object.values(apps)) yield* [key, ...Object.values(scopedKeys)]
  for (const webhook of Object.values(webhooks as Record<string, WebhookConfig>)) yield webhook.secret
  if (callbacks !== undefined) yield callbacks.secret
  if (model !== undefined) yield model.key
  if (admin !== undefined) yield admin.token
  yield* secrets
}
