import { describe, expect, it } from 'vitest'
import { all } from '../../test/support/all.ts'
import { connectTo } from '../../test/support/scripted-client.ts'
import { createAnsweringFetch, html, json, lost, problem } from '../../test/support/scripted-fetch.ts'

const MESSAGES = Array.from({ length: 7 }, (_, index) => ({ message_id: `msg_${index + 1}`, cursor: (index + 1) * 10 }))
const CONVERSATIONS = ['conv_5', 'conv_4', 'conv_3', 'conv_2', 'conv_1'].map((id) => ({ conversation_id: id }))

/** Serves both lists as the contract says, and fails the requests that the test selects. */
const createLists = (failures: readonly (typeof lost)[] = []) => {
  const rest = [...failures]
  const { fetch, requests } = createAnsweringFetch((request) => {
    const failure = rest.shift()
    if (failure) return failure(request)
    const url = new URL(request.url)
    const limit = Number(url.searchParams.get('limit') ?? 3)
    const before = url.searchParams.get('before')
    if (url.pathname.endsWith('/messages')) {
      const older = MESSAGES.filter(({ cursor }) => before === null || cursor < Number(before))
      return json(200, { messages: older.slice(-limit) })(request)
    }
    const start = before === null ? 0 : CONVERSATIONS.findIndex((each) => each.conversation_id === before) + 1
    return json(200, { conversations: CONVERSATIONS.slice(start, start + limit) })(request)
  })
  return { ...connectTo(fetch), queries: () => requests.map(({ url }) => new URL(url).search) }
}

describe('a list', () => {
  it('yields each item of all pages once, newest first [HIST-08, SNAP-05]', async () => {
    const { client, queries } = createLists()
    const messages = await all(client.messages.list('conv_1'))
    expect(messages.map(({ message_id }) => message_id)).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `msg_${n}`))
    expect(queries()).toEqual(['', '?before=50', '?before=20', '?before=10'])
  })

  it('whose pages are newest first continues after the last item of each page', async () => {
    const { client, queries } = createLists()
    const found = await all(client.conversations.list({ endpoint_id: 'ep_1', limit: 2 }))
    expect(found).toEqual(CONVERSATIONS)
    expect(queries()).toEqual([
      '?endpoint_id=ep_1&limit=2',
      '?endpoint_id=ep_1&limit=2&before=conv_4',
      '?endpoint_id=ep_1&limit=2&before=conv_2',
      '?endpoint_id=ep_1&limit=2&before=conv_1',
    ])
  })

  it('resolves with its first page, in the order of the gateway, when awaited', async () => {
    const { client, queries } = createLists()
    const { messages } = await client.messages.list('conv_1', { limit: 2 })
    expect(messages.map(({ cursor }) => cursor)).toEqual([60, 70])
    expect(queries()).toHaveLength(1)
  })

  it('reads nothing before it is used, and each page only after the previous one is consumed', async () => {
    const { client, queries } = createLists()
    const iterator = client.messages.list('conv_1')[Symbol.asyncIterator]()
    expect(queries()).toHaveLength(0)
    for (let count = 0; count < 3; count++) await iterator.next()
    expect(queries()).toHaveLength(1)
    await iterator.next()
    expect(queries()).toHaveLength(2)
  })

  it.each([
    [0, 0],
    [2, 1],
    [3, 1],
    [4, 2],
    [100, 4],
  ])('of at most %i items takes %i requests', async (maxItems, count) => {
    const { client, queries } = createLists()
    const found = await all(client.messages.list('conv_1', {}, { maxItems }))
    expect(found).toHaveLength(Math.min(maxItems, MESSAGES.length))
    expect(queries()).toHaveLength(count)
  })

  it('starts where the caller says', async () => {
    const { client } = createLists()
    expect(await all(client.messages.list('conv_1', { before: 30 }))).toMatchObject([{ cursor: 20 }, { cursor: 10 }])
  })

  it('without items has one empty page and yields nothing', async () => {
    const { client, queries } = createLists()
    expect(await all(client.messages.list('conv_1', { before: 10 }))).toEqual([])
    expect(await all(client.messages.list('conv_1', { before: 10 }).pages())).toEqual([])
    expect(await client.messages.list('conv_1', { before: 10 })).toEqual({ messages: [] })
    expect(queries()).toHaveLength(3)
  })

  it('yields its pages one by one, and the raw answer with the first', async () => {
    const { client } = createLists()
    const pages = await all(client.messages.list('conv_1').pages())
    expect(pages.map(({ messages }) => messages.map(({ cursor }) => cursor))).toEqual([
      [50, 60, 70],
      [20, 30, 40],
      [10],
    ])
    const { data, response, requestId } = await client.messages.list('conv_1').withResponse()
    expect([data.messages.length, response.status, requestId]).toEqual([3, 200, 'req_1'])
  })

  it('repeats the request for a lost page, and rejects when one is refused', async () => {
    const { client, timing } = createLists([lost, html(502)])
    expect(await timing.drive(all(client.messages.list('conv_1')))).toHaveLength(7)
    const refused = createLists([problem('NOT_FOUND')])
    await expect(all(refused.client.messages.list('conv_1'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(createLists([problem('NOT_FOUND')]).client.messages.list('conv_1')).rejects.toMatchObject({
      status: 404,
    })
  })
})
