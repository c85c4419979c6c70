import { type FaultProxy, startFaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import { ADMIN_TOKEN, API_KEY, ENDPOINTS, startGateway } from '../support/gateway-process.ts'
import type { Fixture } from './context.ts'
import { type Harness, startHarness } from './harness.ts'

/** A proxy and a harness in front of the gateway for one runtime. */
export interface Stand {
  readonly proxy: FaultProxy
  readonly harness: Harness
  readonly fixture: Fixture
  close(): Promise<void>
}

/** The reference gateway as a process, for all runtimes. */
export interface Ground {
  /** @param name of the runtime; must be unique. */
  openStand(name: string): Promise<Stand>
  close(): Promise<void>
}

export const openGround = async (): Promise<Ground> => {
  const gateway = await startGateway()
  return {
    openStand: async (name) => {
      const proxy = await startFaultProxy({ target: gateway.origin })
      const harness = await startHarness(proxy)
      const fixture = {
        origin: proxy.origin,
        controlUrl: harness.controlUrl,
        apiKey: API_KEY,
        adminToken: ADMIN_TOKEN,
        appId: 'app_sdk',
        endpoints: ENDPOINTS,
        subject: `subject-${name}`,
      }
      const close = async (): Promise<void> => {
        await proxy.close()
        await harness.close()
      }
      return { proxy, harness, fixture, close }
    },
    close: () => gateway.remove(),
  }
}
