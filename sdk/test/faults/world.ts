import type { FaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import { startFaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import { createClient, type GatewayClient, type Outbox } from '../../src/index.ts'
import { API_KEY, ENDPOINTS, type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import { createManualTiming, type ManualTiming } from '../support/manual-timing.ts'
import { createPlainGateway, type PlainGateway } from '../support/plain-gateway.ts'

/** A gateway process, a proxy in front of it, and a client that knows only the proxy. */
export interface World {
  readonly gateway: GatewayProcess
  readonly proxy: FaultProxy
  /** Waits only in the time that `timing` makes. */
  readonly client: GatewayClient
  readonly timing: ManualTiming
  /** The same with an outbox. */
  clientWith(outbox: Outbox): GatewayClient
  /** Direct access to the gateway, without proxy and client. */
  readonly plain: PlainGateway
  /** A conversation of the echo service. */
  createConversation(): Promise<string>
  close(): Promise<void>
}

const SUBJECT = 'subject-faults'
/** Shorter than any time-out of the client, so that it has time left for what it does then. */
const STEP_MS = 5_000

export const openWorld = async (): Promise<World> => {
  const gateway = await startGateway()
  const proxy = await startFaultProxy({ target: gateway.origin })
  const timing = createManualTiming(0)
  const connect = (outbox?: Outbox): GatewayClient =>
    createClient({
      baseUrl: proxy.origin,
      apiKey: API_KEY,
      subject: SUBJECT,
      timing,
      outbox,
      onDecision: (decision) => {
        // The wait begins after it has been told; exactly that long it lasts.
        if ('delayMs' in decision) setImmediate(() => timing.advance(decision.delayMs))
      },
    })
  const client = connect()
  return {
    gateway,
    proxy,
    client,
    timing,
    clientWith: connect,
    plain: createPlainGateway(() => gateway.origin, SUBJECT),
    createConversation: async () => {
      const { conversation_id } = await client.conversations.create({ endpoint_id: ENDPOINTS.echo })
      return conversation_id
    },
    close: async () => {
      await proxy.close()
      await gateway.remove()
    },
  }
}

/** Lets time pass whenever a connection has fallen silent, until the client has left it, for as long as `work` goes on. */
export const passingSilences = async <T>(
  { proxy, timing }: Pick<World, 'proxy' | 'timing'>,
  work: Promise<T>,
): Promise<T> => {
  let isOver = false
  const done = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    if (proxy.exchanges().some(({ isSilent, ending }) => isSilent && ending === null)) timing.advance(STEP_MS)
    await Promise.race([done.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 5))])
  }
  return done
}
