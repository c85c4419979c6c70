/** A finding of the doctor, and the remedy. */
export interface Finding {
  /** `bad`: breaks clients. `notice`: works, and could be better. `unknown`: could not be examined. */
  readonly kind: 'good' | 'notice' | 'bad' | 'unknown'
  /** What was looked at. */
  readonly subject: string
  readonly seen: string
  /** What to change, where something should be. */
  readonly remedy?: string
}
