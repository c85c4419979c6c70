import { isIP } from 'node:net'
import { z } from 'zod'

/** How the text of an environment variable becomes a value. Every message says what the text should be, none shows it. */
export type SettingValue<T> = z.ZodType<T, string>

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
const HEX_KEY = /^[0-9a-f]{64}$/i
const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/

/** `parse` returns null for what it does not understand. */
export const value = <T>(parse: (text: string) => T | null, message: string): SettingValue<T> =>
  z.string().transform((text, context) => {
    const result = parse(text)
    if (result !== null) return result
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

export const text = value((it) => it, '')

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

export const postgresUrl = value((it) => {
  const url = URL.parse(it)
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.host !== '' ? it : null
}, 'must be postgres://user:password@host:port/database (percent-encode special characters of the password)')

export const secretKey = value(
  (it) => (HEX_KEY.test(it) ? Buffer.from(it, 'hex') : BASE64_KEY.test(it) ? Buffer.from(it, 'base64') : null),
  'must be 32 random bytes, as 64 hexadecimal digits or in base64; `openssl rand -hex 32` makes one',
)

export const token = value(
  (it) => (/^[\x21-\x7e]{16,512}$/.test(it) ? it : null),
  'must have 16 to 512 visible ASCII characters without spaces; `openssl rand -hex 32` makes one',
)
