/** A finding of the doctor, and the remedy. */
export interface Finding {
  /** `bad`: breaks clients. `notice`: works but should be improved. `unknown`: could not be examined. */
  readonly kind: 'good' | 'notice' | 'bad' | 'unknown'
  /** The examined property. */
  readonly subject: string
  readonly seen: string
  /** The recommended change, if any. */
  readonly remedy?: string
}
