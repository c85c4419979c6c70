import type { Tx } from '../db.ts'
import { type BatchRows, type EventRow, NOW, TABLES } from './tables.ts'

const NAMES = Object.keys(TABLES) as (keyof BatchRows)[]
const WITH_TIME: ReadonlySet<keyof BatchRows> = new Set(
  NAMES.filter((name) => TABLES[name].statement.text.includes(NOW)),
)

export const noRows = (): BatchRows => ({
  conversations: [],
  newRuns: [],
  runs: [],
  replyStarts: [],
  ready: [],
  messages: [],
  replies: [],
  events: [],
  outgoing: [],
  operations: [],
  approvals: [],
  withdrawn: [],
  resourceUses: [],
  records: [],
  pending: [],
})

/** Event payloads are inserted in wire format, without being serialised again. */
const eventJson = ({ payload, ...event }: EventRow): string =>
  `${JSON.stringify(event).slice(0, -1)},"payload":${payload}}`

const jsonOf = (name: keyof BatchRows, rows: BatchRows): string =>
  name === 'events' || name === 'outgoing' ? `[${rows[name].map(eventJson).join()}]` : JSON.stringify(rows[name])

/**
 * Writes the rows of a batch in one round trip, one statement for each non-empty list; returns the number of callbacks
 * to deliver (D-40).
 * @throws {UniqueViolation} `idempotency_pkey` if a key was used.
 */
export const writeRows = async (tx: Tx, rows: BatchRows, now: Date): Promise<number> => {
  const writes = NAMES.filter((name) => rows[name].length > 0).map((name) => {
    const list = jsonOf(name, rows)
    return { statement: TABLES[name].statement, params: WITH_TIME.has(name) ? [list, now] : [list] }
  })
  // Serialise all lists before sending any, so that a serialisation error does not leave half of a batch.
  const written = writes.map(({ statement, params }) => tx.query(statement, params))
  // Only the statement of deliveries returns rows.
  return (await Promise.all(written)).flat().length
}
