import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from './support.ts'
import { REACHED, startServer } from './support.ts'

/** Bodies that are made to be expensive: refused by what can be counted, with few faults, and never looked through (D-61). */

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  expect(server.app.contractViolations).toEqual([])
  await server.close()
})

const SEND = '/api/v1/conversations/conv_1/messages'
const post = async (body: string, path = SEND) => {
  const { status, json } = await server.fetch(path, { method: 'POST', body })
  return { status, code: json.code, errors: json.errors, more: json.more_faults, detail: json.detail }
}
const send = (input: string) => post(`{"expected_generation":1,"input":${input}}`)
const list = (count: number, item = '0') => `[${Array(count).fill(item).join()}]`
const members = (count: number) => Array.from({ length: count }, (_, index) => `"m${index}":0`).join()
const pointers = (errors: readonly { pointer: string }[]) => errors.map(({ pointer }) => pointer)

describe('a body with very many faults', () => {
  it('lists 20 of them and says that there are more [ERR-40]', async () => {
    const { status, code, errors, more, detail } = await send(`{"text":"x",${members(100)}}`)
    expect([status, code, errors.length, more]).toEqual([400, 'UNKNOWN_FIELD', 20, true])
    expect(detail).toContain('more than 20 faults')
    expect(pointers(errors)).toEqual(Array.from({ length: 20 }, (_, index) => `/input/m${index}`))
  })

  it('lists as many as there are up to 20, and says nothing more [ERR-40]', async () => {
    for (const count of [1, 19, 20]) {
      const { errors, more } = await send(`{"text":"x",${members(count)}}`)
      expect([errors.length, more]).toEqual([count, undefined])
    }
    expect((await send(`{"text":"x",${members(21)}}`)).more).toBe(true)
  })

  it('counts faults of headers and of the query among them', async () => {
    const { json } = await server.fetch(SEND, {
      method: 'POST',
      bare: true,
      headers: { authorization: 'Bearer a-key', 'x-service-subject': 's', 'content-type': 'application/json' },
      body: `{"expected_generation":1,"input":{"text":"x",${members(20)}}}`,
    })
    expect([json.code, json.errors.length, json.more_faults]).toEqual(['INVALID_REQUEST', 20, true])
    expect(json.errors[0].pointer).toBe('Idempotency-Key')
  })

  it('lists 20 places of what cannot be kept', async () => {
    const { errors, more } = await send(`{"data":{"a":${list(100, '"\\u0000"')}}}`)
    expect([errors.length, more]).toEqual([20, true])
  })
})

describe('a list that is too long', () => {
  it.each([6, 900, 49_000])('of %i items is refused for its length, whatever its items are [MSG-11]', async (count) => {
    const { errors, more } = await send(`{"resource_ids":${list(count)}}`)
    expect(errors[0]).toEqual({ pointer: '/input/resource_ids', message: 'must have at most 5 items' })
    // A large body is not searched for more faults.
    if (count === 49_000) expect([errors.length, more]).toEqual([1, true])
  })

  it('of an operator is refused for its length as well', async () => {
    const body = `{"app_id":"a","endpoint_id":"e","subject":"s","event_type_field":"t","action":"new","message_field":"m","event_types":${list(40_000, '""')}}`
    expect(await post(body, '/admin/v1/webhooks')).toMatchObject({
      status: 400,
      errors: [{ pointer: '/event_types', message: 'must have at most 100 items' }],
      more: true,
    })
  })
})

describe('a text that is too long', () => {
  it('is refused for its length, before any other check', async () => {
    const mebibyte = 'a/b; '.repeat(200_000)
    for (const [path, body, fault] of [
      ['/api/v1/resources', `{"filename":"a","content_type":"${mebibyte}","size":1}`, '/content_type'],
      ['/api/v1/conversations', `{"endpoint_id":"ep_1","conversation_key":"${mebibyte}"}`, '/conversation_key'],
    ] as const)
      expect(await post(body, path)).toMatchObject({
        status: 400,
        errors: [{ pointer: fault, message: expect.stringMatching(/^must have at most \d+ characters$/) }],
      })
  })
})

describe('a body of many values', () => {
  it('may have 50,000 values and members and no more, wherever they stand [REQ-17]', async () => {
    // Besides the items: the body, its two members and their values, one member more and its value.
    const besides = 7
    const tooMany = [{ pointer: '', message: 'has more than 50000 values and members' }]
    expect((await send(`{"data":${list(50_000)}}`)).errors).toEqual(tooMany)
    expect((await send(`{"data":{${members(24_990)}}}`)).status).toBe(REACHED.status)
    expect((await send(`{"data":{${members(25_000)}}}`)).errors).toEqual(tooMany)
    expect((await send(`{"data":{"a":${list(50_000 - besides - 2)}}}`)).status).toBe(REACHED.status)
    expect((await send(`{"data":{"a":${list(50_000 - besides - 1)}}}`)).errors).toEqual(tooMany)
    expect((await send(`{"text":"x",${members(30_000)}}`)).errors).toEqual(tooMany)
    expect((await post(`{"scopes":${list(60_000)}}`, '/admin/v1/apps/app_1/keys')).errors).toEqual(tooMany)
  })

  it('is refused for its faults when it has some, by the first that is found', async () => {
    const { code, errors, more } = await send(`{"text":"x",${members(20_000)}}`)
    expect([code, errors, more]).toEqual([
      'UNKNOWN_FIELD',
      [{ pointer: '/input/m0', message: 'is not a known member' }],
      true,
    ])
  })

  it('of 1 MiB is accepted when it follows the contract', async () => {
    const filling = 'x'.repeat(1024 * 1024 - 60)
    expect((await send(`{"data":{"a":"${filling}"}}`)).status).toBe(REACHED.status)
  })
})

describe('numbers', () => {
  const INEXACT = 'is an integer with more digits than a number holds exactly; send it as a string'

  it('that a double cannot hold are refused wherever they stand, naming the place [REQ-14]', async () => {
    for (const [input, pointer] of [
      ['{"data":{"id":9007199254740993}}', '/input/data/id'],
      ['{"data":{"ids":[1,{"a":-12345678901234567890}]}}', '/input/data/ids/1/a'],
      ['{"resource_ids":[10000000000000001]}', '/input/resource_ids/0'],
    ] as const)
      expect(await send(input)).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        errors: [{ pointer, message: INEXACT }],
      })
    expect(await post('{"expected_generation":9007199254740993,"input":{"text":"x"}}')).toMatchObject({
      errors: [{ pointer: '/expected_generation', message: INEXACT }],
    })
    expect(await post('{"pending_limit":9007199254740993}', '/admin/v1/devices')).toMatchObject({
      errors: [{ pointer: '/pending_limit', message: INEXACT }],
    })
  })

  it('that are larger than any double are refused wherever they stand [REQ-15]', async () => {
    for (const number of ['1e309', '-1e400', `1${'0'.repeat(400)}`])
      expect(await send(`{"data":{"a":[${number}]}}`)).toMatchObject({
        status: 400,
        errors: [{ pointer: '/input/data/a/0', message: 'is beyond the range of numbers' }],
      })
  })

  it('that a double holds are accepted, and fractions of any length [REQ-16]', async () => {
    const numbers = ['9007199254740992', '18014398509481984', '0.1234567890123456789', '1e308', '1e-400', '-0', '1.0']
    expect((await send(`{"data":{"a":[${numbers.join()}]}}`)).status).toBe(REACHED.status)
  })
})
