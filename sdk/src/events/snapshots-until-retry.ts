import type { ApiError } from '../errors.ts'
import { sleep, type Timing } from '../transport/timing.ts'

/** Time between two snapshots: short enough to look live, and long enough not to burden a busy gateway. */
const SNAPSHOT_EVERY_MS = 2000
/** Time before the next request for a stream, unless `Retry-After` is longer. */
const STREAM_PAUSE_MS = 5000

export interface SnapshotReading<Snapshot> {
  /** The refusal with `STREAM_LIMIT`. */
  readonly refusal: ApiError
  readonly read: (signal: AbortSignal) => PromiseLike<Snapshot>
  readonly timing: Timing
  readonly signal: AbortSignal
}

/** Snapshots while no stream is free: one immediately, then every two seconds, until the next request for a stream. */
export async function* snapshotsUntilRetry<Snapshot>({
  refusal,
  read,
  timing,
  signal,
}: SnapshotReading<Snapshot>): AsyncGenerator<Snapshot, void, undefined> {
  const untilMs = timing.elapsed() + Math.max(refusal.retryAfterMs ?? 0, STREAM_PAUSE_MS)
  while (timing.elapsed() < untilMs) {
    yield await read(signal)
    await sleep(timing, SNAPSHOT_EVERY_MS, signal)
  }
}
