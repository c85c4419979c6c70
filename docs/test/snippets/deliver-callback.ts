import { createClient } from '@conversation-gateway/sdk'
import { createAdminClient } from '@conversation-gateway/sdk/admin'
import { type ReceiverProgram, withReceiver } from '../../../sdk/test/support/receiver-snippet.ts'

export interface DemoGateway {
  readonly origin: string
  readonly apiKey: string
  readonly adminToken: string
}

/** Runs the receiver on a port that the gateway may send to, and resolves when it has printed the text of a run. */
export const deliverCallback = (program: ReceiverProgram, port: number, gateway: DemoGateway): Promise<void> => {
  const { origin: baseUrl, apiKey, adminToken } = gateway
  const admin = createAdminClient({ baseUrl, adminToken })
  const client = createClient({ baseUrl, apiKey, subject: 'callbacks' })
  const secret = 'a secret that the operator chose'
  return withReceiver(program, { port, secret }, async ({ url, output }) => {
    const { callback_id } = await admin.callbacks.create({
      app_id: 'app_demo',
      endpoint_id: 'ep_demo_echo',
      url,
      events: ['run.completed'],
      secret,
    })
    const { run_id } = await client.ask({ endpoint_id: 'ep_demo_echo' }, 'All is well').run()
    while (!output().includes(`${run_id} All is well\n`)) await new Promise((resolve) => setTimeout(resolve, 50))
    await admin.callbacks.update(callback_id, { enabled: false })
  })
}
