import { isIdentifier } from '@conversation-gateway/openapi/behaviour/ids'
import { describe, expect, it } from 'vitest'
import type { ContractOperation } from './contract-cases.ts'
import { brokenBodies, CONTRACT_OPERATIONS, HOSTILE_IDS, NO_INTEGERS, wrongTypes } from './contract-cases.ts'
import type { TestAnswer } from './support.ts'
import { REACHED, serverOfFile } from './support.ts'

/**
 * Sends invalid input to every route of both contracts: it must get a documented refusal, and have no effect (ERR-02).
 */

const server = await serverOfFile()

const send = (
  operation: ContractOperation,
  body: string | Uint8Array<ArrayBuffer> | null,
  init: RequestInit = {},
  path?: string,
) =>
  server.fetch(path ?? operation.path, { method: operation.info.method, ...(body === null ? {} : { body }), ...init })

/** Returns the refusal, and checks that it had no effect. */
const refusal = async (answer: Promise<TestAnswer>): Promise<[number, string]> => {
  const before = server.calls.length
  const { status, json } = await answer
  expect(server.calls.slice(before)).toEqual([])
  return [status, json?.code]
}
const INVALID = [400, 'INVALID_REQUEST']

const withBody = CONTRACT_OPERATIONS.filter(({ body }) => body !== null)

