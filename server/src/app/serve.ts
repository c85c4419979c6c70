import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { Logger } from 'pino'
import { DEFAULT_DELIVERY_SETTINGS } from '../delivery/settings.ts'
import { DEFAULT_WORKER_SETTINGS } from '../devices/settings.ts'
import type { Rate } from '../domain/token-bucket.ts'
import { DEMO } from '../gateway/bootstrap/demo.ts'
import type { GatewayContext } from '../gateway/context.ts'
import type { Tls } from '../http/framework.ts'
import type { DemoPage } from '../http/site/demo.ts'
import { createLogger } from '../runtime/log.ts'
import { exit, standardError } from '../runtime/standard-error.ts'
import { createTextOutput } from '../runtime/text-output.ts'
import { systemTimers } from '../runtime/timers.ts'
import { VERSION } from '../runtime/version.ts'
import { parseDatabaseUrl } from '../store/drivers/database-url.ts'
import { bootstrapFromFile } from './bootstrap.ts'
import type { Gateway } from './build-gateway.ts'
import { buildGateway } from './build-gateway.ts'
import { prepareDemo, warnOfDemo } from './demo/demo.ts'
import { openDemoPage } from './demo/demo-page.ts'
import { greeting } from './greeting.ts'
import { baseUrlOf, hasOperatorTls, isHttpsOnly, listen } from './listen.ts'
import { STORES } from './observe/observe-gateway.ts'
import { openTracing } from './observe/open-tracing.ts'
import { openDatabase } from './open-database.ts'
import { ADMIN_PROGRAM, PROGRAM, readArguments, StartRefused } from './program.ts'
import type { Config, ValidConfig } from './settings/config.ts'
import { describeSettings, isDevelopment, requireConfig, wantsDemo } from './settings/config.ts'
import { ownAdminToken, ownSecretKeys } from './settings/own-secrets.ts'
import { onEndSignals } from './signals.ts'

const describeSetting = ({
  name,
  description,
  default: fallback,
}: ReturnType<typeof describeSettings>[number]): string =>
  `  ${name}${fallback === undefined ? '' : ` (${fallback})`}\n      ${description}`

const HELP = `Conversation Gateway

Usage: ${PROGRAM} [--help | --version]
       ${PROGRAM} health [--help]
       ${PROGRAM} device [--help]
       ${ADMIN_PROGRAM} --help

Serves the gateway until SIGINT or SIGTERM. The command \`health\` checks whether a gateway is alive, \`device\` executes
the runs of one device over HTTP, and \`admin\` operates a running gateway.
All settings are environment variables:

${describeSettings().map(describeSetting).join('\n')}
`

/** Longest wait for pending requests after the drain (D-49, D-73). */
export const EXIT_DEADLINE_MS = 9500
/** Interval between log lines about a drain. */
const DRAIN_LOG_MS = 10_000
/** Maximum number of runs that such a line names. */
const NAMED_RUNS = 20
const HOUR_MS = 3_600_000

/** Serves a gateway with the settings of the environment, or prints the help or the version. */
export const runServer = async (): Promise<void> => {
  const { help, version, ...options } = readArguments(HELP, parseArguments)
  if (version) {
    process.stdout.write(`${VERSION}\n`)
    return
  }
  if (help) {
    process.stdout.write(HELP)
    return
  }
  await serve(requireConfig(process.env), options)
}

interface Arguments {
  readonly help: boolean
  readonly version: boolean
  /** Whether to print the demo's instructions when it is created, even without a terminal. `npm start` sets it. */
  readonly greet: boolean
  /** Whether to reload modules when their files change. `npm start` sets it. */
  readonly 'reload-modules': boolean
  /** Whether errors of runs contain the assistants' exceptions; only on a loopback address. `npm start` sets it. */
  readonly 'show-assistant-errors': boolean
  /** A folder with a chat example to serve under `/demo`; only on a loopback address. `npm start` sets it. */
  readonly 'demo-page'?: string
}

const parseArguments = (): Arguments => {
  const off = { type: 'boolean', default: false } as const
  return parseArgs({
    options: {
      help: { ...off, short: 'h' },
      version: { ...off, short: 'v' },
      greet: off,
      'reload-modules': off,
      'show-assistant-errors': off,
      'demo-page': { type: 'string' },
    },
  }).values
}

