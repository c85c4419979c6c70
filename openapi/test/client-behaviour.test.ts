import { describe, expect, it } from 'vitest'
import { listOperations, resolveIn } from '../src/document/document.ts'
import { isCallable } from '../src/generate/sdk-methods.ts'
import { admin, DOCUMENTS, gateway } from './support/documents.ts'

/** The parts of the contract that a generated client depends on. */
describe.each(DOCUMENTS)('the methods of the client of %s', (_name, document) => {
  const callable = listOperations(document).filter(({ operation }) => isCallable(operation))

  it('have unique names', () => {
    const names = callable.map(({ operation }) => `${operation.tags.join()}.${operation['x-sdk-method']}`)
    for (const name of names) expect(name).toMatch(/^[a-z]+\.[a-z][A-Za-z]*$/)
    expect(new Set(names).size).toBe(names.length)
  })

  it('have tags that the document describes', () => {
    const explained = (document.tags ?? []).map(({ name }) => name)
    for (const { operation } of callable) expect(explained).toContain(operation.tags[0])
    for (const { description } of document.tags ?? []) expect(description).toMatch(/\.$/)
  })

  it('never have the name of a member of a promise or a class', () => {
    for (const { operation } of callable)
      expect(['then', 'catch', 'finally', 'constructor', 'wait']).not.toContain(operation['x-sdk-method'])
  })
})

const idempotent = listOperations(gateway).filter(({ operation }) => operation['x-idempotent'])
const everything = [...listOperations(gateway), ...listOperations(admin)]
const streams = listOperations(gateway).filter(({ operation }) => operation['x-stream'])

describe('replaying a request', () => {
  it('is possible for the 7 days in which the gateway remembers its key (D-12)', () => {
    for (const { operation } of idempotent)
      expect(operation['x-idempotent']).toEqual({ header: 'Idempotency-Key', retention_seconds: 7 * 24 * 60 * 60 })
  })

  it('needs a key only for a POST', () => {
    for (const { method, operation } of idempotent)
      expect([operation.operationId, method]).toEqual([operation.operationId, 'post'])
  })

  it('has a declared effect for every write without a key', () => {
    for (const { method, operation } of everything.filter((each) => isCallable(each.operation))) {
      const isWithoutKey = method !== 'get' && !operation['x-idempotent']
      expect([operation.operationId, operation['x-repeat'] !== undefined]).toEqual([
        operation.operationId,
        isWithoutKey,
      ])
    }
  })

  it('has the effect `gone` only for operations that answer with 204 and with 404', () => {
    const gone = everything.filter(({ operation }) => operation['x-repeat'] === 'gone')
    expect(gone.map(({ operation }) => operation.operationId)).toEqual(['deleteResource'])
    for (const { operation } of gone)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['204', '404']))
  })

  it('never needs a key in the operator API', () => {
    expect(listOperations(admin).filter(({ operation }) => operation['x-idempotent'])).toEqual([])
  })

  /**
   * Clients rely on these codes: after one of them, no request was admitted under the key. errors.yaml has the reason
   * for each. Add the reason for a new code there.
   */
  const FINAL = [
    'GENERATION_CONFLICT',
    'IDEMPOTENCY_CONFLICT',
    'INVALID_REQUEST',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'UNKNOWN_FIELD',
    'UNSUPPORTED_MEDIA_TYPE',
    'WEBHOOK_CONFLICT',
  ]
  const catalogue = { ...gateway.components['x-errors'], ...admin.components['x-errors'] }

  it('is excluded by exactly the codes that are final for the key (D-07, D-34)', () => {
    const marked = Object.keys(catalogue).filter((code) => catalogue[code]?.final_for_key)
    expect(marked.sort()).toEqual(FINAL)
  })

  it('is never excluded by a code that is retryable or leaves the outcome unknown', () => {
    for (const [code, { happened, retryable, final_for_key: final }] of Object.entries(catalogue))
      if (final) expect([code, happened, retryable]).toEqual([code, 'nothing', false])
  })

  it('is allowed after every code that leaves the outcome unknown', () => {
    for (const [code, { happened, retryable }] of Object.entries(catalogue))
      if (happened === 'unknown') expect([code, retryable]).toEqual([code, true])
  })
})

describe('a stream', () => {
  it.each(streams)(
    '$operation.operationId can be resumed, and its end can be read if it has one',
    ({ path, operation }) => {
      const stream = operation['x-stream']
      const names = (operation.parameters ?? []).map((each) => resolveIn(gateway.components.parameters, each).name)
      expect(names).toEqual(expect.arrayContaining([stream?.resume.header, stream?.resume.query]))
      expect(stream?.ended === undefined).toBe((stream?.terminal ?? []).length === 0)
      if (!stream?.ended) return
      const poll = listOperations(gateway).find((each) => each.operation.operationId === stream.ended?.poll)
      expect(poll?.operation.tags[0]).toBe(operation.tags[0])
      expect(poll?.path).toBe(path.replace('/events', ''))
    },
  )
})
