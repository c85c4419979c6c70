import { createAdminClient, type OperatorSelf } from '@conversation-gateway/sdk/admin'
import { signal } from '@preact/signals'

export type AdminClient = ReturnType<typeof createAdminClient>

/** The session. The token is only in the client's memory, so it is lost with the page. */
export interface Session {
  readonly client: AdminClient
  readonly self: OperatorSelf
}

export const session = signal<Session | null>(null)
/** Why the session ended, for the sign-in page. */
export const signOutReason = signal<string | null>(null)

/** The time limit of a request. Nothing is retried automatically, because polling repeats reads anyway. */
const ATTEMPT_TIMEOUT_MS = 8000

/** Signs in. @throws The gateway's error if it does not know the token. */
export const signIn = async (token: string): Promise<void> => {
  const client = createAdminClient({
    baseUrl: location.origin,
    adminToken: token.trim(),
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    maxAttempts: 1,
  })
  const self = await client.operators.self()
  signOutReason.value = null
  session.value = { client, self }
}

export const signOut = (reason: string | null = null): void => {
  signOutReason.value = reason
  session.value = null
}
