import { type FaultProxy, startFaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import { ADMIN_TOKEN, API_KEY, ENDPOINTS, startGateway } from '../support/gateway-process.ts'
import type { Fixture } from './context.ts'
import { type Harness, startHarness } from './harness.ts'

/** A proxy and a harness in front of the gateway for one runtime. */
export interface RuntimeSetup {
  readonly proxy: FaultProxy
  readonly harness: Harness
  readonly fixture: Fixture
  close(): Promise<void>
}

/** The reference gateway as a process, for all runtimes. */
export interface SharedGateway {
  /** @param name of the runtime; must be unique. */
  openSetup(name: string): Promise<RuntimeSetup>
  close(): Promise<void>
}

export const startSharedGateway = async (): Promise<SharedGateway> => {
  const gateway = await startGateway()
  return {
    openSetup: async (name) => {
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
