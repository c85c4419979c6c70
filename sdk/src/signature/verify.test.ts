import { afterEach, expect, it, vi } from 'vitest'
import { signedHeaders } from './sign.ts'
import { SignatureError } from './signature-error.ts'
import { type VerifySignatureOptions, verifySignature } from './verify.ts'

const now = new Date('2026-01-01T00:00:00Z')
const secret = 'a-secret-that-must-not-be-shown'
const body = new TextEncoder().encode('{"a":1}')

const signed = async (options: Partial<VerifySignatureOptions> = {}): Promise<VerifySignatureOptions> => ({
  headers: await signedHeaders({ id: 'evt_1', body, secret, now }),
  body,
  secret,
  now,
  ...options,
})

const failureOf = async (options: Partial<VerifySignatureOptions>): Promise<SignatureError> => {
  const error: unknown = await verifySignature(await signed(options)).catch((reason: unknown) => reason)
  if (error instanceof SignatureError) return error
  throw new Error('no SignatureError', { cause: error })
}

afterEach(() => {
  vi.restoreAllMocks()
})

it('returns the data that a valid signature covers', async () => {
  expect(await verifySignature(await signed())).toEqual({ id: 'evt_1', timestamp: 1_767_225_600, body })
})

it('accepts an ArrayBuffer, a Buffer, and a view into a larger buffer', async () => {
  const larger = new Uint8Array([0, 0, ...body, 0])
  for (const same of [body.slice().buffer, Buffer.from(body), larger.subarray(2, 2 + body.length)]) {
    expect((await verifySignature(await signed({ body: same }))).body).toEqual(body)
  }
})

it.each([
  ['a parsed object', { a: 1 }, /parsed before/],
  ['undefined', undefined, /parsed before/],
  ['a list of bytes', [...body], /parsed before/],
  ['a string', '{"a":1}', /is a string/],
])('names the fix for %s as body', async (_name, wrong, message) => {
  const options: object = { ...(await signed()), body: wrong }
  // What plain JavaScript can pass.
  const verification = verifySignature(options as VerifySignatureOptions)
  await expect(verification).rejects.toMatchObject({ name: 'SignatureError', reason: 'parsed_body' })
  await expect(verification).rejects.toThrow(message)
})

it('refuses string and object bodies at compile time', async () => {
  const options = await signed()
  // @ts-expect-error a string may have lost bytes
  const text: VerifySignatureOptions = { ...options, body: '{}' }
  // @ts-expect-error a parsed body is not what was signed
  const parsed: VerifySignatureOptions = { ...options, body: { a: 1 } }
  expect([text, parsed]).toHaveLength(2)
})

it('[SIG-13] compares whole seconds: from 300 s before to 300.999 s after the timestamp is in time', async () => {
  const at = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)
  await verifySignature(await signed({ now: at(300.999) }))
  await verifySignature(await signed({ now: at(-300) }))
  expect((await failureOf({ now: at(301) })).reason).toBe('too_old')
  expect((await failureOf({ now: at(-301) })).reason).toBe('too_new')
})

it('refuses everything if the clock returns no time', async () => {
  expect((await failureOf({ now: new Date(Number.NaN) })).reason).toBe('too_old')
})

it("uses the system's time by default", async () => {
  const headers = await signedHeaders({ id: 'evt_1', body, secret, now: new Date() })
  expect((await verifySignature({ headers, body, secret })).id).toBe('evt_1')
  expect((await failureOf({ now: undefined })).reason).toBe('too_old')
})

it('can be stricter about the time, but not more lenient', async () => {
  const inTenSeconds = new Date(now.getTime() + 10_000)
  await verifySignature(await signed({ now: inTenSeconds, toleranceSeconds: 10 }))
  expect((await failureOf({ now: inTenSeconds, toleranceSeconds: 9 })).reason).toBe('too_old')
  for (const toleranceSeconds of [301, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(verifySignature(await signed({ toleranceSeconds }))).rejects.toThrow(RangeError)
  }
})

it('[SIG-29] tries every secret, whichever matches', async () => {
  const verify = vi.spyOn(crypto.subtle, 'verify')
  for (const secrets of [
    [secret, 'b', 'c'],
    ['a', 'b', secret],
    ['a', 'b', 'c'],
  ]) {
    verify.mockClear()
    await verifySignature(await signed({ secret: secrets })).catch(() => {})
    expect(verify).toHaveBeenCalledTimes(3)
  }
})

it.each([[''], [[]], [['a', '']], [undefined]])('does not verify without a secret: %j', async (none) => {
  const options: object = { ...(await signed()), secret: none }
  // What plain JavaScript can pass.
  await expect(verifySignature(options as VerifySignatureOptions)).rejects.toThrow(TypeError)
})

it('shows no secret and no signature in an error', async () => {
  const headers = await signedHeaders({ id: 'evt_1', body, secret, now })
  const failures = [
    await failureOf({ secret: `${secret}-2` }),
    await failureOf({ now: new Date(0) }),
    await failureOf({ headers: { ...headers, 'webhook-signature': `${headers['webhook-signature']}0` } }),
    await failureOf({ headers: { ...headers, 'webhook-id': 'evt 1' } }),
  ]
  for (const { message } of failures) {
    expect(message).not.toContain(secret)
    expect(message).not.toMatch(/[0-9a-f]{16}/)
  }
})

it('reads headers in any case and in the forms of Headers and of Node', async () => {
  const headers = await signedHeaders({ id: 'evt_1', body, secret, now })
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const form of [new Headers(headers), lists, { ...lists, 'webhook-id': undefined }]) {
    expect((await verifySignature(await signed({ headers: form }))).id).toBe('evt_1')
  }
})
