import { SERVER_MEMBERS } from './known-members.ts'
import type { ServerConfig } from './server-config.ts'
import { findFaultyMembers } from './unknown-members.ts'
import { throwIfAny } from './usage-error.ts'

/** Validates a configuration. @throws {UsageError} It has faults; the error names each with its field. */
export function checkServerConfig(config: ServerConfig): ServerConfig {
  throwIfAny('The configuration', [...faultsOf(Object(config)), ...findFaultyMembers(config, SERVER_MEMBERS)])
  return config
}

function* faultsOf({ baseUrl, apps, subjects, services }: Partial<ServerConfig>): Generator<string> {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl))
    yield 'baseUrl: must be a URL such as http://127.0.0.1:8787'
  else if (!/^https?:$/.test(new URL(baseUrl).protocol)) yield 'baseUrl: must be an http or https URL'
  else if (new URL(baseUrl).pathname !== '/' || new URL(baseUrl).search !== '')
    yield 'baseUrl: must be an origin only; the suite adds /api/v1 itself'
  for (const app of ['first', 'second'] as const)
    if (!isText(apps?.[app]?.key)) yield `apps.${app}.key: must be an API key with all four scopes`
  if (isText(apps?.first?.key) && apps.first.key === apps.second?.key)
    yield 'apps.second.key: must belong to another application than apps.first.key'
  for (const name of ['first', 'second'] as const)
    if (!isText(subjects?.[name])) yield `subjects.${name}: must be a business subject`
  if (isText(subjects?.first) && subjects.first === subjects.second)
    yield 'subjects.second: must differ from subjects.first'
  if (!isText(services?.main)) yield 'services.main: must be the ID of a published service of the first application'
  if (!isText(services?.foreign))
    yield 'services.foreign: must be the ID of a published service of the second application'
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
