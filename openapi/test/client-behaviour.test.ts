import { describe, expect, it } from 'vitest'
import { type Document, listOperations, resolveIn } from '../src/document/document.ts'
import { isCallable } from '../src/generate/sdk-methods.ts'
import { admin, gateway, worker } from './support/documents.ts'

/** What the contract says so that a client can be generated from it. */
describe.each([
  ['gateway', gateway],
  ['admin', admin],
  ['worker', worker],
] satisfies [string, Document][])('the methods of the client of %s', (_name, document) => {
  const callable = listOperations(document).filter(({ operation }) => isCallable(operation))

  it('have unique names', () => {
    const names = callable.map(({ operation }) => `${operation.tags.join()}.${operation['x-sdk-method']}`)
    for (const name of names) expect(name).toMatch(/^[a-z]+\.[a-z][A-Za-z]*$/)
    expect(new Set(names).size).toBe(names.length)
  })

  it('stand under tags that the document explains', () => {
    const explained = (document.tags ?? []).map(({ name }) => name)
    for (const { operation } of callable) expect(explained).toContain(operation.tags[0])
    for (const { description } of document.tags ?? []) expect(description).toMatch(/\.$/)
  })

  it('never collide with members of a promise or a class', () => {
    for (const { operation } of callable)
      expect(['then', 'catch', 'finally', 'constructor', 'wait']).not.toContain(operation['x-sdk-method'])
  })
})

const idempotent = listOperations(gateway).filter(({ operation }) => operation['x-idempotent'])
const everything = [...listOperations(gateway), ...listOperations(admin)]
const streams = listOperations(gateway).filter(({ operation }) => operation['x-stream'])

describe('replaying', () => {
  it('is possible as long as the gateway remembers a key: 7 days (D-12)', () => {
    for (const { operation } of idempotent)
      expect(operation['x-idempotent']).toEqual({ header: 'Idempotency-Key', retention_seconds: 7 * 24 * 60 * 60 })
  })

  it('is something that only a POST needs a key for', () => {
    for (const { method, operation } of idempotent)
      expect([operation.operationId, method]).toEqual([operation.operationId, 'post'])
  })

  it('is possible without a key where the contract says what a second one does, which it says of every other write', () => {
    for (const { method, operation } of everything.filter((each) => isCallable(each.operation))) {
      const isWithoutKey = method !== 'get' && !operation['x-idempotent']
      expect([operation.operationId, operation['x-repeat'] !== undefined]).toEqual([
        operation.operationId,
        isWithoutKey,
      ])
    }
  })

  it('finds nothing more to do only where the answer has no content, and NOT_FOUND is one', () => {
    const gone = everything.filter(({ operation }) => operation['x-repeat'] === 'gone')
    expect(gone.map(({ operation }) => operation.operationId)).toEqual(['deleteResource'])
    for (const { operation } of gone)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['204', '404']))
  })

  it('is said of no operation of the operator', () => {
    expect(listOperations(admin).filter(({ operation }) => operation['x-idempotent'])).toEqual([])
  })

  /**
   * A client believes these: after one of them, nothing under the key was admitted. errors.yaml gives the reason of each.
   * A new code that claims it has to be argued for there.
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

  it('ends for good with the codes that are final for the key, and with no other (D-07, D-34)', () => {
    const marked = Object.keys(catalogue).filter((code) => catalogue[code]?.final_for_key)
    expect(marked.sort()).toEqual(FINAL)
  })

  it('takes nothing for final that may pass or is not known', () => {
    for (const [code, { happened, retryable, final_for_key: final }] of Object.entries(catalogue))
      if (final) expect([code, happened, retryable]).toEqual([code, 'nothing', false])
  })

  it('is what every code that leaves the outcome unknown allows', () => {
    for (const [code, { happened, retryable }] of Object.entries(catalogue))
      if (happened === 'unknown') expect([code, retryable]).toEqual([code, true])
  })
})

describe('a stream', () => {
  it.each(streams)(
    '$operation.operationId can be resumed, and found out to be over where it has an end',
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
