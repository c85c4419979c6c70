import type { Db } from '../store/db.ts'
import { DatabaseUnavailable, LockTimeout } from '../store/db.ts'
import { randomShard } from '../store/pending-runs.ts'
import { announce } from './announce.ts'
import type { Outcome, PerformedUnit, UnitOptions } from './batch.ts'
import { keyOf, performUnit } from './batch.ts'
import type { Asked, Change, WriterContext } from './change.ts'
import type { SlotKeeper } from './starts.ts'
import { createUnitStarts } from './starts.ts'

/** All changes of conversations go through this writer. */
export interface Writer {
  /**
   * Carries out a change, with whatever else waits to be carried out; null where the conversation does not exist. Resolves
   * once it is committed. @throws {DatabaseUnavailable} as a transaction of its own would.
   */
  write<Result>(context: WriterContext, change: Change<Result>): Promise<Result | null>
}

/** Units that wait for a conversation which somebody else has locked, or carry out one change alone. */
const SINGLE_UNITS_AT_ONCE = 6
/** Most that one unit takes on. */
const CHANGES_OF_UNIT = 64
const BYTES_OF_UNIT = 1024 * 1024
/** What a change writes beside its texts, about. */
const BYTES_OF_CHANGE = 1024
/** Changes that wait; one more is rejected. */
const WAITING_AT_MOST = 4000

interface Entry extends Asked {
  readonly key: string
  /**
   * `together`: in a batch with changes of other conversations. `patient`: in a unit that waits for the lock of its conversation,
   * with other changes of that one. `alone`: in a unit of its own, after a batch failed.
   */
  mode: 'together' | 'patient' | 'alone'
  readonly settle: (outcome: Outcome) => void
  readonly fail: (error: unknown) => void
}

/** Whether what failed is worth doing again one by one: it failed for one of them, or because it did not wait for a lock. */
const mayGoOnAlone = (error: unknown, unit: readonly Entry[], { waits }: UnitOptions): boolean => {
  if (error instanceof LockTimeout) return !waits
  return unit.length > 1 && !(error instanceof DatabaseUnavailable)
}

/** Sends COMMIT without waiting for the answer to the write. A unit that waits for locks does wait: it may have to be restarted. */
const commit = async (
  db: Db,
  unit: readonly Asked[],
  options: UnitOptions,
): Promise<PerformedUnit & { readonly deliveries: number }> => {
  const performed: PerformedUnit[] = []
  try {
    const last = await db.transaction(
      async (tx) => {
        const done = await performUnit(tx, unit, options)
        performed.push(done)
        if (options.waits) await done.written
        return done
      },
      { isPatient: options.waits },
    )
    return { ...last, deliveries: await last.written }
  } catch (error) {
    // The database says why it rolled back in answer to what was written, not to the commit.
    if (!(error instanceof DatabaseUnavailable)) await performed.at(-1)?.written
    throw error
  }
}

/**
 * A change starts at once if no unit of work is running; changes that come during one form the next batch. There is no timer.
 * A batch skips conversations that another process has locked: each of them is retried in a unit that waits for its lock.
 * The changes of a batch that failed are retried one by one, so that one faulty change fails no other.
 */
