/** What the doctor saw at one place, and what to do about it. */
export interface Finding {
  /** `bad`: breaks clients. `notice`: works, and could be better. `unknown`: could not be looked at. */
  readonly kind: 'good' | 'notice' | 'bad' | 'unknown'
  /** What was looked at. */
  readonly subject: string
  readonly seen: string
  /** What to change, where something should be. */
  readonly remedy?: string
}
