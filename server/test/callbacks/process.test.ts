import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SavedCallback } from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../support/bootstrap-file.ts'
import { createClient, ended } from '../support/client.ts'
import { startGateway } from '../support/gateway-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { untilHolds } from '../support/until-holds.ts'

const ADMIN_TOKEN = 'admin-token-of-a-process'

test('a process sends callbacks to the hosts and development targets of its settings, also after a restart, with a generated secret key [CB-11, CB-62, CONF-12, CONF-13, LIMIT-19]', {
  timeout: 120_000,
}, async () => {
  const [receiver, folder] = [await startReceiver(), await mkdtemp(join(tmpdir(), 'gateway-callbacks-'))]
  const settings = {
    GATEWAY_DATA_DIR: folder,
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    GATEWAY_ADMIN_TOKEN: ADMIN_TOKEN,
    SERVICE_GATEWAY_CALLBACK_HOSTS: 'orders.example.com',
    GATEWAY_CALLBACK_DEV_TARGETS: receiver.origin,
  }
  const runOnce = async (baseUrl: string): Promise<void> => {
    const client = createClient({ baseUrl, key: KEYS.all })
    const { body } = await client.createConversation({ endpoint_id: 'ep_echo' })
    await ended(client, (await client.send(body.conversation_id, { text: 'hello' })).body.run_id)
  }
  const first = await startGateway(settings)
  const operator = createClient({ baseUrl: first.baseUrl, key: ADMIN_TOKEN })
  const save = (url: string, enabled: boolean) =>
    operator.request<SavedCallback>('POST', '/admin/v1/callbacks', {
      body: { app_id: 'app_test', endpoint_id: 'ep_echo', url, events: ['run.completed'], enabled },
    })
  expect((await save('https://orders.example.com/events', false)).status).toBe(201)
  expect((await save('https://orders.example.com:8443/events', false)).status).toBe(400)
  expect((await save('https://other.example.com/events', false)).status).toBe(400)
  const { secret } = (await save(`${receiver.origin}/events`, true)).body
  await runOnce(first.baseUrl)
  await untilHolds(() => expect(receiver.at('/events')).toHaveLength(1))
  expect(await first.stop()).toBe(0)
  const second = await startGateway(settings)
  await runOnce(second.baseUrl)
  await untilHolds(() => expect(receiver.at('/events')).toHaveLength(2))
  expect(await second.stop()).toBe(0)
  for (const log of [first.log(), second.log()]) expect(log).not.toContain(secret)
  await receiver.close()
  await rm(folder, { recursive: true })
})
