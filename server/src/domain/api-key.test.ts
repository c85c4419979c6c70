import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { watchComparisons } from '../../test/support/watch-comparisons.ts'
import { equalHashes, hashOfReference, hashToken, identifyKey, idOfKey, issueKey } from './api-key.ts'

describe('an issued key', () => {
  it('has the form gk_<key id>_<secret> [AUTH-07]', () => {
    const { token, keyId } = issueKey()
    expect(token).toMatch(/^gk_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/)
    expect(token.split('_')[1]).toBe(keyId.slice('key_'.length))
  })

  it('has a secret of 256 random bits, another one each time [AUTH-08]', () => {
    const secrets = Array.from({ length: 100 }, () => issueKey().token.slice('gk_'.length + 33))
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  })

  it('is identified by its ID and hash, even with underscores in its secret', () => {
    for (let round = 0; round < 200; round++) {
      const { token, keyId, hash } = issueKey()
      const identity = identifyKey(token)
      expect(identity.reference).toBe(keyId)
      expect(equalHashes(identity.hash, hash)).toBe(true)
    }
  })

  it('is stored as the SHA-256 of the whole token [AUTH-09]', () => {
    const { token, hash } = issueKey()
    expect(Buffer.from(hash)).toEqual(createHash('sha256').update(token).digest())
  })
})

describe('a key that an operator chose', () => {
  const literals = [
    'gk_demo_secret',
    'gk_demo_other',
    'gk_all_all_all',
    'anything',
    'gk__',
    'GK_0_1',
    `gk_${'0'.repeat(32)}_x`,
  ]

  it.each(literals)('is looked up by its hash: %s', (token) => {
    const { reference } = identifyKey(token)
    expect(hashOfReference(reference)).toEqual(hashToken(token))
  })

  it.each(literals)('gets a random ID, different each time: %s [AUTH-24]', (token) => {
    const [first, second] = [idOfKey(identifyKey(token)), idOfKey(identifyKey(token))]
    expect(first).toMatch(/^key_[0-9a-f]{32}$/)
    expect(first).not.toBe(second)
    expect(first).not.toContain(hashToken(token).toString('hex', 0, 8))
  })

  it('keeps the ID that it contains if it has the form of an issued key', () => {
    const { token, keyId } = issueKey()
    expect(idOfKey(identifyKey(token))).toBe(keyId)
    expect(hashOfReference(keyId)).toBeNull()
  })
})

describe('equalHashes', () => {
  it('distinguishes hashes of any kind and length', () => {
    const hash = hashToken('a')
    expect(equalHashes(hash, new Uint8Array(hash))).toBe(true)
    expect(equalHashes(hash, hashToken('b'))).toBe(false)
    expect(equalHashes(hash, hash.subarray(1))).toBe(false)
  })

  it('uses the constant-time comparison, wherever the hashes differ [AUTH-11]', () => {
    const compare = watchComparisons()
    const hash = hashToken('a')
    for (const byte of [0, 15, 31]) {
      const other = Buffer.from(hash)
      other[byte] = (other[byte] ?? 0) ^ 1
      compare.mockClear()
      expect(equalHashes(hash, other)).toBe(false)
      expect(compare.mock.calls).toEqual([[hash, other]])
    }
  })
})
