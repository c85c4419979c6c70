import { type AdminClient, session } from '../session.ts'

/** The client of the signed-in operator; pages are shown only after sign-in. */
export const gateway = (): AdminClient => {
  if (session.value === null) throw new Error('No operator is signed in.')
  return session.value.client
}

/** Polling interval for live data, in milliseconds. */
export const LIVE_MS = 2000
/** Polling interval for data that changes rarely, in milliseconds. */
export const SLOW_MS = 10_000
