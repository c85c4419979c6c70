import { z } from 'zod'
import { StartRefused } from '../program.ts'
import { closestName } from './closest-name.ts'
import type { Environment } from './environment.ts'
import { cleanEnvironment, isOwnName } from './environment.ts'
import { isLoopback } from './setting-values.ts'
import { SETTINGS, type SettingText, textOf } from './settings.ts'

type Field = keyof typeof SETTINGS

const schema = z.object(SETTINGS)
const FIELDS: readonly Field[] = schema.keyof().options
const NAMES: ReadonlyMap<PropertyKey, string> = new Map(FIELDS.map((field) => [field, textOf(field).name]))

/** The settings of one process (D-47). */
export type Config = Readonly<z.output<typeof schema>>

export interface ValidConfig {
  readonly ok: true
  readonly config: Config
  /** Variables of Kubernetes that look like settings and were ignored. */
  readonly serviceLinks: readonly string[]
}

export type ConfigResult =
  | ValidConfig
  /** One sentence for each fault, with the variable's name and without secret values. */
  | { readonly ok: false; readonly faults: readonly string[] }

/** The descriptions of all settings for `--help` and the documentation, in reading order. */
export const describeSettings = (): SettingText[] => FIELDS.map(textOf)

/** Reads the settings from the environment, and finds all faults at once. An empty variable is treated as absent. */
export const readConfig = (given: Environment): ConfigResult => {
  const { environment, serviceLinks } = cleanEnvironment(given)
  const texts = new Map(FIELDS.map((field) => [field, environment[textOf(field).name] || undefined]))
  const result = schema.safeParse(Object.fromEntries(texts))
  const faults = [
    ...(result.error?.issues ?? []).map(({ path, message }) => `${NAMES.get(path[0] ?? '')} ${message}`),
    ...exposureFaults(texts),
    ...orderFaults(texts),
    ...demoFaults(texts),
    ...quotedValues(texts),
    ...unknownNames(environment),
  ]
  return result.success && faults.length === 0 ? { ok: true, config: result.data, serviceLinks } : { ok: false, faults }
}

/** As `readConfig`. @throws {StartRefused} with all faults. */
export const requireConfig = (given: Environment): ValidConfig => {
  const reading = readConfig(given)
  if (reading.ok) return reading
  throw new StartRefused(`The settings have faults:\n${reading.faults.map((fault) => `  - ${fault}`).join('\n')}`)
}

type Texts = ReadonlyMap<Field, string | undefined>

/** The value of one field, or its default; null without both, or if it is faulty, which is reported elsewhere. */
const validValue = <T>(texts: Texts, field: Field, setting: z.ZodType<T>): T | null =>
  setting.safeParse(texts.get(field)).data ?? null

/** The faults of settings that belong together, and of a gateway that other machines can reach. */
const exposureFaults = (texts: Texts): string[] => {
  const has = (field: Field): boolean => texts.get(field) !== undefined
  const faults: string[] = []
  if (has('tlsCert') !== has('tlsKey')) {
    const [present, missing] = has('tlsCert') ? ['CERT', 'KEY'] : ['KEY', 'CERT']
    faults.push(`GATEWAY_TLS_${missing} must be set together with GATEWAY_TLS_${present}`)
  }
  if (has('operatorHost') && !has('operatorPort'))
    faults.push('GATEWAY_OPERATOR_PORT must be set together with GATEWAY_OPERATOR_HOST')
  const why = (['host', 'operatorHost'] as const).flatMap((field) => describeExposure(texts, field))[0]
  if (why === undefined) return faults
  if (!has('tlsCert') && !has('tlsKey') && validValue(texts, 'behindProxy', SETTINGS.behindProxy) === false) {
    faults.push(
      `GATEWAY_TLS_CERT and GATEWAY_TLS_KEY must be set, or GATEWAY_BEHIND_PROXY=1 if a proxy terminates TLS: ${why}`,
    )
  }
  for (const name of ['adminToken', 'secretKeys'] as const) {
    if (!has(name)) faults.push(`${textOf(name).name} must be set to the output of \`openssl rand -hex 32\`: ${why}`)
  }
  if (has('callbackDevTargets')) {
    faults.push(`GATEWAY_CALLBACK_DEV_TARGETS is for local development and must not be set: ${why}`)
  }
  return faults
}

/** The reason why other machines can reach the gateway at this host; empty if they cannot. */
const describeExposure = (texts: Texts, field: 'host' | 'operatorHost'): string[] => {
  const host = validValue(texts, field, SETTINGS[field]) ?? null
  return host === null || isLoopback(host) ? [] : [`${textOf(field).name} (${host}) is not a loopback address`]
}

const ORDERED = ['heartbeatMs', 'leaseMs', 'deviceOfflineMs'] as const

const orderFaults = (texts: Texts): string[] =>
  ORDERED.slice(1).flatMap((larger, index) => {
    const smaller = ORDERED[index] ?? larger
    const [low, high] = [validValue(texts, smaller, SETTINGS[smaller]), validValue(texts, larger, SETTINGS[larger])]
    return low === null || high === null || low < high
      ? []
      : [`${textOf(smaller).name} (${low}) must be less than ${textOf(larger).name} (${high})`]
  })

const demoFaults = (texts: Texts): string[] =>
  validValue(texts, 'demo', SETTINGS.demo) === true && texts.get('bootstrap') !== undefined
    ? [
        'GATEWAY_DEMO=1 and GATEWAY_BOOTSTRAP exclude each other: the applications of the bootstrap file replace the demo',
      ]
    : []

/**
 * Whether a start on a database without applications creates the demo (D-48): never with a bootstrap file, otherwise as
 * GATEWAY_DEMO says. Default: only on loopback with the embedded database.
 */
export const wantsDemo = ({ demo, bootstrap, databaseUrl, host }: Config): boolean =>
  bootstrap === undefined && (demo ?? (databaseUrl === undefined && isLoopback(host)))

/**
 * Whether only the developer can reach the gateway. Only then may run errors contain assistants' exceptions, because
 * these may hold secrets. Other gateways only log them.
 */
export const isDevelopment = (
  { host, behindProxy }: Pick<Config, 'host' | 'behindProxy'>,
  nodeEnvironment: string | undefined,
): boolean => isLoopback(host) && !behindProxy && nodeEnvironment !== 'production'

/** Container engines keep the quotes of an environment file; shells and systemd remove them. */
const quotedValues = (texts: Texts): string[] =>
  [...texts].flatMap(([field, text]) =>
    text !== undefined && /^(["']).*\1$/s.test(text)
      ? [`${textOf(field).name} must not be in quotes: they would be part of its value`]
      : [],
  )

/** Settings of clients in the same shell. */
const OF_CLIENTS = ['GATEWAY_BASE_URL', 'GATEWAY_API_KEY', 'GATEWAY_DEVICE_KEY']

const unknownNames = (environment: Environment): string[] => {
  const known = [...NAMES.values()]
  return Object.keys(environment)
    .filter((name) => isOwnName(name) && !known.includes(name) && !OF_CLIENTS.includes(name))
    .map((name) => {
      const meant = closestName(name, known)
      return `${name} is not a setting${meant === null ? '' : `; did you mean ${meant}?`}`
    })
}
