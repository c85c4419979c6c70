import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@conversation-gateway/sdk'
import { createAdminClient } from '@conversation-gateway/sdk/admin'
import { type GatewayProcess, startGateway } from '../../../sdk/test/support/gateway-process.ts'
import { freePort } from '../../../sdk/test/support/receiver-snippet.ts'
import { type Receiver, startReceiver, status } from '../../test/support/receiver.ts'

/** A gateway with applications, devices, a receiver of callbacks and traffic, for the console to show. */

export const ADMIN_TOKEN = 'admin-token-of-the-tests-of-the-console'
const API_KEY = `gk_shop_${'console'.padEnd(43, 'x')}`
export const APP = 'app_shop'
export const SERVICES = { assistant: 'ep_order_help', triage: 'ep_triage' } as const
export const DEVICES = { main: 'dev_frankfurt', other: 'dev_dublin' } as const
/** The receiver accepts deliveries to `orders`, and refuses those to `ledger` until a test changes its answer. */
export const CALLBACKS = { orders: 'cb_orders', ledger: 'cb_ledger' } as const

const BOOTSTRAP = {
  apps: [
    {
      app_id: APP,
      owner_id: 'owner_retail',
      name: 'Web shop',
      keys: [{ key: API_KEY, scopes: ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] }],
    },
    { app_id: 'app_backoffice', owner_id: 'owner_retail', name: 'Back office' },
  ],
  devices: [
    { device_id: DEVICES.main, name: 'Frankfurt' },
    { device_id: DEVICES.other, name: 'Dublin' },
  ],
  endpoints: [
    { endpoint_id: SERVICES.assistant, app_id: APP, device_id: DEVICES.main, assistant: { type: 'script' } },
    { endpoint_id: SERVICES.triage, app_id: APP, device_id: DEVICES.other, assistant: { type: 'script' } },
  ],
}

export type Stage = Awaited<ReturnType<typeof openStage>>

export const openStage = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'console-stage-'))
  const bootstrap = join(folder, 'bootstrap.json')
  await writeFile(bootstrap, JSON.stringify(BOOTSTRAP))
  const receiver: Receiver = await startReceiver()
  const gateway: GatewayProcess = await startGateway({
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    GATEWAY_BOOTSTRAP: bootstrap,
    GATEWAY_CALLBACK_DEV_TARGETS: receiver.origin,
    // A fixed port, because the gateway is restarted while a page with this address is open.
    GATEWAY_PORT: String(await freePort()),
  })
  const admin = createAdminClient({ baseUrl: gateway.origin, adminToken: ADMIN_TOKEN })
  const client = createClient({ baseUrl: gateway.origin, apiKey: API_KEY, subject: 'customer-4711' })
  receiver.answer('/ledger', status(400, {}, 'unknown account'))
  for (const [callback_id, path] of [
    [CALLBACKS.orders, '/orders'],
    [CALLBACKS.ledger, '/ledger'],
  ] as const)
    await admin.callbacks.create({
      callback_id,
      app_id: APP,
      endpoint_id: SERVICES.assistant,
      url: `${receiver.origin}${path}`,
      events: callback_id === CALLBACKS.orders ? ['run.completed', 'run.failed', 'approval.required'] : ['run.failed'],
    })
  return {
    gateway,
    admin,
    client,
    receiver,
    close: async () => {
      await gateway.remove()
      await receiver.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Step = Readonly<Record<string, unknown>>

/** Starts a run of the script for a customer. @returns its ID */
export const startRun = async (
  { client }: Stage,
  script: readonly Step[],
  customer = 'customer-4711',
): Promise<string> => {
  const { run_id } = await client
    .forSubject(customer)
    .runs.create(SERVICES.assistant, { input: { text: 'Where is my order 2026-0815?', data: { script } } })
  return run_id
}

const ANSWER = 'Your order left our warehouse this morning and arrives tomorrow before noon.'.split(' ')

/** Simulates customers who send requests until the returned function is called. */
export const startTraffic = (stage: Stage, customers: number): (() => Promise<void>) => {
  let isOver = false
  const ask = async (customer: number): Promise<void> => {
    while (!isOver) {
      const pieces = ANSWER.flatMap((word) => [{ delta: `${word} ` }, { sleep_ms: 20 + 10 * (customer % 5) }])
      const id = await startRun(stage, pieces, `customer-${4000 + customer}`).catch(() => null)
      if (id === null) await new Promise((resolve) => setTimeout(resolve, 200))
      else
        for await (const _event of stage.client.forSubject(`customer-${4000 + customer}`).runs.events(id))
          if (isOver) break
    }
  }
  const asking = Array.from({ length: customers }, (_, customer) => ask(customer).catch(() => {}))
  return async () => {
    isOver = true
    await Promise.all(asking)
  }
}
