import { createCipheriv, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSecretBox, SecretBoxError } from './secret-box.ts'

const key = randomBytes(32)
const box = createSecretBox(key)

describe('a sealed secret', () => {
  it.each(['', 'whsec_abc', 'grüße \u{1f600}', 'x'.repeat(10_000)])('decrypts to the same text: %s', (text) => {
    expect(createSecretBox(key).open(box.seal(text, 'wh_1'), 'wh_1')).toBe(text)
  })

  it('reveals neither its text nor whether two are equal', () => {
    const [one, two] = [box.seal('whsec_abc', 'wh_1'), box.seal('whsec_abc', 'wh_1')]
    expect(Buffer.from(one).includes('whsec')).toBe(false)
    expect(Buffer.compare(one, two)).not.toBe(0)
  })

  it('cannot be opened in another context, under another key, or with a changed byte', () => {
    const sealed = box.seal('whsec_abc', 'wh_1')
    expect(() => box.open(sealed, 'wh_2')).toThrow(SecretBoxError)
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'wh_1')).toThrow(/GATEWAY_SECRET_KEY does not have/)
    for (const [index, byte] of sealed.entries()) {
      const changed = Uint8Array.from(sealed)
      changed[index] = byte ^ 1
      expect(() => box.open(changed, 'wh_1')).toThrow(SecretBoxError)
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => box.open(sealed.subarray(0, length), 'wh_1')).toThrow(SecretBoxError)
  })

  it('can be opened from a view into a larger buffer, as drivers return it', () => {
    const around = Buffer.concat([randomBytes(7), box.seal('whsec_abc', 'wh_1'), randomBytes(7)])
    expect(box.open(around.subarray(7, -7), 'wh_1')).toBe('whsec_abc')
  })

  it('is opened by a later key of several, and sealed under the first [HOOK-69]', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)]
    const sealed = createSecretBox(older).seal('whsec_abc', 'wh_1')
    const both = createSecretBox(newer, older)
    expect(both.open(sealed, 'wh_1')).toBe('whsec_abc')
    expect([both.isCurrent(sealed), createSecretBox(older, newer).isCurrent(sealed)]).toEqual([false, true])
    const anew = both.seal('whsec_abc', 'wh_1')
    expect(both.isCurrent(anew)).toBe(true)
    expect(createSecretBox(newer).open(anew, 'wh_1')).toBe('whsec_abc')
    expect(() => createSecretBox(older).open(anew, 'wh_1')).toThrow(/GATEWAY_SECRET_KEY does not have/)
  })

  it('identifies its key without revealing it', () => {
    const sealed = Buffer.from(box.seal('whsec_abc', 'wh_1'))
    for (let start = 0; start + 4 <= key.length; start += 1)
      expect(sealed.includes(key.subarray(start, start + 4))).toBe(false)
  })

  it('of the old form, without a key name, is opened if one of the keys fits, and is never current', () => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('wh_1'))
    const ciphertext = Buffer.concat([cipher.update('whsec_old', 'utf8'), cipher.final()])
    const sealed = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), ciphertext])
    for (const keys of [createSecretBox(key), createSecretBox(randomBytes(32), key)]) {
      expect(keys.open(sealed, 'wh_1')).toBe('whsec_old')
      expect(keys.isCurrent(sealed)).toBe(false)
      expect(() => keys.open(sealed, 'wh_2')).toThrow(SecretBoxError)
    }
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'wh_1')).toThrow(/GATEWAY_SECRET_KEY/)
  })

  it('needs a key of 32 bytes', () => {
    expect(() => createSecretBox(randomBytes(16))).toThrow(/32 bytes/)
  })
})
