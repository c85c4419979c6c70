/** The secret from before a rotation, while it is still in use. */
export interface PreviousSecret {
  readonly sealed: Uint8Array
  readonly expiresAt: Date
}

/** What a rotation leaves of the secret that it replaces; null without an overlap. */
export const overlapping = (sealed: Uint8Array, overlapSeconds: number, now: Date): PreviousSecret | null =>
  overlapSeconds === 0 ? null : { sealed, expiresAt: new Date(now.getTime() + overlapSeconds * 1000) }

/** The secret from before, where its time has not passed. */
export const stillInUse = (previous: PreviousSecret | null, now: Date): PreviousSecret | null =>
  previous !== null && previous.expiresAt > now ? previous : null
