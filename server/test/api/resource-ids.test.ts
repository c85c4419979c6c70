import { expect, test } from 'vitest'
import type { Problem } from '../../src/generated/gateway.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways('resource IDs in an input', (running) => {
  test('that are unknown or repeated are refused, each at its place, and nothing is admitted [RES-02, RES-19, RES-22]', async () => {
    const client = running.client()
    const { conversation_id: id } = (await client.createConversation()).body
    const before = (await client.snapshot(id)).body
    const [one, two] = [`res_${'1'.repeat(32)}`, `res_${'2'.repeat(32)}`]
    const routes = [
      { path: `/api/v1/conversations/${id}/messages`, more: { expected_generation: 1 } },
      { path: '/api/v1/agent-endpoints/ep_script/runs', more: {} },
    ]
    const cases = [
      { ids: [one], pointers: ['/input/resource_ids/0'] },
      { ids: [one, two], pointers: ['/input/resource_ids/0', '/input/resource_ids/1'] },
      { ids: [one, one], pointers: ['/input/resource_ids/1'] },
    ]
    for (const { path, more } of routes)
      for (const { ids, pointers } of cases) {
        const answer = await client.post<Problem>(path, { ...more, input: { text: 'with files', resource_ids: ids } })
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
        expect(answer.body.errors?.map(({ pointer }) => pointer)).toEqual(pointers)
      }
    expect((await client.snapshot(id)).body).toEqual(before)
    const list = await client.request<{ conversations: unknown[] }>(
      'GET',
      '/api/v1/conversations?endpoint_id=ep_script',
    )
    expect(list.body.conversations).toHaveLength(1)
  })
})