const serve = async (
  { config, serviceLinks }: ValidConfig,
  {
    greet: isGreeted,
    'reload-modules': reloadModules,
    'show-assistant-errors': showsErrors,
    'demo-page': demoFolder,
  }: Omit<Arguments, 'help' | 'version'>,
): Promise<void> => {
  const log = createLogger({ level: config.logLevel, secrets: secretsOf(config) })
  if (serviceLinks.length > 0) log.info({ variables: serviceLinks }, SERVICE_LINKS)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'))
  const tracing = await openTracing(process.env, log)
  const database = await openDatabase(config, log)
  const { db, clock } = database
  const isEmbedded = config.databaseUrl === undefined
  const roles = new Set(config.roles)
  const tls = await readTls(config)
  let demoPage: DemoPage | null = null
  const gateway: Gateway = await buildGateway({
    db,
    clock,
    clockOffsetSeconds: database.clockOffsetSeconds,
    deadlineMs: config.databaseDeadlineMs,
    timers: systemTimers,
    log,
    droppedLogLines: standardError.dropped,
    tracing,
    roles,
    settings: {
      queuedPerConversation: config.queuedPerConversation,
      pendingPerApp: config.pendingPerApp,
      pendingPerDevice: config.pendingPerDevice,
      deviceOfflineMs: config.deviceOfflineMs,
      snapshotBytes: LIMITS.snapshotBytes,
      stopMs: config.stopMs,
      reconcileMs: config.reconcileMs,
      leaseMs: config.leaseMs,
    },
    retention: {
      eventsMs: config.eventRetentionHours * HOUR_MS,
      bodiesMs: config.bodyRetentionHours * HOUR_MS,
    },
    worker: {
      ...DEFAULT_WORKER_SETTINGS,
      heartbeatMs: config.heartbeatMs,
      runConcurrency: config.runConcurrency,
      deltaMs: config.deltaMs,
      shutdownGraceMs: config.drainMs,
      showAssistantErrors: showsErrors && isDevelopment(config, process.env.NODE_ENV),
    },
    workerLeaseMs: config.workerLeaseMs,
    deviceIds: config.devices ?? null,
    streamLimits: {
      perDevice: config.streamsPerDevice,
      perApp: config.streamsPerApp,
      perSubject: config.streamsPerSubject,
    },
    rateLimit: rateLimitOf(config),
    pingMs: config.pingMs,
    wakeMs: config.wakeMs,
    adminToken: config.adminToken ?? (roles.has('api') ? await ownAdminToken(config, log) : null),
    secretKeys: config.secretKeys ?? (await ownSecretKeys(config, log)),
    baseUrl: () => baseUrlOf(config, gateway.http),
    callbackTargets: {
      hosts: new Set(config.callbackHosts),
      devOrigins: new Set(config.callbackDevTargets),
    },
    ...(tls === null ? {} : { tls }),
    ...(config.operatorPort === undefined ? {} : { operator: tls !== null && hasOperatorTls(config) ? { tls } : {} }),
    trustProxy: config.behindProxy,
    httpsOnly: isHttpsOnly(config),
    environment: process.env,
    delivery: DEFAULT_DELIVERY_SETTINGS,
    moduleDirectory: process.cwd(),
    moduleMemoryMb: config.moduleMemoryMb,
    reloadModules,
    ...(demoFolder === undefined ? {} : { demoPage: () => demoPage }),
  })

  if (config.bootstrap !== undefined) await applyBootstrap(gateway.context, config.bootstrap, log)
  const demo =
    roles.has('api') && wantsDemo(config)
      ? await prepareDemo(gateway.context, isEmbedded ? config.dataDir : null)
      : await warnOfDemo(gateway.context, config, log)
  const started = Promise.withResolvers<void>()
  const logDrain = (message: string, fields: object = {}): void => {
    const runs = gateway.heldRuns()
    const names = runs.slice(0, NAMED_RUNS).map(({ runId }) => runId)
    log.info({ ...fields, runs: runs.length, run_ids: names }, message)
  }
  const stop = async (signal: string): Promise<void> => {
    logDrain('draining', { signal, drain_ms: config.drainMs })
    systemTimers.every(DRAIN_LOG_MS, () => logDrain('still draining'))
    const ending = started.promise.then(gateway.stop).then(database.close)
    const isInTime = await Promise.race([ending.then(() => true), setTimeout(config.drainMs + EXIT_DEADLINE_MS, false)])
    if (!isInTime) log.warn('the shutdown was not complete within its time limit')
    await exit(0)
  }
  let isStopping = false
  onEndSignals(
    (signal) => {
      isStopping = true
      stop(signal).catch((error: unknown) => {
        log.error({ err: error }, 'the shutdown failed')
        return exit(1)
      })
    },
    (signal) => {
      logDrain('a second signal ends the process at once', { signal })
      void exit(128 + constants.signals[signal])
    },
  )
  await gateway.start()
  const { baseUrl, operatorUrl } = await listen(gateway, config)
  started.resolve()
  if (isStopping) return
  if (demoFolder !== undefined && demo !== null && isDevelopment(config, process.env.NODE_ENV))
    demoPage = await openDemoPage(gateway.context, demo, { folder: demoFolder, baseUrl, log })

  const addresses = { base_url: baseUrl, ...(operatorUrl === null ? {} : { operator_url: operatorUrl }) }
  log.info({ version: VERSION, ...addresses, roles: config.roles, ...STORES[db.kind] }, 'ready')
  // Not written to logs: the text contains a key, and logs are JSON.
  if (process.stderr.isTTY || (isGreeted && demo?.isNew))
    standardError.write(greeting({ baseUrl, operatorUrl }, config, demo, demoPage !== null))
  else if (demo?.isNew) log.info({ app_id: DEMO.appId, key_file: demo.keptIn }, 'the demo application was created')
  createTextOutput(process.stdout).write(`${JSON.stringify({ event: 'ready', ...addresses })}\n`)
}

