import type { ReadAtPace } from '../gateway/access/pace-reads.ts'
import type { InTurn } from '../gateway/access/take-turns.ts'

/** What an application waits for beside others, once its request has been read. */
export interface TurnsContext {
  readonly inTurn: InTurn
  /** Null where whoever reads much holds up nobody. */
  readonly readAtPace: ReadAtPace | null
}

/** Answers above this size are those of large reads. */
const LARGE_ANSWER_BYTES = 64 * 1024

/** The turns of an operation's requests. What only reads also waits behind what its application has read. */
export const turnsOf = ({ inTurn, readAtPace }: TurnsContext, method: string): InTurn => {
  if (method !== 'GET' || readAtPace === null) return inTurn
  return (appId, perform) => readAtPace(appId, { perform: () => inTurn(appId, perform), isLarge: isLargeAnswer })
}

const isLargeAnswer = (outcome: unknown): boolean =>
  typeof outcome === 'object' &&
  outcome !== null &&
  'json' in outcome &&
  typeof outcome.json === 'string' &&
  outcome.json.length > LARGE_ANSWER_BYTES
