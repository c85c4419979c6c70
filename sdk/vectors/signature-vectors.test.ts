import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { verifyCallback } from '../src/callbacks/verify-callback.ts'
import type { SignatureHeaders } from '../src/signature/headers.ts'
import { SignatureError } from '../src/signature/signature-error.ts'
import { type VerifySignatureOptions, verifySignature } from '../src/signature/verify.ts'
import { generateVectors } from './generate.ts'
import { verifyIndependently } from './independent-verifier.ts'
import type { Vector, Verdict } from './vector.ts'

const vectors: Vector[] = JSON.parse(readFileSync(new URL('signature-vectors.json', import.meta.url), 'utf8'))

const toOptions = (vector: Vector, headers: SignatureHeaders): VerifySignatureOptions => ({
  headers,
  body: new Uint8Array(Buffer.from(vector.body_base64, 'base64')),
  secret: vector.secrets,
  now: new Date(vector.now * 1000),
})

/** As Node's `headersDistinct`, but with names as they were sent. */
const toObject = (vector: Vector): Record<string, string[]> => {
  const headers: Record<string, string[]> = {}
  for (const [name, value] of vector.headers) headers[name] = [...(headers[name] ?? []), value]
  return headers
}

const verdictOf = async (verification: Promise<unknown>): Promise<Verdict> => {
  try {
    await verification
    return { ok: true }
  } catch (error) {
    if (error instanceof SignatureError) return { ok: false, reason: error.reason }
    throw error
  }
}

it('has at least 100 published vectors with unique names, and both verdicts', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(100)
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  const reasons = new Set(vectors.map(({ expect_callback }) => (expect_callback.ok ? 'ok' : expect_callback.reason)))
  expect([...reasons].toSorted()).toEqual([
    'duplicate_header',
    'id_mismatch',
    'malformed_body',
    'malformed_id',
    'malformed_signature',
    'malformed_timestamp',
    'missing_header',
    'ok',
    'too_new',
    'too_old',
    'wrong_signature',
  ])
})

it('equals the output of the generator', async () => {
  expect(vectors).toEqual(await generateVectors())
})

it.each(vectors)('agrees with an independent implementation: $name', (vector) => {
  expect(verifyIndependently(vector)).toEqual({ signature: vector.expect, callback: vector.expect_callback })
})

it.each(vectors)(
  '[SIG-11] [SIG-13] [SIG-20] [LIMIT-18] [SIG-29] [SIG-30] verifies signatures: $name',
  async (vector) => {
    const options = toOptions(vector, toObject(vector))
    expect(await verdictOf(verifySignature(options))).toEqual(vector.expect)
  },
)

it.each(vectors)('[CB-36] [CB-37] verifies callbacks: $name', async (vector) => {
  const options = toOptions(vector, toObject(vector))
  expect(await verdictOf(verifyCallback(options))).toEqual(vector.expect_callback)
})

it.each(vectors.filter((vector) => vector.over_http))('verifies a Headers object: $name', async (vector) => {
  const options = toOptions(vector, new Headers(vector.headers.map(([name, value]): [string, string] => [name, value])))
  expect(await verdictOf(verifyCallback(options))).toEqual(vector.expect_callback)
})
