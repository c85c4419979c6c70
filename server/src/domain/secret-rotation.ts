/** The old secret after a rotation, during the overlap. */
export interface PreviousSecret {
  readonly sealed: Uint8Array
  readonly expiresAt: Date
}

/** The old secret to keep after a rotation; null without an overlap. */
export const overlapping = (sealed: Uint8Array, overlapSeconds: number, now: Date): PreviousSecret | null =>
  overlapSeconds === 0 ? null : { sealed, expiresAt: new Date(now.getTime() + overlapSeconds * 1000) }

/** The old secret, until its overlap ends. */
export const stillInUse = (previous: PreviousSecret | null, now: Date): PreviousSecret | null =>
  previous !== null && previous.expiresAt > now ? previous : null
