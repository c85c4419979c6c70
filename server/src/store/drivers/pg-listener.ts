import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db.ts'
import { toStoreError } from './database-errors.ts'

export interface PgListenerOptions {
  /** A client, not connected yet. */
  readonly createClient: () => Client
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
export const createPgListener = ({ createClient, log }: PgListenerOptions): PgListener => {
  const subscriptions = new Set<Subscription>()
  const closing = new AbortController()
  let connection: Promise<Client> | null = null

  const connect = async (): Promise<Client> => {
    const client = createClient()
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    let fault: Error | null = null
    client.on('error', (error) => {
      fault = error
    })
    client.on('notification', ({ channel, payload }) => {
      for (const to of subscriptions) if (to.channel === channel) to.onMessage(payload ?? '')
    })
    try {
      await client.connect()
      for (const channel of new Set([...subscriptions].map((to) => to.channel))) await listenOn(client, channel)
    } catch (error) {
      void client.end()
      throw toStoreError(error, fault)
    }
    void ended.then(() => {
      connection = null
      if (closing.signal.aborted) return
      log?.warn({ err: fault }, 'the connection that listens for notifications broke')
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
        throw toStoreError(error)
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
