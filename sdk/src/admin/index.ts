import { Calls } from '../client/calls.ts'
import { type ClientOptions, resolveOptions } from '../client/options.ts'
import { createNamespaces, type Namespaces } from '../generated/admin-namespaces.ts'

export type * from '../generated/admin.ts'
export { ADMIN_OPERATIONS } from '../generated/admin-operations.ts'

/** The options of a client, with the operator's token in place of the key, and without subject, outbox and streams. */
export interface AdminClientOptions extends Omit<ClientOptions, 'apiKey' | 'subject' | 'outbox' | 'streamPatienceMs'> {
  /** `GATEWAY_ADMIN_TOKEN` of the gateway, or an operator’s own token. */
  readonly adminToken: string
}

/**
 * A client of the operator's API (D-46). Its writes have no idempotency key. After a lost answer, a write is repeated
 * only if a repeat has no further effect; otherwise it throws an `UnknownOutcomeError` without a handle.
 */
export function createAdminClient({ adminToken, ...options }: AdminClientOptions): Namespaces {
  // Without a token, the client would send the application key from the environment instead.
  if (!adminToken)
    throw new TypeError(
      'adminToken is missing: pass the GATEWAY_ADMIN_TOKEN of the gateway, or an operator’s own token.',
    )
  const settings = resolveOptions({ ...options, apiKey: adminToken })
  return createNamespaces(new Calls(settings, null))
}
