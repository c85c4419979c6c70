import { describeConfig } from '../config/describe-config.ts'
import type { ServerConfig, WebhookConfig } from '../config/server-config.ts'
import type { System } from '../system.ts'
import { createRedaction } from '../transcript.ts'
import { createAdaptiveTimeouts } from './adaptive-timeouts.ts'
import type { CallbackReceiver } from './callback-receiver.ts'
import { startCallbackReceiver } from './callback-receiver.ts'
import type { ServerCheck, ServerContext } from './context.ts'
import type { Profile } from './contract.ts'
import { createAdminContract, createContract } from './contract.ts'
import { withInstances } from './instances.ts'
import { listCapabilities } from './needs.ts'
import { createPacer } from './pacer.ts'
import { probeServer } from './probe.ts'
import { openSession, type Shared } from './session.ts'

export interface ServerSystemOptions {
  /** Default `core`. */
  readonly profile?: Profile
  /** Maximum number of concurrent checks. Default 8. */
  readonly concurrency?: number
}

const DEFAULT_ANSWER_MS = 30_000
const DEFAULT_SETTLE_MS = 20_000
const DEFAULT_QUIET_MS = 400

/** Maximum number of concurrent instances. Most of these checks wait, so two instances keep two cores busy. */
const INSTANCES = 2

/** Prepares the server target, with further instances of the server if the configuration can start them. */
export function createServerSystem(config: ServerConfig, options: ServerSystemOptions = {}): System<ServerContext> {
  const system = createInstance(config, options)
  const another = config.another?.bind(config)
  return another === undefined
    ? system
    : withInstances(system, INSTANCES, async () => createInstance(await another(), options))
}

function createInstance(config: ServerConfig, options: ServerSystemOptions): System<ServerContext> {
  const { profile = 'core', concurrency = 8 } = options
  const {
    answerMs = DEFAULT_ANSWER_MS,
    settleMs = DEFAULT_SETTLE_MS,
    quietMs = DEFAULT_QUIET_MS,
  } = config.deadlines ?? {}
  let clockOffsetMs = 0
  let movedMs = 0
  let callbackSecret = config.callbacks?.secret ?? ''
  let receiver: Promise<CallbackReceiver> | null = null
  const redaction = createRedaction(secretsOf(config))
  const pacer = createPacer()
  const shared: Shared = {
    config,
    profile,
    contract: createContract(profile),
    adminContract: createAdminContract(),
    pacer,
    timeouts: createAdaptiveTimeouts(),
    redact: redaction.redact,
    deadlines: { answerMs, settleMs, quietMs },
    clock: { now: () => Date.now() + clockOffsetMs },
    callbackSecret: () => callbackSecret,
    driverDid: (name, args, result) => {
      for (const secret of secretsIn(result)) redaction.learn(secret)
      if (name === 'moveClock') {
        clockOffsetMs += Number(args[0])
        movedMs += Number(args[0])
      }
      if (name === 'rotateCallbackSecret' && args[0] === undefined) callbackSecret = String(Object(result).secret)
    },
    // Started when the first check needs it.
    callbacksFor: async ({ needs = [] }) => {
      if (config.callbacks === undefined || !needs.includes('callbacks')) return null
      receiver ??= startCallbackReceiver(config.callbacks)
      return receiver
    },
  }
  return {
    target: 'server',
    name: config.name ?? config.baseUrl,
    configuration: describeConfig(config, redaction.redact),
    capabilities: listCapabilities(config),
    concurrency,
    waitMs: Math.max(answerMs, settleMs),
    probe: async () => {
      const aheadMs = await probeServer(config, pacer)
      // After a check has moved the clock, the difference does not measure the machines' clocks.
      if (movedMs === 0) clockOffsetMs = aheadMs
    },
    open: (check: ServerCheck) => openSession(check, shared),
    pacing: () => ({ waits: pacer.waits(), pausedMs: pacer.pausedMs() }),
    stop: async () => {
      await receiver?.then(
        ({ close }) => close(),
        () => {},
      )
      await config.stop?.()
    },
  }
}

function* secretsOf({
  apps,
  webhooks = {},
  callbacks,
  model,
  admin,
  control,
  secrets = [],
}: ServerConfig): Generator<string> {
  for (const { key, scopedKeys = {} } of Object.values(apps)) yield* [key, ...Object.values(scopedKeys)]
  for (const webhook of Object.values(webhooks as Record<string, WebhookConfig>)) yield webhook.secret
  if (callbacks !== undefined) yield callbacks.secret
  if (model !== undefined) yield model.key
  if (admin !== undefined) yield admin.token
  if (control?.token !== undefined) yield control.token
  yield* secrets
}

/** Keys and secrets in the result of an ability. */
const secretsIn = (result: unknown): string[] =>
  [result, Object(result).key, Object(result).secret].filter((value) => typeof value === 'string')
