import { expect, test } from 'vitest'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, question } from '../support/webhook-sender.ts'

onGateways('an incoming webhook', (running) => {
  test('does the same work for an integration that does not exist as for a bad signature [HOOK-62]', async () => {
    const integration = await createIntegration(running)
    const { secrets } = running.gateway.context
    if (secrets === null) throw new Error('the gateway has a secret key')
    const { open } = secrets
    const opened: number[][] = []
    Object.assign(secrets, {
      open: (sealed: Uint8Array, context: string) => {
        opened.at(-1)?.push(sealed.byteLength)
        return open(sealed, context)
      },
    })
    try {
      const badly = { signature: `v1,${'0'.repeat(64)}` }
      for (const integration_id of [integration.integration_id, 'wh_nobody']) {
        opened.push([])
        await deliver(running, { ...integration, integration_id }, question(), badly)
      }
    } finally {
      Object.assign(secrets, { open })
    }
    expect(opened[0]).not.toEqual([])
    expect(opened[0]).toEqual(opened[1])
  })
})
