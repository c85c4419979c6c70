import type { Client } from 'pg'
import { DatabaseUnavailable } from '../db.ts'

/** One connection. */
export interface Lane {
  readonly client: Client
  /** Why the connection broke; null while it holds. */
  readonly fault: Error | null
  /** Closes a connection whose session is in a state that nobody else should meet. */
  discard(): void
}

export interface Lanes {
  /** Runs `use` on a connection that other single statements share, one behind the other on the wire. */
  share<T>(use: (lane: Lane) => Promise<T>): Promise<T>
  /** Runs `use` on a connection that nobody else uses until it ends. */
  take<T>(use: (lane: Lane) => Promise<T>): Promise<T>
  /** Lets what has begun end, then closes every connection. What comes later is rejected. */
  close(): Promise<void>
}

export interface LanesOptions {
  /** Connections at most. One is opened when all open ones are busy, and stays. */
  readonly size: number
  /** How many of them may be taken at once. */
  readonly takenAtMost: number
  /** A client in pipeline mode, not connected yet. */
  readonly createClient: () => Client
  /** Statements that run first on every new connection. */
  readonly setup: string
}

interface OpenLane extends Lane {
  fault: Error | null
  inUse: number
  taken: boolean
}

interface Waiter {
  readonly exclusive: boolean
  readonly start: (lane: OpenLane) => void
}

/**
 * The connections of one process. A statement goes to the least busy connection, and where all are busy it is sent
 * behind those that it finds there instead of waiting for their answers: that saves a task switch for each on both
 * sides. A broken connection is forgotten at once and the next statement opens another, which is all the recovery
 * that a restarted server needs.
 *
 * `use` must send its first statement before it gives up control: so what was given a connection before a transaction
 * took it also stands before the transaction on the wire.
 */
export const createLanes = ({ size, takenAtMost, createClient, setup }: LanesOptions): Lanes => {
  const lanes = new Set<OpenLane>()
  const waiting: Waiter[] = []
  let taken = 0
  let inFlight = 0
  let closed = false
  const idle = Promise.withResolvers<void>()

  const openLane = (): OpenLane => {
    const client = createClient()
    const discard = (): void => {
      lanes.delete(lane)
      void client.end()
    }
    const lane: OpenLane = { client, fault: null, inUse: 0, taken: false, discard }
    const fail = (error: Error): void => {
      lane.fault ??= error
      lanes.delete(lane)
    }
    lanes.add(lane)
    client.on('error', fail).on('end', () => lanes.delete(lane))
    client.connect().catch(fail)
    client.query(setup).catch((error: Error) => {
      fail(error)
      discard()
    })
    return lane
  }

  const claim = (exclusive: boolean): OpenLane | null => {
    if (exclusive && taken >= takenAtMost) return null
    let best: OpenLane | null = null
    for (const lane of lanes) if (!lane.taken && (best === null || lane.inUse < best.inUse)) best = lane
    if ((best === null || best.inUse > 0) && lanes.size < size) best = openLane()
    if (best === null) return null
    best.inUse += 1
    if (exclusive) {
      best.taken = true
      taken += 1
    }
    return best
  }

  const release = (lane: OpenLane, exclusive: boolean): void => {
    lane.inUse -= 1
    if (exclusive) {
      lane.taken = false
      taken -= 1
    }
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const free = claim(next.exclusive)
      if (free === null) break
      waiting.shift()
      next.start(free)
    }
  }

  const run = async <T>(exclusive: boolean, use: (lane: Lane) => Promise<T>): Promise<T> => {
    if (closed) throw new DatabaseUnavailable('the database is closed')
    inFlight += 1
    let lane = claim(exclusive)
    try {
      if (lane !== null) return await use(lane)
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const start = (free: OpenLane): void => {
        lane = free
        use(free).then(resolve, reject)
      }
      waiting.push({ exclusive, start })
      return await promise
    } finally {
      if (lane !== null) release(lane, exclusive)
      inFlight -= 1
      if (closed && inFlight === 0) idle.resolve()
    }
  }

  return {
    share: (use) => run(false, use),
    take: (use) => run(true, use),
    close: async () => {
      closed = true
      if (inFlight === 0) idle.resolve()
      await idle.promise
      await Promise.all([...lanes].map(({ client }) => client.end()))
    },
  }
}
