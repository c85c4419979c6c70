import type { AdminConfig } from '../config/server-config.ts'
import type { Transcript } from '../transcript.ts'
import type { CallOptions } from './caller.ts'
import type { Contract } from './contract.ts'
import { expectStatus } from './expectations.ts'
import type { Answer, WireOptions } from './wire.ts'
import { createWire } from './wire.ts'

/** The operator, who speaks to the admin surface (D-46). Paths are relative to `/admin/v1`. */
export interface AdminCaller {
  /** Answers with what came. `headers` replace the operator's own by name in lower case; null leaves one out. */
  request<Body = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>
  /** The body of a successful answer. @throws {AssertionError} for any other. */
  call<Body = unknown>(method: string, path: string, json?: unknown): Promise<Body>
}

export interface AdminCallerOptions {
  readonly admin: AdminConfig
  readonly contract: Pick<Contract, 'faultsOf'>
  /** The wire of the check, whose transcript keeps none of the secrets that answers show. */
  readonly wire: Omit<WireOptions, 'baseUrl'>
  onFault(fault: string): void
}

const CONTRACT_PREFIX = '/admin/v1'

/** Answers show secrets and keys that were made just now, which no configuration could name. */
const withoutNewSecrets = ({ add, entries }: Transcript): Transcript => ({
  add: (direction, text) => add(direction, text.replace(/("(?:secret|key)"\s*:\s*")[^"]+/g, '$1[redacted]')),
  entries,
})

export function createAdminCaller({ admin, contract, wire: wireOptions, onFault }: AdminCallerOptions): AdminCaller {
  const { origin, pathname } = new URL(admin.url)
  const prefix = pathname.replace(/\/$/, '')
  const wire = createWire({ ...wireOptions, baseUrl: origin, transcript: withoutNewSecrets(wireOptions.transcript) })

  const request = async <Body>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> => {
    const { json, body = json === undefined ? undefined : JSON.stringify(json), headers = {} } = options
    const merged: Record<string, string | readonly string[]> = {
      authorization: `Bearer ${admin.token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) delete merged[name]
      else merged[name] = value
    }
    const answer = await wire.send({
      method,
      path: `${prefix}${path}`,
      headers: merged,
      ...(body === undefined ? {} : { body }),
    })
    const asInContract = { ...answer, request: { ...answer.request, path: `${CONTRACT_PREFIX}${path}` } }
    for (const fault of contract.faultsOf(asInContract)) onFault(fault)
    return answer as Answer<Body>
  }
  return {
    request,
    call: async <Body>(method: string, path: string, json?: unknown) =>
      expectStatus(await request<Body>(method, path, json === undefined ? {} : { json }), 200, 201, 202).body,
  }
}
