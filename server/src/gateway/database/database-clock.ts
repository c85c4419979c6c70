import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Logger } from 'pino'
import type { ClockSample } from '../../domain/followed-clock.ts'
import { createFollowedClock } from '../../domain/followed-clock.ts'
import { oneAtATime } from '../../runtime/one-at-a-time.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Db } from '../../store/db.ts'
import { readDatabaseTime } from '../../store/maintenance/database-time.ts'

/** The clock that all processes of one gateway share: that of their database. */
export interface DatabaseClock {
  readonly clock: Clock
  /** How far this machine's clock is ahead of the database's, in seconds. */
  offsetSeconds(): number
  stop(): void
}

export interface DatabaseClockOptions {
  readonly db: Db
  readonly timers: Timers
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** This machine's clock. Default: the system's. */
  readonly machineClock?: Clock
}

/** Interval between reads of the database's clock, in milliseconds. */
const EVERY_MS = 5000
/** The first read takes the best of several samples, because later ones correct it only slowly. */
const FIRST_SAMPLES = 5
/** The smallest difference between the clocks that is logged. */
const REPORTED_SECONDS = 1

/** Reads the database's clock, and follows it from then on. Rejects if the database is unavailable. */
export const followDatabaseClock = async ({
  db,
  timers,
  log,
  machineClock = systemClock,
}: DatabaseClockOptions): Promise<DatabaseClock> => {
  let offset = 0
  let isReported = false

  const compare = ({ atMs, timeMs }: ClockSample): void => {
    const machineMs = machineClock.now().getTime() - (performance.now() - atMs)
    offset = (machineMs - timeMs) / 1000
    const isFar = Math.abs(offset) > REPORTED_SECONDS
    if (isFar && !isReported) log.warn({ clock_offset_seconds: offset }, FAR_APART)
    if (!isFar && isReported)
      log.info({ clock_offset_seconds: offset }, 'the clock of this machine agrees with that of the database again')
    isReported = isFar
  }

  let best = await readDatabaseTime(db)
  for (let n = 1; n < FIRST_SAMPLES; n += 1) {
    const sample = await readDatabaseTime(db)
    if (sample.uncertaintyMs < best.uncertaintyMs) best = sample
  }
  compare(best)
  const clock = createFollowedClock(best, () => performance.now())

  // Database failures are reported elsewhere; the clock continues.
  const update = oneAtATime(
    async () => {
      const sample = await readDatabaseTime(db)
      compare(sample)
      clock.follow(sample)
    },
    () => {},
  )
  return {
    clock,
    offsetSeconds: () => offset,
    stop: timers.every(EVERY_MS, () => void update()),
  }
}

const FAR_APART =
  'the clock of this machine is not that of the database; deadlines follow the database, logs and certificates this machine: synchronise both (NTP)'
