import { type FaultProxy, startFaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import { createClient, type GatewayClient, type Outbox } from '../../src/index.ts'
import { API_KEY, ENDPOINTS, type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import { createManualTiming, type ManualTiming } from '../support/manual-timing.ts'
import { createPlainGateway, type PlainGateway } from '../support/plain-gateway.ts'

/** A gateway process, a proxy in front of it, and a client that knows only the proxy. */
export interface World {
  readonly gateway: GatewayProcess
  readonly proxy: FaultProxy
  /** Its timers run on `timing`. */
  readonly client: GatewayClient
  readonly timing: ManualTiming
  /** Creates another client like `client`, with this outbox. */
  clientWith(outbox: Outbox): GatewayClient
  /** Direct access to the gateway, without proxy and client. */
  readonly plain: PlainGateway
  /** A conversation of the echo service. */
  createConversation(): Promise<string>
  close(): Promise<void>
}

const SUBJECT = 'subject-faults'
/** Shorter than any timeout of the client, so that time is left for its next attempt. */
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
        // The client starts its wait after it has reported the decision. Then the clock advances by exactly this wait.
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

/**
 * Until `work` is done, advances the clock while a silent connection is open, so that the client times out and closes
 * it.
 */
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
