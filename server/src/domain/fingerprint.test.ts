import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanned } from '../../test/support/json.ts'
import { equalFingerprints, fingerprint } from './fingerprint.ts'

const intention = {
  method: 'POST',
  route: '/a/{id}',
  pathIds: { id: 'x' },
  body: { a: 1, b: [1, { c: 'ü', d: null }] },
}
const of = ({ body, ...more }: Omit<typeof intention, 'body'> & { body: unknown }) =>
  fingerprint({ ...more, body: scanned(JSON.stringify(body)) })
const same = (other: typeof intention): boolean => equalFingerprints(of(intention), of(other))

describe('the fingerprint of an intention', () => {
  test('does not depend on the order of members [IDEM-14]', () => {
    expect(same({ ...intention, body: { b: [1, { d: null, c: 'ü' }], a: 1 } })).toBe(true)
  })

  test.each([
    ['another method', { ...intention, method: 'PUT' }],
    ['another route', { ...intention, route: '/b/{id}' }],
    ['another target', { ...intention, pathIds: { id: 'y' } }],
    ['another value', { ...intention, body: { ...intention.body, a: 2 } }],
    ['a string for a number', { ...intention, body: { a: '1' as unknown as number, b: intention.body.b } }],
    ['another order of items', { ...intention, body: { a: 1, b: [...intention.body.b].reverse() } }],
  ])('differs for %s [IDEM-12, IDEM-13, IDEM-14]', (_, other) => {
    expect(same(other)).toBe(false)
  })

  test('is stable under a JSON round trip of any well-formed body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const parsed: unknown = JSON.parse(JSON.stringify(body))
        fc.pre(!/\\ud/.test(JSON.stringify(body)))
        expect(equalFingerprints(of({ ...intention, body }), of({ ...intention, body: parsed }))).toBe(true)
      }),
    )
  })

  test('of a request without a body is stable, and differs from that of an empty object', () => {
    const without = fingerprint({ ...intention, body: null })
    expect(equalFingerprints(without, fingerprint({ ...intention, body: null }))).toBe(true)
    expect(equalFingerprints(without, of({ ...intention, body: {} }))).toBe(false)
  })
})
