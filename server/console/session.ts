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
export const farewell = signal<string | null>(null)

/** An answer is awaited this long; what is polled is asked again anyway, so nothing is sent twice by itself. */
const ATTEMPT_TIMEOUT_MS = 8000

/** Signs in. @throws What the gateway answers to a token that it does not know. */
export const signIn = async (token: string): Promise<void> => {
  const client = createAdminClient({
    baseUrl: location.origin,
    adminToken: token.trim(),
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    maxAttempts: 1,
  })
  const self = await client.operators.self()
  farewell.value = null
  session.value = { client, self }
}

export const signOut = (reason: string | null = null): void => {
  farewell.value = reason
  session.value = null
}
