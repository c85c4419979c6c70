import type { Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'
import { createIntegration, deliver, pointersOf, question, refusalOf } from '../support/webhook-sender.ts'

onGateways('an incoming webhook', (running) => {
  const subject = () => running.client({ subject: 'order-system' })
  const attach = async (client: Client, contentType = 'text/plain') => {
    const declared = { filename: 'a', content_type: contentType, size: 5 }
    const { resource_id: id } = (await client.post<Resource>('/api/v1/resources', declared)).body
    await client.request('PUT', `/api/v1/resources/${id}/content`, { rawBody: 'hello' })
    return id
  }

  test('is refused at the place of each value of a wrong type or beyond a limit, and nothing is coerced [HOOK-43, HOOK-60, HOOK-16, HOOK-17, RES-19]', async () => {
    const integration = await createIntegration(running, {
      data_field: 'order.data',
      resource_ids_field: 'order.files',
    })
    const file = await attach(subject(), 'image/png')
    const cases: [change: object, pointers: string[]][] = [
      [{ customer: { message: 7 } }, ['/customer/message']],
      [{ customer: { message: ['x'] } }, ['/customer/message']],
      [{ customer: { message: 'x'.repeat(65_537) } }, ['/customer/message']],
      [{ customer: 'x' }, ['/customer']],
      [{ customer: [{ message: 'x' }] }, ['/customer']],
      [{ order: { id: 7 } }, ['/order/id']],
      [{ order: { id: '' } }, ['/order/id']],
      [{ order: { id: ' x' } }, ['/order/id']],
      [{ order: { id: 'x'.repeat(257) } }, ['/order/id']],
      [{ order: {} }, ['/order/id']],
      [{ order: { id: null } }, ['/order/id']],
      [{ order: { id: 'a', data: [] } }, ['/order/data']],
      [{ order: { id: 'a', data: 'x' } }, ['/order/data']],
      [{ order: { id: 'a', files: 'res_1' } }, ['/order/files']],
      [{ order: { id: 'a', files: [7] } }, ['/order/files/0']],
      [{ order: { id: 'a', files: ['r', 'r'] } }, ['/order/files/1']],
      [{ order: { id: 'a', files: ['1', '2', '3', '4', '5', '6'] } }, ['/order/files']],
      [{ order: { id: 'a', files: ['res_nobody', file] } }, ['/order/files/0', '/order/files/1']],
    ]
    for (const [change, pointers] of cases) {
      const answer = await deliver(running, integration, { ...question(), ...change })
      expect([change, ...refusalOf(answer), [...new Set(pointersOf(answer))]]).toEqual([
        change,
        400,
        'INVALID_REQUEST',
        pointers,
      ])
    }
  })
})
