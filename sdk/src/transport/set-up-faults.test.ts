import { expect, it } from 'vitest'
import { connectTo } from '../../test/support/scripted-client.ts'
import type { Fetch } from './fetch.ts'

const connect = (answer: () => unknown) => {
  let requests = 0
  const fetch = (async () => {
    requests += 1
    return answer()
  }) as Fetch
  const { client } = connectTo(fetch)
  return {
    events: async () => {
      for await (const _ of client.conversations.events('conv_1'));
    },
    create: () => client.conversations.create({ endpoint_id: 'ep_1' }),
    get: () => client.conversations.get('conv_1'),
    count: () => requests,
  }
}

const UNREADABLE: [string, () => unknown][] = [
  ['is not a ReadableStream', () => json200()],
  ['has been read or is being read', () => locked()],
]
const json200 = () => {
  const response = Response.json({})
  Object.defineProperty(response, 'body', { value: { on() {}, pipe() {} } })
  return response
}
const locked = () => {
  const response = Response.json({})
  response.body?.getReader()
  return response
}

it.each(UNREADABLE)('reports at once that the body of an answer %s, and sends once', async (fault, answer) => {
  const { create, get, events, count } = connect(answer)
  await expect(create()).rejects.toMatchObject({
    name: 'UnknownOutcomeError',
    cause: { message: expect.stringContaining(fault) },
  })
  await expect(get()).rejects.toThrow(fault)
  await expect(events()).rejects.toThrow(fault)
  expect(count()).toBe(3)
})

it('ends a stream that is answered with 204 with a clear error, and does not reconnect', async () => {
  const { events, count } = connect(() => new Response(null, { status: 204 }))
  await expect(events()).rejects.toMatchObject({
    name: 'ApiError',
    status: 204,
    message: expect.stringContaining('204'),
  })
  expect(count()).toBe(1)
})
