import { UntestableError } from '../check.ts'
import { messageOf } from '../message-of.ts'
import { parseJson } from '../parse-json.ts'
import { type Ability, formOf, isAbility } from './abilities.ts'
import type { Driver } from './driver.ts'
import type { ControlConfig, ServerConfig } from './server-config.ts'
import { UsageError } from './usage-error.ts'
import { toRequest, toResult } from './wire-form.ts'

const PROTOCOL = 1
/** Long enough for a restart of the gateway. */
const ANSWER_LIMIT_MS = 120_000
const SHOWN_CHARACTERS = 400

/**
 * Adds the abilities of the control server to the configuration's driver. The driver's own functions take precedence.
 * @throws {UsageError} The control server does not list its abilities, or speaks another protocol version.
 */
export async function withControl(config: ServerConfig): Promise<ServerConfig> {
  const { control, driver, another } = config
  const connected =
    control === undefined ? config : { ...config, driver: { ...(await connectControl(control)), ...driver } }
  return another === undefined ? connected : { ...connected, another: async () => withControl(await another()) }
}

/** Returns the abilities of a control server as functions. */
export async function connectControl(control: ControlConfig): Promise<Driver> {
  const abilities = await listAbilities(control).catch((error: unknown) => {
    throw new UsageError(`control.url: ${messageOf(error)}`, { cause: error })
  })
  return Object.fromEntries(
    abilities
      .filter(isAbility)
      .map((ability) => [ability, (...args: readonly unknown[]) => useAbility(control, ability, args)]),
  )
}

async function listAbilities(control: ControlConfig): Promise<readonly string[]> {
  const response = await ask(control, 'GET', 'abilities')
  const { protocol, abilities } = Object(await readObject(response))
  if (response.status !== 200 || !Array.isArray(abilities))
    throw new Error(`GET ${urlOf(control, 'abilities')} was answered with ${response.status} and no list of abilities`)
  if (protocol !== PROTOCOL)
    throw new Error(`${control.url} speaks version ${protocol} of the control protocol; this suite speaks ${PROTOCOL}`)
  return abilities.map(String)
}

async function useAbility(control: ControlConfig, ability: Ability, args: readonly unknown[]): Promise<unknown> {
  const response = await ask(control, 'POST', ability, toRequest(ability, args))
  const answer = await readObject(response)
  const { refused, reason } = Object(answer)
  if (response.status === 501) throw new UntestableError(String(reason ?? `the control server declines ${ability}`))
  if (response.status === 404) throw new UntestableError(`the control server has no ability ${ability}`)
  if (response.status === 409 && formOf(ability).refusable) return { refused: String(refused ?? 'it gave no reason') }
  if (response.status === 200 && answer !== null) return toResult(ability, answer)
  const shown = answer === null ? 'no JSON object' : JSON.stringify(answer).slice(0, SHOWN_CHARACTERS)
  throw new Error(`POST ${urlOf(control, ability)} was answered with ${response.status} and ${shown}`)
}

const urlOf = ({ url }: ControlConfig, name: string): string => `${url.replace(/\/$/, '')}/${name}`

const ask = (control: ControlConfig, method: string, name: string, body?: object): Promise<Response> =>
  fetch(urlOf(control, name), {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    headers: {
      ...(control.token === undefined ? {} : { authorization: `Bearer ${control.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new Error(`${method} ${urlOf(control, name)} was not answered: ${reasonOf(error)}`, { cause: error })
  })

/** Parses the answer. Null unless it is a JSON object. */
async function readObject(response: Response): Promise<Readonly<Record<string, unknown>> | null> {
  const value = parseJson(await response.text())
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** The reason of an error. `fetch` puts it only into the error's cause. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : messageOf(error)
