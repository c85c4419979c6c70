import type { AdminConfig } from '../config/server-config.ts'
import type { Transcript } from '../transcript.ts'
import { type CallOptions, mergeHeaders } from './caller.ts'
import type { Contract } from './contract.ts'
import { expectStatus } from './expectations.ts'
import type { Answer, WireOptions } from './wire.ts'
import { createWire } from './wire.ts'

/** Calls the admin API (D-46) as an operator. Paths are relative to `/admin/v1`. */
export interface AdminCaller {
  /** Resolves with any answer. `headers` replace the caller's own by name in lower case; null omits a header. */
  request<Body = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>
  /** Resolves with the body of a successful answer. @throws {AnswerError} The answer is not 200, 201 or 202. */
  call<Body = unknown>(method: string, path: string, json?: unknown): Promise<Body>
}

export interface AdminCallerOptions {
  readonly admin: AdminConfig
  readonly contract: Pick<Contract, 'faultsOf'>
  /** The check's wire. New secrets in answers are removed from its transcript. */
  readonly wire: Omit<WireOptions, 'baseUrl'>
  onFault(fault: string): void
}

const CONTRACT_PREFIX = '/admin/v1'

/** Answers contain new secrets and keys, which the redaction of the configuration does not know. */
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
    const own = {
      authorization: `Bearer ${admin.token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const answer = await wire.send({
      method,
      path: `${prefix}${path}`,
      headers: mergeHeaders(own, headers),
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
