import type { Snapshot } from '../generated/gateway.ts'

/** Default size of a snapshot's JSON, in bytes (D-14). */
export const SNAPSHOT_BUDGET_BYTES = 1024 * 1024

/** Most recent messages and runs that a snapshot holds (specification "Limits"). */
export const SNAPSHOT_MESSAGES = 200
export const SNAPSHOT_RUNS = 100

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Brings a snapshot under its budget: result bodies go first, oldest first (`result` null, `result_available` true),
 * then the oldest messages (D-14).
 */
export const fitSnapshot = (snapshot: Snapshot, budgetBytes: number): Snapshot => {
  let excess = bytesOf(snapshot) - budgetBytes
  if (excess <= 0) return snapshot
  const runs = snapshot.runs.map((run) => {
    if (excess <= 0 || run.result === null) return run
    excess -= bytesOf(run.result) - bytesOf(null)
    return { ...run, result: null }
  })
  const separator = 1
  let dropped = 0
  for (const message of snapshot.messages) {
    if (excess <= 0) break
    excess -= bytesOf(message) + separator
    dropped += 1
  }
  return { ...snapshot, messages: snapshot.messages.slice(dropped), runs }
}