describe.each(withBody.map((operation) => ({ id: operation.info.operationId, operation })))(
  'the body of $id',
  ({ operation }) => {
    const example = JSON.stringify(operation.example)
    const { maxBodyBytes } = operation.info
    const withMember = (value: string) => `${example.slice(0, -1)}${example === '{}' ? '' : ','}"x":${value}}`

    it('is accepted if it follows the contract, also after a byte order mark', async () => {
      for (const body of [example, `\ufeff${example}`])
        expect((await send(operation, body)).status).toBe(REACHED.status)
    })

    it('is refused if it is missing, not a JSON object in UTF-8, or has values that cannot be stored', async () => {
      const bodies = [
        null,
        '',
        '{',
        example.slice(0, -1),
        `${example}}`,
        '\ufeff\ufeff{}',
        'null',
        '[]',
        '"x"',
        '7',
        'true',
        '[{}]',
        Uint8Array.of(0x7b, 0xff, 0x7d),
        withMember('"\\u0000"'),
        withMember('"\\ud800"'),
        withMember('1e999'),
        withMember('{"__proto__":1}'),
        withMember('{"constructor":{"prototype":1}}'),
        withMember(`${'['.repeat(1000)}${']'.repeat(1000)}`),
      ]
      for (const body of bodies) expect([body, ...(await refusal(send(operation, body)))]).toEqual([body, ...INVALID])
    })

    it('is refused with 415 under another content type or encoding, before its content is checked [ERR-31]', async () => {
      const unsupported = ['json', 'application/json; charset=iso-8859-1', 'application/json, text/plain', '*/*']
      for (const headers of [...unsupported.map((type) => ({ 'content-type': type })), { 'content-encoding': 'gzip' }])
        expect([headers, ...(await refusal(send(operation, '{', { headers })))]).toEqual([
          headers,
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        ])
    })

    it('is refused with UNKNOWN_FIELD, naming the member, if an unknown member is its only fault [ERR-01]', async () => {
      const { status, json } = await send(
        operation,
        JSON.stringify({ ...Object(operation.example), 'no/such~field': 1 }),
      )
      expect([status, json.code, json.errors]).toEqual([
        400,
        'UNKNOWN_FIELD',
        [{ pointer: '/no~1such~0field', message: 'is not a known member' }],
      ])
    })

    it('is refused if any member breaks the contract [ERR-02]', async () => {
      if (operation.body === null) return
      for (const { name, body } of brokenBodies(operation.body, operation.example)) {
        const { status, json } = await send(operation, JSON.stringify(body))
        expect([name, status, json.code]).toEqual([name, ...INVALID])
        expect(json.errors.length).toBeGreaterThan(0)
      }
    })

    it('has at most as many bytes as the contract allows [ERR-30]', async () => {
      if (maxBodyBytes === null) return
      const padded = (bytes: number) => `${example}${' '.repeat(bytes - Buffer.byteLength(example))}`
      expect((await send(operation, padded(maxBodyBytes))).status).toBe(REACHED.status)
      expect(await refusal(send(operation, padded(maxBodyBytes + 1)))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    })
  },
)

describe('query parameters', () => {
  const cases = CONTRACT_OPERATIONS.flatMap((operation) =>
    operation.query.map((parameter) => ({ operation, ...parameter })),
  )
  const join = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

  it.each(
    cases
      .filter(({ schema }) => schema.type === 'integer')
      .map((each) => ({ id: each.operation.info.operationId, ...each })),
  )('of $id: $name must be an integer within its bounds', async ({ operation, name, schema }) => {
    const { minimum = 0, maximum = 0 } = schema
    for (const text of [...NO_INTEGERS, String(minimum - 1), String(maximum + 1), '99999999999999999999999', '-0'])
      expect([text, ...(await refusal(send(operation, null, {}, join(operation.path, `${name}=${text}`))))]).toEqual([
        text,
        ...INVALID,
      ])
    for (const number of [minimum, maximum]) {
      const { status } = await send(operation, null, {}, join(operation.path, `${name}=${number}`))
      expect([number, status]).toEqual([number, REACHED.status])
      expect(server.calls.at(-1)?.request.query[name]).toBe(number)
    }
  })

  it.each(cases.map((each) => ({ id: each.operation.info.operationId, ...each })))(
    'of $id: $name must not be repeated or contain NUL',
    async ({ operation, name }) => {
      const path = operation.path.replace(/\?.*/, '')
      for (const query of [`${name}=1&${name}=1`, `${name}=1&${name}=2`, `${name}=%00`]) {
        const { status, json } = await send(operation, null, {}, join(path, query))
        expect([query, status, json.errors.map((fault: { pointer: string }) => fault.pointer)]).toEqual([
          query,
          400,
          expect.arrayContaining([name]),
        ])
      }
    },
  )

  it('are ignored if the contract does not define them, even if repeated', async () => {
    for (const operation of CONTRACT_OPERATIONS.filter(({ info }) => info.method === 'GET' && !info.isStream))
      expect((await send(operation, null, {}, join(operation.path, 'x=1&x=2&__proto__=3&limit[]=4'))).status).toBe(
        REACHED.status,
      )
  })

  it('are refused if they are required and missing', async () => {
    const { status, json } = await server.fetch('/api/v1/conversations')
    expect([status, json.errors]).toEqual([400, [{ pointer: 'endpoint_id', message: 'is required' }]])
  })

  it('default to 50 records in a page', async () => {
    for (const operation of CONTRACT_OPERATIONS.filter(({ info }) => info.pageLimit !== null)) {
      await send(operation, null)
      expect(server.calls.at(-1)).toMatchObject({
        operationId: operation.info.operationId,
        request: { query: { limit: 50 } },
      })
    }
  })
})

describe('the IDs of a path', () => {
  const withIds = CONTRACT_OPERATIONS.filter(({ pathTemplate }) => pathTemplate.includes('{'))

  it.each(withIds.map((operation) => ({ id: operation.info.operationId, operation })))(
    'are 404 if they do not have the form of an ID: $id',
    async ({ operation }) => {
      const body = operation.body === null ? null : JSON.stringify(operation.example)
      for (const id of HOSTILE_IDS) {
        const path = operation.path.replace('some_id', id)
        const answer = await send(operation, body, {}, path)
        const isPlausible = isIdentifier(id)
        expect([id, answer.status]).toEqual([id, isPlausible ? REACHED.status : 404])
      }
    },
  )

  it('reach the handler decoded', async () => {
    await server.fetch('/api/v1/runs/run%5F1')
    expect(server.calls.at(-1)?.request.path.run_id).toBe('run_1')
  })
})

describe('the generated invalid bodies', () => {
  it('include wrong types, missing members and exceeded limits', () => {
    const send = withBody.find(({ info }) => info.operationId === 'sendMessage')
    const names = send?.body ? brokenBodies(send.body, send.example).map(({ name }) => name) : []
    expect(names).toEqual(
      expect.arrayContaining([
        'without input',
        'expected_generation is of type string',
        'input text of 65537 bytes',
        'input resource_ids with 6 items',
        'input resource_ids with a repeated item',
      ]),
    )
    expect(wrongTypes({ type: 'integer' }).map(([type]) => type)).not.toContain('integer')
  })
})
