import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db.ts'
import { toStoreError } from './database-errors.ts'

export interface PgListenerOptions {
  /** A connection that can be used at once. */
  readonly connect: () => Promise<Client>
  /** The connection is replaced at this age, in milliseconds, so that it follows the others to another server. */
  readonly maxAgeMs: number
  readonly log: Pick<Logger, 'info' | 'warn'> | undefined
}

export interface PgListener extends Pick<Db, 'listen'> {
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
export const createPgListener = ({ connect: openClient, maxAgeMs, log }: PgListenerOptions): PgListener => {
  const subscriptions = new Set<Subscription>()
  const closing = new AbortController()
  let connection: Promise<Client> | null = null

  const connect = async (): Promise<Client> => {
    const client = await openClient()
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    let fault: Error | null = null
    client.on('error', (error) => {
      fault = error
    })
    client.on('notification', ({ channel, payload }) => {
      for (const to of subscriptions) if (to.channel === channel) to.onMessage(payload ?? '')
    })
    try {
      for (const channel of new Set([...subscriptions].map((to) => to.channel))) await listenOn(client, channel)
    } catch (error) {
      void client.end()
      throw toStoreError(error, { fault, commits: false })
    }
    let isOld = false
    const ageing = setTimeout(() => {
      isOld = true
      void client.end()
    }, maxAgeMs).unref()
    void ended.then(() => {
      clearTimeout(ageing)
      connection = null
      if (closing.signal.aborted) return
      if (!isOld) log?.warn({ err: fault }, 'the connection that listens for notifications broke')
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
      await client?.end()
    },
  }
}

const listenOn = async (client: Client, channel: string): Promise<void> => {
  await client.query(`listen ${client.escapeIdentifier(channel)}`)
}
