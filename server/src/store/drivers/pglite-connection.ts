import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Client } from 'pg'
import { DatabaseUnavailable } from '../db.ts'
import { rowTypes } from './row-types.ts'

/** First bytes of the protocol messages after which the engine answers: Sync and Query. */
const ENDS_ROUND_TRIP: ReadonlySet<number | undefined> = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)))

/** After one of these the engine is no server any more: the next call would never return. */
const LAST_WORDS: ReadonlySet<string> = new Set(['FATAL', 'PANIC'])

/**
 * A pg client on the embedded engine, by the adapter that PGlite brings: so both databases prepare, bind and read rows
 * in the same code, and the engine plans a statement once instead of at every call (a third of the time).
 * @param onBroken Called when the engine has broken down. What is still on its way is rejected without touching it.
 */
export const createPgliteClient = (pglite: PGlite, onBroken: () => void): Client =>
  new Client({ ...createPgConfig(inRoundTrips(pglite, onBroken)), types: rowTypes, pipeline: true })

/**
 * The adapter hands over each message of a statement by itself, the next one after the answer to the one before. Here
 * they enter the engine together, and one turn of the event loop later: the engine computes on this thread, and without
 * a pause between two statements a row of them keeps timers and sockets waiting for as long as it lasts.
 */
const inRoundTrips = (pglite: PGlite, onBroken: () => void): PGlite => {
  let messages: Uint8Array[] = []
  let isBroken = false
  const breakDown = (): void => {
    isBroken = true
    onBroken()
  }
  const execProtocolStream: PGlite['execProtocolStream'] = async (message, options) => {
    if (isBroken) throw new DatabaseUnavailable('the embedded database has broken down and is opened again')
    messages.push(message)
    if (!ENDS_ROUND_TRIP.has(message[0])) return []
    const roundTrip = Buffer.concat(messages)
    messages = []
    await nextTurn()
    try {
      const answers = await pglite.execProtocolStream(roundTrip, options)
      if (answers.some((answer) => 'severity' in answer && LAST_WORDS.has(String(answer.severity)))) breakDown()
      return answers
    } catch (cause) {
      breakDown()
      throw new Error('Connection terminated unexpectedly', { cause })
    }
  }
  return new Proxy(pglite, {
    get: (target, name) => (name === 'execProtocolStream' ? execProtocolStream : Reflect.get(target, name, target)),
  })
}
