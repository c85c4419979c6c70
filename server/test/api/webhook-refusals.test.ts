import { expect, test } from 'vitest'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, question, refusalOf } from '../support/webhook-sender.ts'

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

  test.each([
    { contentType: 'no type' },
    { contentType: 'application/json; charset=latin1' },
    { headers: { 'content-encoding': 'gzip' } },
  ])('is not read when it is not JSON in UTF-8: %j [HOOK-46]', async (options) => {
    const integration = await createIntegration(running)
    const answer = await deliver(running, integration, question(), options)
    expect(refusalOf(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test.each([['{}\ufeff'], [Buffer.from([0x7b, 0xff, 0x7d])]])(
    'is refused when it is signed but not JSON: %j [HOOK-47]',
    async (event) => {
      const integration = await createIntegration(running)
      expect(refusalOf(await deliver(running, integration, event))).toEqual([400, 'INVALID_REQUEST'])
    },
  )
})
