import { constants, hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { createWorker, WorkerRefusedError } from '@conversation-gateway/sdk/worker'
import { createAssistants } from '../assistants/registry.ts'
import { createModuleHost } from '../devices/isolation/module-host.ts'
import { createRemoteAssistant } from '../devices/remote-assistant.ts'
import { createLogger } from '../runtime/log.ts'
import { exit } from '../runtime/standard-error.ts'
import { systemTimers } from '../runtime/timers.ts'
import { VERSION } from '../runtime/version.ts'
import { PROGRAM, readArguments, StartRefused } from './program.ts'
import { requireConfig } from './settings/config.ts'
import { onEndSignals } from './signals.ts'

const HELP = `Usage: ${PROGRAM} device --url <origin> [--key <device key>] [options]

Executes the runs of one device on this machine. It reaches the gateway over HTTP, and needs neither the database nor a port.
It executes the assistants of the device's services: echo, script, openai and module. Create the key with
\`devices keys create\`; from then on, only workers execute the device's runs, unless GATEWAY_DEVICES names the device.

  --url <origin>   The gateway, such as https://gateway.example.com. Default: GATEWAY_BASE_URL.
  --key <key>      A device key, gd_…. Default: GATEWAY_DEVICE_KEY, which other users of this machine do not see.
  --slots <count>  Runs executed at once, 1 to 1000. Default: GATEWAY_RUN_CONCURRENCY.
  --name <name>    Shown to operators. Default: the host's name.
  --help           Prints this text.

Modules and keys of model servers must be on this machine: paths are relative to the working directory, and api_key_env
names a variable of this process. GATEWAY_DRAIN_MS, GATEWAY_MODULE_MEMORY_MB and GATEWAY_LOG_LEVEL apply here, too.
The first SIGINT or SIGTERM lets executing runs continue for GATEWAY_DRAIN_MS; a second one ends the program at once.
`

/** Executes the runs of one device until SIGINT or SIGTERM, over HTTP (D-67). */
export const runDevice = async (args: string[]): Promise<void> => {
  const options = readArguments(HELP, () => parseArguments(args))
  if (options === null) {
    process.stdout.write(HELP)
    return
  }
  const { url, key, slots, name } = options
  const { config } = requireConfig(process.env)
  const log = createLogger({ level: config.logLevel, secrets: [key] })
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'))
  const modules = createModuleHost({
    directory: process.cwd(),
    environment: process.env,
    memoryMb: config.moduleMemoryMb,
    reloads: false,
    leaseMs: config.leaseMs,
    timers: systemTimers,
    log,
  })
  const assistants = createAssistants({
    environment: process.env,
    moduleAssistant: modules.assistant,
    httpAssistant: null,
    timers: systemTimers,
  })
  const ending = new AbortController()
  onEndSignals(
    (signal) => {
      log.info({ signal, drain_ms: config.drainMs }, 'draining')
      ending.abort()
    },
    (signal) => {
      log.info({ signal }, 'a second signal ends the process at once')
      void exit(128 + constants.signals[signal])
    },
  )
  const worker = createWorker({
    url,
    key,
    slots: slots ?? config.runConcurrency,
    name,
    version: VERSION,
    drainMs: config.drainMs,
    log,
    assistants: createRemoteAssistant(assistants),
  })
  log.info({ url, slots: slots ?? config.runConcurrency }, 'the device connects to its gateway')
  try {
    await worker.run({ signal: ending.signal })
  } catch (error) {
    if (!(error instanceof WorkerRefusedError)) throw error
    throw new StartRefused(
      error.code === 'UNAUTHENTICATED'
        ? `${url} does not accept the device key: it is unknown, revoked, or belongs to another gateway.`
        : error.message,
    )
  } finally {
    await modules.close()
  }
  log.info('ended')
}

interface DeviceOptions {
  readonly url: string
  readonly key: string
  readonly slots: number | null
  readonly name: string
}

/** Null if `--help` is set. */
const parseArguments = (args: string[]): DeviceOptions | null => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { help: { type: 'boolean', short: 'h' }, url: text, key: text, slots: text, name: text },
  })
  if (values.help === true) return null
  const url = URL.parse(values.url ?? process.env.GATEWAY_BASE_URL ?? '')
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error("--url must be the gateway's origin, such as https://gateway.example.com")
  const key = (values.key ?? process.env.GATEWAY_DEVICE_KEY ?? '').trim()
  if (!key.startsWith('gd_')) throw new Error('--key, or GATEWAY_DEVICE_KEY, must be a device key: gd_…')
  const slots = values.slots === undefined ? null : Number(values.slots)
  if (slots !== null && !(Number.isInteger(slots) && slots >= 1 && slots <= 1000))
    throw new Error(`--slots must be a whole number from 1 to 1000, not ${values.slots}`)
  return { url: url.origin, key, slots, name: values.name ?? hostname() }
}
