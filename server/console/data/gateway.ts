import { type AdminClient, session } from '../session.ts'

/** The client of whoever is signed in; pages are shown to nobody else. */
export const gateway = (): AdminClient => {
  if (session.value === null) throw new Error('Nobody is signed in.')
  return session.value.client
}

/** Between two looks at what changes by itself, in milliseconds. */
export const LIVE_MS = 2000
/** Between two looks at what operators change. */
export const SLOW_MS = 10_000