export const createWriter = (db: Db, keeper: SlotKeeper | null = null): Writer => {
  let waiting: Entry[] = []
  /** Conversations that a unit under way is about: one at a time, so that none waits for another one of this process. */
  const busy = new Set<string>()
  /**
   * The free counter shards; each running batch uses one. Two batches may overlap: one commits while the next reads and decides.
   * The embedded database has one connection.
   */
  const shards = db.kind === 'embedded' ? [randomShard()] : [randomShard(), randomShard()]
  let singles = 0
  let isScheduled = false

  /** Takes from the queue what goes out next; an empty list when nothing can now. */
  const takeUnit = (): Entry[] => {
    const unit: Entry[] = []
    const left: Entry[] = []
    const passed = new Set<string>()
    let bytes = 0
    for (const entry of waiting) {
      const size = BYTES_OF_CHANGE + (entry.change.bytes ?? 0)
      const fits = unit.length < CHANGES_OF_UNIT && (unit.length === 0 || bytes + size <= BYTES_OF_UNIT)
      if (entry.mode === 'together' && fits && !busy.has(entry.key) && !passed.has(entry.key)) {
        unit.push(entry)
        bytes += size
      } else {
        // What comes later for the same conversation stays behind it.
        passed.add(entry.key)
        left.push(entry)
      }
    }
    waiting = left
    return unit
  }

  /** The first change that is not for a batch; if it is `patient`, with the other patient ones of its conversation. */
  const takeSingle = (): Entry[] => {
    const first = waiting.find(({ mode, key }) => mode !== 'together' && !busy.has(key))
    if (first === undefined) return []
    const unit =
      first.mode === 'alone' ? [first] : waiting.filter(({ key, mode }) => key === first.key && mode === 'patient')
    const taken = new Set(unit.slice(0, CHANGES_OF_UNIT))
    waiting = waiting.filter((entry) => !taken.has(entry))
    return [...taken]
  }

  const pump = (): void => {
    isScheduled = false
    while (singles < SINGLE_UNITS_AT_ONCE) {
      const unit = takeSingle()
      if (unit.length === 0) break
      singles += 1
      void carryOut(unit, { waits: true, shard: randomShard() }).finally(() => {
        singles -= 1
        schedule()
      })
    }
    for (let shard = shards.pop(); shard !== undefined; shard = shards.pop()) {
      const unit = takeUnit()
      const free = shard
      if (unit.length === 0) {
        shards.push(free)
        break
      }
      void carryOut(unit, { waits: false, shard }).finally(() => {
        shards.push(free)
        schedule()
      })
    }
  }

  /** What is asked for in one turn of the event loop goes out together. */
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(pump)
  }

  const putBack = (entries: readonly Entry[], mode: Entry['mode']): void => {
    for (const entry of entries) entry.mode = mode
    waiting = [...entries, ...waiting]
  }

  const carryOut = async (unit: readonly Entry[], place: Omit<UnitOptions, 'starts'>): Promise<void> => {
    const starts = keeper === null ? null : createUnitStarts(keeper)
    const options = { ...place, starts }
    for (const { key } of unit) busy.add(key)
    const unitDone = await commit(db, unit, options).catch((error: unknown) => {
      starts?.end(error instanceof DatabaseUnavailable ? error.outcome : 'none')
      if (mayGoOnAlone(error, unit, options)) putBack(unit, 'alone')
      else for (const entry of unit) entry.fail(error)
      return null
    })
    for (const { key } of unit) busy.delete(key)
    // A committed unit is never repeated, even if telling those who wait for it fails.
    if (unitDone === null) return
    const { outcomes, changed, deliveries } = unitDone
    const missed: Entry[] = []
    for (const [place, entry] of unit.entries()) {
      const outcome = outcomes[place] ?? 'missing'
      if (outcome === 'missing' && !options.waits) missed.push(entry)
      else entry.settle(outcome)
    }
    putBack(missed, 'patient')
    starts?.end('committed')
    announce(changed, deliveries)
  }

  return {
    write: <Result>(context: WriterContext, change: Change<Result>) =>
      new Promise<Result | null>((resolve, reject) => {
        if (waiting.length >= WAITING_AT_MOST)
          throw new DatabaseUnavailable(`more than ${WAITING_AT_MOST} changes wait for the database`)
        waiting.push({
          context,
          change,
          key: keyOf(change.conversation),
          mode: 'together',
          // What the change decides is its own result.
          settle: (outcome) => resolve(outcome === 'missing' ? null : (outcome.result as Result)),
          fail: reject,
        })
        schedule()
      }),
  }
}
