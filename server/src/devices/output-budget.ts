import { storable } from '../domain/storable-text.ts'

/** The text of one run, bounded and made storable piece by piece. */
export interface OutputBudget {
  /** A piece of the streamed text; null when the run has put out too much. */
  piece(text: string): string | null
  /** What the last piece left over: half a character that never got its other half. */
  rest(): string
  /** A text that stands by itself; null when the run has put out too much. */
  whole(text: string): string | null
  /** Counts bytes that were made storable elsewhere; false when the run has put out too much. */
  spend(bytes: number): boolean
  /** The UTF-8 bytes of all that was put out. */
  spent(): number
}

const FIRST_HALF = /[\uD800-\uDBFF]$/

export const createOutputBudget = (limitBytes: number): OutputBudget => {
  let remaining = limitBytes
  let half = ''
  const spend = (bytes: number): boolean => {
    remaining -= bytes
    return remaining >= 0
  }
  const whole = (text: string): string | null => {
    const clean = storable(text)
    return spend(Buffer.byteLength(clean)) ? clean : null
  }
  return {
    piece: (text) => {
      const joined = half + text
      half = FIRST_HALF.exec(joined)?.[0] ?? ''
      return whole(half === '' ? joined : joined.slice(0, -1))
    },
    rest: () => storable(half),
    whole,
    spend,
    spent: () => limitBytes - remaining,
  }
}
