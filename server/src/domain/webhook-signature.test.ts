import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { watchComparisons } from '../../test/support/watch-comparisons.ts'
import type { SignatureHeaders } from './webhook-signature.ts'
import { signPayload, verifySignature } from './webhook-signature.ts'

const SECRET = 'whsec_00ff'
const NOW = new Date('2026-03-02T09:30:00.500Z')
const SECONDS = Math.floor(NOW.getTime() / 1000)
const body = Buffer.from('{"type":"order.question"}')

/** An independent computation from the specification's text. */
const reference = (id: string, timestamp: string, bytes: Uint8Array, secret: string): string =>
  `v1,${createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytes]))
    .digest('hex')}`

const signed = (
  given: { id?: string; timestamp?: string; bytes?: Uint8Array; secret?: string } = {},
): SignatureHeaders => {
  const { id = 'evt_1', timestamp = String(SECONDS), bytes = body, secret = SECRET } = given
  return { id: [id], timestamp: [timestamp], signature: [reference(id, timestamp, bytes, secret)] }
}
const verdict = (headers: SignatureHeaders, bytes: Uint8Array = body) => verifySignature(headers, bytes, SECRET, NOW)

describe('a signature', () => {
  it('is the HMAC-SHA256 of id, timestamp and raw bytes under the literal text of the secret', () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x0d, 0x0a])
    for (const secret of ['whsec_00ff', '00ff', 'grüße', ' spaces '])
      expect(signPayload({ id: 'a.b', timestamp: '1', body: bytes }, secret)).toBe(reference('a.b', '1', bytes, secret))
  })

  it.each([-300, -299, 0, 299, 300])('is accepted %i seconds from now', (offset) => {
    expect(verdict(signed({ timestamp: String(SECONDS + offset) }))).toEqual({ ok: true, id: 'evt_1' })
  })

  it.each([
    [-301, 'too_old'],
    [301, 'too_new'],
    [-1e9, 'too_old'],
    [1e12, 'too_new'],
  ])('is rejected %i seconds from now', (offset, reason) => {
    expect(verdict(signed({ timestamp: String(SECONDS + offset) }))).toEqual({ ok: false, reason })
  })

  it.each(['id', 'timestamp', 'signature'] as const)('needs exactly one %s', (name) => {
    const headers = signed()
    expect(verdict({ ...headers, [name]: [] })).toEqual({ ok: false, reason: 'missing_header' })
    const twice = { ...headers, [name]: [...headers[name], ...headers[name]] }
    expect(verdict(twice)).toEqual({ ok: false, reason: 'duplicate_header' })
  })

  it.each(['', 'a b', 'x'.repeat(129), 'é', 'a\n', 'a\x7f'])('is rejected with the malformed ID %j', (id) => {
    expect(verdict(signed({ id }))).toEqual({ ok: false, reason: 'malformed_id' })
  })

  it.each(['', '+1', '-1', '1.0', '1e9', ' 1', '0x10', '١', '1'.repeat(16), '1\n'])(
    'is rejected with the malformed timestamp %j',
    (timestamp) => {
      expect(verdict(signed({ timestamp }))).toEqual({ ok: false, reason: 'malformed_timestamp' })
    },
  )

  it('is exactly v1, and 64 lower-case hexadecimal digits', () => {
    const [good = ''] = signed().signature
    const wrong = [good.toUpperCase(), good.replace('v1', 'V1'), good.slice(3), good.replace('v1', 'v2'), `${good}0`]
    for (const signature of [...wrong, good.slice(0, -1), `${good} ${good}`, `${good}\n`, good.replace(',', '='), ''])
      expect(verdict({ ...signed(), signature: [signature] })).toEqual({ ok: false, reason: 'malformed_signature' })
  })

  it('is compared in constant time [SIG-28]', () => {
    const compare = watchComparisons()
    const headers = signed()
    const [good = ''] = headers.signature
    const differing = (index: number) =>
      good.slice(0, index) + (good[index] === '0' ? '1' : '0') + good.slice(index + 1)
    for (const signature of [differing(3), differing(66), good]) {
      compare.mockClear()
      expect(verdict({ ...headers, signature: [signature] }).ok).toBe(signature === good)
      expect(compare.mock.calls.map((bytes) => bytes.map(({ byteLength }) => byteLength))).toEqual([[32, 32]])
    }
  })

  it('is valid only for the signed bytes, ID and time, and for the same secret', () => {
    const headers = signed()
    const failed = { ok: false, reason: 'wrong_signature' }
    expect(verdict(headers, Buffer.from('{"type": "order.question"}'))).toEqual(failed)
    expect(verdict({ ...headers, id: ['evt_2'] })).toEqual(failed)
    expect(verdict({ ...headers, timestamp: [String(SECONDS + 1)] })).toEqual(failed)
    expect(verdict(signed({ secret: 'whsec_00fe' }))).toEqual(failed)
    expect(verdict(signed({ secret: Buffer.from('00ff', 'hex').toString('latin1') }))).toEqual(failed)
  })
})
