import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Connection } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db.ts'
import { toStoreError } from './database-errors.ts'

export interface PgListenerOptions {
  /** Opens a ready connection. */
  readonly connect: () => Promise<Client>
  /** The connection is replaced at this age, in milliseconds, so that it follows the others to another server. */
  readonly maxAgeMs: number
  readonly heartbeat: Heartbeat
  readonly log: Pick<Logger, 'info' | 'warn'> | undefined
}

/**
 * The connection notifies itself and waits for the notification. This detects a dead network connection, and a pooler
 * that has dropped its LISTEN and would still answer statements.
 */
export interface Heartbeat {
  /** Interval between heartbeats, in milliseconds. */
  readonly everyMs: number
  /** Timeout of a notification, after which the connection is treated as lost. */
  readonly deadlineMs: number
}

export interface PgListener extends Pick<Db, 'listen' | 'lostListeners'> {
  close(): Promise<void>
}

interface Subscription {
  readonly channel: string
  readonly onMessage: (payload: string) => void
  readonly onLost: () => void
}

const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 2000

/** One connection that waits for notifications: opened with the first subscription, and again whenever it breaks. */
export const createPgListener = ({ connect: openClient, maxAgeMs, heartbeat, log }: PgListenerOptions): PgListener => {
  const subscriptions = new Set<Subscription>()
  const closing = new AbortController()
  let connection: Promise<Client> | null = null
  let losses = 0

  const connect = async (): Promise<Client> => {
    const client = await openClient()
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    let fault: Error | null = null
    client.on('error', (error) => {
      fault = error
    })
    const beat = createBeat(client, heartbeat)
    client.on('notification', ({ channel, payload }) => {
      if (channel === beat.channel) return beat.arrived()
      for (const to of subscriptions) if (to.channel === channel) to.onMessage(payload ?? '')
    })
    try {
      // The server serialises NOTIFY commits, which can exceed the lock timeout under load; use the heartbeat's
      // deadline instead.
      await client.query('set lock_timeout to 0')
      for (const channel of new Set([beat.channel, ...[...subscriptions].map((to) => to.channel)]))
        await listenOn(client, channel)
    } catch (error) {
      void breakOff(client)
      throw toStoreError(error, { fault, commits: false })
    }
    let isOld = false
    const ageing = setTimeout(() => {
      isOld = true
      void breakOff(client)
    }, maxAgeMs).unref()
    beat.start((error) => {
      fault ??= error
      void breakOff(client)
    })
    void ended.then(() => {
      beat.stop()
      clearTimeout(ageing)
      connection = null
      if (closing.signal.aborted) return
      if (!isOld) {
        losses += 1
        log?.warn({ err: fault }, 'the connection that listens for notifications broke')
      }
      void restore()
    })
    return client
  }

  const connected = (): Promise<Client> => {
    connection ??= connect().catch((error: unknown) => {
      connection = null
      throw error
    })
    return connection
  }

  const restore = async (): Promise<void> => {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
      await sleep(delayMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      const restored = await connected().then(
        () => true,
        () => false,
      )
      if (restored) break
    }
    log?.info('listening for notifications again')
    for (const { onLost } of subscriptions) onLost()
  }

  return {
    listen: async (channel, onMessage, onLost) => {
      const subscription: Subscription = { channel, onMessage, onLost }
      subscriptions.add(subscription)
      try {
        await listenOn(await connected(), channel)
      } catch (error) {
        subscriptions.delete(subscription)
        throw toStoreError(error, { fault: null, commits: false })
      }
      return {
        close: async () => {
          subscriptions.delete(subscription)
        },
      }
    },
    close: async () => {
      closing.abort()
      subscriptions.clear()
      const client = await connection?.catch(() => null)
      if (client) await breakOff(client)
    },
    lostListeners: () => losses,
  }
}

/** Closes a connection at once; a clean shutdown could wait forever for the other side. */
const breakOff = async (client: Client): Promise<void> => {
  const { stream } = Reflect.get(client, 'connection') as Connection
  const ended = client.end()
  stream.destroy()
  await ended
}

const createBeat = (client: Client, { everyMs, deadlineMs }: Heartbeat) => {
  // The server delivers a notification to every listening session, so each has its own heartbeat channel.
  const channel = `heartbeat_${randomUUID()}`
  let timer: NodeJS.Timeout | undefined
  let next = (): void => {}
  return {
    channel,
    arrived: (): void => next(),
    start: (onLost: (error: Error) => void): void => {
      const send = (): void => {
        timer = setTimeout(() => onLost(new Error(`no notification arrived within ${deadlineMs} ms`)), deadlineMs)
        client.query({ text: 'select pg_notify($1, null)', values: [channel] }).catch(onLost)
      }
      next = () => {
        clearTimeout(timer)
        timer = setTimeout(send, everyMs)
        timer.unref()
      }
      next()
    },
    stop: (): void => {
      next = () => {}
      clearTimeout(timer)
    },
  }
}

const listenOn = async (client: Client, channel: string): Promise<void> => {
  await client.query(`listen ${client.escapeIdentifier(channel)}`)
}