const SERVICE_LINKS =
  'these variables are service links of Kubernetes, not settings, and are ignored (enableServiceLinks: false removes them)'

/** The request rate of keys whose application has no rate of its own; null for unlimited. */
const rateLimitOf = ({ rateLimitPerSecond, rateLimitBurst }: Config): Rate | null =>
  rateLimitPerSecond === 0 ? null : { perSecond: rateLimitPerSecond, burst: rateLimitBurst }

/** Secrets to redact from logs. */
const secretsOf = ({ adminToken, databaseUrl }: Config): string[] =>
  [adminToken, databaseUrl === undefined ? undefined : passwordOf(databaseUrl)].filter((secret) => secret !== undefined)

const passwordOf = (databaseUrl: string): string | undefined => {
  const target = parseDatabaseUrl(databaseUrl)
  return 'fault' in target ? undefined : target.password
}

const applyBootstrap = async (context: GatewayContext, path: string, log: Logger): Promise<void> => {
  const { faults, changes } = await bootstrapFromFile(context, path).catch((error: unknown) => {
    throw new StartRefused(
      `GATEWAY_BOOTSTRAP: ${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    )
  })
  if (faults.length > 0)
    throw new StartRefused(
      `GATEWAY_BOOTSTRAP: ${path} was not applied:\n${faults.map(({ pointer, message }) => `  - ${pointer || 'the file'} ${message}`).join('\n')}`,
    )
  for (const { change, ...what } of changes) {
    if (change === 'kept') log.warn(what, KEPT_SECRET)
    else log.info(what, `${what.kind} ${change} by the bootstrap file`)
  }
}

const KEPT_SECRET =
  'the stored secret differs from the one in the bootstrap file, and is kept, because it may have been rotated. To replace it, change the secret in the file'

const readTls = async ({ tlsCert, tlsKey }: Config): Promise<Tls | null> => {
  if (tlsCert === undefined || tlsKey === undefined) return null
  const read = (name: string, file: string): Promise<string> =>
    readFile(file, 'utf8').catch((error: Error) => {
      throw new StartRefused(`${name}: ${error.message}`)
    })
  return { cert: await read('GATEWAY_TLS_CERT', tlsCert), key: await read('GATEWAY_TLS_KEY', tlsKey) }
}
