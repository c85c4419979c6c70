import type { Message, Snapshot } from '../../generated/gateway-closed.ts'
import type { Json } from './refusal.ts'

/** A snapshot whose messages are already encoded as JSON. */
export interface SnapshotParts extends Omit<Snapshot, 'messages'> {
  readonly messages: readonly Json<Message>[]
}

const encoder = new TextEncoder()
const byteLength = (text: string): number => encoder.encode(text).length
const bytesOf = (value: unknown): number => byteLength(JSON.stringify(value))
const SEPARATOR = 1

/**
 * Reduces a snapshot to its budget. First it drops the bodies of results, oldest first (`result` null,
 * `result_available` true), then the oldest messages (D-14).
 */
export const fitSnapshot = (snapshot: SnapshotParts, budgetBytes: number): SnapshotParts => {
  const { messages } = snapshot
  const sizes = messages.map((message) => byteLength(message) + SEPARATOR)
  let excess = bytesOf({ ...snapshot, messages: [] }) - budgetBytes
  for (const size of sizes) excess += size
  if (messages.length > 0) excess -= SEPARATOR
  if (excess <= 0) return snapshot
  const runs = snapshot.runs.map((run) => {
    if (excess <= 0 || run.result === null) return run
    excess -= bytesOf(run.result) - bytesOf(null)
    return { ...run, result: null }
  })
  let dropped = 0
  for (const size of sizes) {
    if (excess <= 0) break
    excess -= size
    dropped += 1
  }
  return { ...snapshot, messages: messages.slice(dropped), runs }
}

export const snapshotJson = ({ messages, ...snapshot }: SnapshotParts): Json<Snapshot> =>
  `${JSON.stringify(snapshot).slice(0, -1)},"messages":[${messages.join()}]}`
