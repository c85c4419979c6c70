import { describe, expect, it } from 'vitest'
import { serverOfFile } from './support.ts'

/**
 * Bodies that would be expensive to check completely: the gateway checks sizes first and stops after 20 faults (D-61).
 */

const server = await serverOfFile()

const SEND = '/api/v1/conversations/conv_1/messages'
const post = async (body: string, path = SEND) => {
  const { status, json } = await server.fetch(path, { method: 'POST', body })
  return { status, code: json.code, errors: json.errors, more: json.more_faults, detail: json.detail }
}
const send = (input: string) => post(`{"expected_generation":1,"input":${input}}`)
const list = (count: number, item = '0') => `[${Array(count).fill(item).join()}]`
const members = (count: number) => Array.from({ length: count }, (_, index) => `"m${index}":0`).join()

describe('a body with many faults', () => {
  it('lists the first 20 of them and says that there are more [ERR-40]', async () => {
    const { status, code, errors, more, detail } = await send(`{"text":"x",${members(21)}}`)
    expect([status, code, more]).toEqual([400, 'UNKNOWN_FIELD', true])
    expect(detail).toContain('more than 20 faults')
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      Array.from({ length: 20 }, (_, index) => `/input/m${index}`),
    )
  })

  it('lists every fault if there are at most 20 [ERR-40]', async () => {
    for (const count of [1, 20]) {
      const { errors, more } = await send(`{"text":"x",${members(count)}}`)
      expect([errors.length, more]).toEqual([count, undefined])
    }
  })

  it('lists the faults of headers first', async () => {
    const { json } = await server.fetch(SEND, {
      method: 'POST',
      bare: true,
      headers: { authorization: 'Bearer a-key', 'x-service-subject': 's', 'content-type': 'application/json' },
      body: `{"expected_generation":1,"input":{"text":"x",${members(20)}}}`,
    })
    expect([json.code, json.errors.length, json.more_faults]).toEqual(['INVALID_REQUEST', 20, true])
    expect(json.errors[0].pointer).toBe('Idempotency-Key')
  })

  it('lists at most 20 values that cannot be stored', async () => {
    const { errors, more } = await send(`{"data":{"a":${list(100, '"\\u0000"')}}}`)
    expect([errors.length, more]).toEqual([20, true])
  })

  it('lists only the first fault if the body is large', async () => {
    const { code, errors, more } = await send(`{"text":"x",${members(20_000)}}`)
    const fault = { pointer: '/input/m0', message: 'is not a known member' }
    expect([code, errors, more]).toEqual(['UNKNOWN_FIELD', [fault], true])
  })
})

describe('a member that is too long', () => {
  const mebibyte = 'a/b; '.repeat(200_000)

  it.each([
    [
      'attachments of a message',
      SEND,
      `{"expected_generation":1,"input":{"resource_ids":${list(49_000)}}}`,
      '/input/resource_ids',
      'items',
    ],
    [
      'event types of a webhook',
      '/admin/v1/webhooks',
      `{"app_id":"a","endpoint_id":"e","subject":"s","event_type_field":"t","action":"new","message_field":"m","event_types":${list(40_000, '""')}}`,
      '/event_types',
      'items',
    ],
    [
      'a content type',
      '/api/v1/resources',
      `{"filename":"a","content_type":"${mebibyte}","size":1}`,
      '/content_type',
      'characters',
    ],
    [
      'a business key',
      '/api/v1/conversations',
      `{"endpoint_id":"ep_1","conversation_key":"${mebibyte}"}`,
      '/conversation_key',
      'characters',
    ],
  ])('is refused for its length before its content is checked: %s', async (_, path, body, pointer, unit) => {
    const message = expect.stringMatching(new RegExp(`^must have at most \\d+ ${unit}$`))
    const { status, errors } = await post(body, path)
    expect([status, errors]).toEqual([400, [{ pointer, message }]])
  })
})
