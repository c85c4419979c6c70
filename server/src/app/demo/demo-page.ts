import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { applyBootstrap } from '../../gateway/bootstrap/bootstrap.ts'
import { DEMO } from '../../gateway/bootstrap/demo.ts'
import type { GatewayContext } from '../../gateway/context.ts'
import type { DemoPage } from '../../http/site/demo.ts'
import type { Demo } from './demo.ts'

/** The exports of `backend.ts` of a chat example. */
interface ChatExample {
  readonly createChat: (options: { baseUrl: string; apiKey: string; endpointId: string }) => DemoPage
}

/**
 * Publishes the assistant of a chat example for the demo application, and loads the backend that serves its page.
 * @param folder contains `assistant.js` and `backend.ts`.
 * @returns null if the demo's key is unknown, if TLS is on (the page would have to trust the certificate), or if the
 *   example cannot be loaded.
 */
export const openDemoPage = async (
  context: GatewayContext,
  { key }: Demo,
  { folder, baseUrl, log }: { readonly folder: string; readonly baseUrl: string; readonly log: Logger },
): Promise<DemoPage | null> => {
  if (key === null || !baseUrl.startsWith('http:')) return null
  try {
    const { createChat } = (await import(pathToFileURL(join(folder, 'backend.ts')).href)) as ChatExample
    const { faults } = await applyBootstrap(context, {
      endpoints: [
        {
          endpoint_id: DEMO.chatEndpointId,
          app_id: DEMO.appId,
          device_id: DEMO.deviceId,
          name: 'Chat',
          assistant: { type: 'module', path: join(folder, 'assistant.js') },
        },
      ],
    })
    if (faults.length > 0) throw new Error(faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; '))
    return createChat({ baseUrl, apiKey: key, endpointId: DEMO.chatEndpointId })
  } catch (error) {
    log.warn({ err: error }, 'the demo page is not served')
    return null
  }
}
