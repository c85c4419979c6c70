import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSecretBox, SecretBoxError } from './secret-box.ts'

const key = randomBytes(32)
const box = createSecretBox(key)

describe('a sealed secret', () => {
  it.each(['', 'whsec_abc', 'grüße \u{1f600}', 'x'.repeat(10_000)])('is opened again as it was: %s', (text) => {
    expect(createSecretBox(key).open(box.seal(text, 'wh_1'), 'wh_1')).toBe(text)
  })

  it('shows neither its text nor that two are alike', () => {
    const [one, two] = [box.seal('whsec_abc', 'wh_1'), box.seal('whsec_abc', 'wh_1')]
    expect(Buffer.from(one).includes('whsec')).toBe(false)
    expect(Buffer.compare(one, two)).not.toBe(0)
  })

  it('is of no use in another place, under another key, or with any byte changed', () => {
    const sealed = box.seal('whsec_abc', 'wh_1')
    expect(() => box.open(sealed, 'wh_2')).toThrow(SecretBoxError)
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'wh_1')).toThrow(/GATEWAY_SECRET_KEY is not the one/)
    for (const [index, byte] of sealed.entries()) {
      const changed = Uint8Array.from(sealed)
      changed[index] = byte ^ 1
      expect(() => box.open(changed, 'wh_1')).toThrow(SecretBoxError)
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => box.open(sealed.subarray(0, length), 'wh_1')).toThrow(SecretBoxError)
  })

  it('can be read out of the middle of a buffer, as a driver may give it', () => {
    const around = Buffer.concat([randomBytes(7), box.seal('whsec_abc', 'wh_1'), randomBytes(7)])
    expect(box.open(around.subarray(7, -7), 'wh_1')).toBe('whsec_abc')
  })

  it('needs a key of 32 bytes', () => {
    expect(() => createSecretBox(randomBytes(16))).toThrow(/32 bytes/)
  })
})
