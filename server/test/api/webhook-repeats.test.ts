import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSweeps } from '../../src/gateway/retention.ts'
import { ended, script } from '../support/client.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, question, refusalOf } from '../support/webhook-sender.ts'

onGateways('an incoming webhook', (running) => {
  const subject = () => running.client({ subject: 'order-system' })

  test('repeated under its webhook-id gets the original answer, and nothing happens again [HOOK-30, HOOK-54, HOOK-58, SIG-18]', async () => {
    const integration = await createIntegration(running)
    const event = question()
    const id = randomUUID()
    const first = await deliver(running, integration, event, { id })
    const before = await countRows(running.gateway.context.db)
    running.clock.pass(20_000)
    await ended(subject(), first.body.run_id)
    const again = await deliver(running, integration, event, { id })
    expect([again.status, again.body]).toEqual([202, first.body])
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    const after = await countRows(running.gateway.context.db)
    expect([after.messages >= before.messages, after.runs, after.idempotency]).toEqual([
      true,
      before.runs,
      before.idempotency,
    ])
  })

  test('with another body under the same webhook-id is a conflict, even if it means the same [ERR-36, HOOK-31, HOOK-41, HOOK-54, SIG-19]', async () => {
    const integration = await createIntegration(running)
    const event = question()
    const id = randomUUID()
    expect((await deliver(running, integration, event, { id })).status).toBe(202)
    for (const other of [question('another'), JSON.stringify(event, null, 1), `${JSON.stringify(event)}\n`])
      expect(refusalOf(await deliver(running, integration, other, { id }))).toEqual([409, 'WEBHOOK_CONFLICT'])
  })

  test('of 50 equal deliveries at once is admitted once, and all get the one answer [HOOK-30, HOOK-54]', async () => {
    const configurations = [{}, { action: 'new' }, { action: 'cancel', run_id_field: 'run' }]
    for (const configuration of configurations) {
      const integration = await createIntegration(running, configuration)
      const { conversation_id } = (await subject().createConversation()).body
      const { run_id: run } = (await subject().send(conversation_id, script({ hang: true }))).body
      const event = { ...question(), run }
      const id = randomUUID()
      const before = await countRows(running.gateway.context.db)
      const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(running, integration, event, { id })))
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
      expect(answers[0]?.status).toBe(202)
      expect(answers.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
      const after = await countRows(running.gateway.context.db)
      const admitted = 'run_id_field' in configuration ? 0 : 1
      expect([after.runs - before.runs, after.idempotency - before.idempotency]).toEqual([admitted, 1])
      await subject().cancel(run)
    }
  })

  test('is remembered for its integration alone, whatever is changed of it, for 7 days [HOOK-55, HOOK-56, HOOK-57]', async () => {
    const [one, two] = [await createIntegration(running), await createIntegration(running)]
    const id = randomUUID()
    const event = question()
    const first = await deliver(running, one, event, { id })
    const elsewhere = await deliver(running, two, event, { id })
    expect(elsewhere.status).toBe(202)
    expect(elsewhere.body.run_id).not.toBe(first.body.run_id)
    const path = `/admin/v1/webhooks/${one.integration_id}`
    const changes = { subject: 'somebody-else', event_types: ['other'], action: 'new' }
    expect((await running.operator.request('PATCH', path, { body: changes })).status).toBe(200)
    expect((await deliver(running, one, event, { id })).body).toEqual(first.body)
    expect(refusalOf(await deliver(running, one, question('x'), { id }))).toEqual([409, 'WEBHOOK_CONFLICT'])

    const sweep = async () => {
      for (const each of createSweeps(running.gateway.context)) await each.run(new AbortController().signal)
    }
    running.clock.pass(7 * 24 * 3_600_000 - 60_000)
    await sweep()
    expect((await deliver(running, two, event, { id })).headers.get('idempotency-replayed')).toBe('true')
    running.clock.pass(120_000)
    await sweep()
    await expect.poll(async () => (await deliver(running, two, event, { id })).status).toBe(202)
    expect((await deliver(running, two, event, { id })).body.run_id).not.toBe(elsewhere.body.run_id)
  })

  test('that was refused leaves its webhook-id unused [HOOK-55]', async () => {
    const integration = await createIntegration(running)
    const id = randomUUID()
    expect((await deliver(running, integration, { type: 'order.question' }, { id })).status).toBe(400)
    expect((await deliver(running, integration, { ...question(), type: 'other' }, { id })).status).toBe(403)
    expect((await deliver(running, integration, question(), { id })).status).toBe(202)
  })
})
