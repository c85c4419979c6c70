import { isIP } from 'node:net'
import { z } from 'zod'
import type { SecretKeys } from '../../domain/secret-box.ts'
import { findWeakness, TOKEN_CHARACTERS } from '../../domain/secret-strength.ts'
import { parseDatabaseUrl } from '../../store/drivers/database-url.ts'

/**
 * Parses the text of an environment variable. Every message states the expected text, and none contains the given one.
 */
export type SettingValue<T> = z.ZodType<T, string>

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
const HEX_KEY = /^[0-9a-f]{64}$/i
const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/

/** For texts that can be wrong in more than one way. */
const explained = <T>(parse: (text: string) => { readonly value: T } | { readonly fault: string }): SettingValue<T> =>
  z.string().transform((text, context) => {
    const result = parse(text)
    if ('value' in result) return result.value
    context.addIssue({ code: 'custom', message: result.fault })
    return z.NEVER
  })

/** `parse` returns null for an invalid text. */
export const value = <T>(parse: (text: string) => T | null, message: string): SettingValue<T> =>
  explained((text) => {
    const result = parse(text)
    return result === null ? { fault: message } : { value: result }
  })

// biome-ignore lint/suspicious/noControlCharactersInRegex: a name with such a character is a mistake
const CONTROL = /[\x00-\x1f\x7f]/

export const text = value((it) => (CONTROL.test(it) ? null : it), 'must not have control characters')

export const integer = (from: number, to: number): SettingValue<number> =>
  value(
    (it) => (/^\d{1,15}$/.test(it) && Number(it) >= from && Number(it) <= to ? Number(it) : null),
    `must be a whole number from ${from} to ${to}`,
  )

export const flag = value((it) => {
  if (it === '1' || it === 'true') return true
  return it === '0' || it === 'false' ? false : null
}, 'must be 1 or 0')

export const oneOf = <T extends string>(values: readonly T[]): SettingValue<T> =>
  value((it) => values.find((known) => known === it) ?? null, `must be one of ${values.join(', ')}`)

/** Different items, separated by commas. */
export const list = <T>(item: SettingValue<T>, message: string): SettingValue<readonly T[]> =>
  value((it) => {
    const items = it.split(',').map((part) => item.safeParse(part.trim()))
    const values = items.flatMap((result) => (result.success ? [result.data] : []))
    return values.length === items.length && new Set(values).size === values.length ? values : null
  }, `must be different items, separated by commas; each ${message}`)

export const host = value(
  (it) => (isIP(it) !== 0 || HOST_NAME.test(it) ? it : null),
  'must be an IP address or a host name, without scheme, port and brackets',
)

export const publicHostName = value(
  (it) => (HOST_NAME.test(it) && it.includes('.') && isIP(it) === 0 ? it.toLowerCase() : null),
  'must be an exact host name, without scheme, port, path and wildcard',
)

export const isLoopback = (hostName: string): boolean => {
  const address = hostName.toLowerCase().replace(/^\[|\]$/g, '')
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

export const origin = value(
  (it) => (/^https?:/.test(it) && URL.parse(it)?.origin === it ? it : null),
  'must be an origin such as http://127.0.0.1:9000, without a path',
)

export const publicOrigin = value((it) => {
  const url = URL.parse(it.replace(/\/$/, ''))
  if (url === null || `${url.origin}/` !== url.href) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)) ? url.origin : null
}, 'must be an origin such as https://gateway.example.com, without a path; http is for loopback addresses only')

export const postgresUrl = explained<string>((it) => {
  const parsed = parseDatabaseUrl(it)
  return 'fault' in parsed ? parsed : { value: it }
})

const MAKE_ONE = '`openssl rand -hex 32` makes one'

const secretKey = value(
  (it) => (HEX_KEY.test(it) ? Buffer.from(it, 'hex') : BASE64_KEY.test(it) ? Buffer.from(it, 'base64') : null),
  'must be 32 random bytes',
)

/** Maximum number of keys, enough for any rotation. */
const SECRET_KEYS = 8

/** The first key encrypts, and must not be a placeholder. The others only decrypt; their strength is not checked. */
export const secretKeys = explained<SecretKeys>((it) => {
  const keys = it.split(',').map((part) => secretKey.safeParse(part.trim()).data)
  const [first, ...others] = keys.filter((key) => key !== undefined)
  if (first === undefined || others.length + 1 !== keys.length || keys.length > SECRET_KEYS)
    return {
      fault: `must be 32 random bytes, as 64 hexadecimal digits or in base64; ${MAKE_ONE}. Up to ${SECRET_KEYS} keys are separated by commas: the first encrypts, all decrypt`,
    }
  const weakness = findWeakness(first)
  return weakness === null
    ? { value: [first, ...others] }
    : { fault: `must begin with a random key, and this one ${weakness}; ${MAKE_ONE}` }
})

const TOKEN = /^[\x21-\x7e]{1,512}$/

/** A bearer token that a client sends; its strength is not checked. */
export const token = value(
  (it) => (TOKEN.test(it) ? it : null),
  'must have 1 to 512 visible ASCII characters without spaces',
)

/** A bearer token that must be hard to guess. */
export const strongToken = explained<string>((it) => {
  if (!TOKEN.test(it) || it.length < TOKEN_CHARACTERS)
    return {
      fault: `must have ${TOKEN_CHARACTERS} to 512 visible ASCII characters without spaces; ${MAKE_ONE}`,
    }
  const weakness = findWeakness(Buffer.from(it))
  return weakness === null ? { value: it } : { fault: `must be random, and this one ${weakness}; ${MAKE_ONE}` }
})
