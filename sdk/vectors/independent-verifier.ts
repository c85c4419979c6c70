import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Vector, Verdict } from './vector.ts'

/**
 * A second implementation of the rules of README.md, without code of the SDK. Both must give the verdict that a vector
 * expects.
 */
export const verifyIndependently = (vector: Vector): { signature: Verdict; callback: Verdict } => {
  const body = Buffer.from(vector.body_base64, 'base64')
  const signature = judgeSignature(vector, body)
  const id = vector.headers.find(([name]) => name.toLowerCase() === 'webhook-id')?.[1]
  return { signature, callback: signature.ok ? judgeBody(body, id) : signature }
}

const judgeSignature = (vector: Vector, body: Buffer): Verdict => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const found = names.map((name) => vector.headers.filter((header) => header[0].toLowerCase() === name))
  for (const lines of found) {
    if (lines.length === 0) return { ok: false, reason: 'missing_header' }
    if (lines.length > 1 || lines[0]?.[1].includes(', ')) return { ok: false, reason: 'duplicate_header' }
  }
  const [id = '', timestamp = '', signature = ''] = found.map((lines) => lines[0]?.[1])

  const isPrintable = (c: string): boolean => c > ' ' && c < '\x7f'
  if (id.length < 1 || id.length > 128 || ![...id].every(isPrintable)) return { ok: false, reason: 'malformed_id' }
  if (timestamp === '' || [...timestamp].some((c) => !'0123456789'.includes(c))) {
    return { ok: false, reason: 'malformed_timestamp' }
  }
  const hex = signature.slice('v1,'.length)
  if (!signature.startsWith('v1,') || hex.length !== 64 || [...hex].some((c) => !'0123456789abcdef'.includes(c))) {
    return { ok: false, reason: 'malformed_signature' }
  }

  const age = BigInt(vector.now) - BigInt(timestamp)
  if (age > 300n) return { ok: false, reason: 'too_old' }
  if (age < -300n) return { ok: false, reason: 'too_new' }

  const matches = vector.secrets.map((secret) => {
    const mac = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${id}.${timestamp}.`).update(body).digest()
    return timingSafeEqual(mac, Buffer.from(hex, 'hex'))
  })
  return matches.includes(true) ? { ok: true } : { ok: false, reason: 'wrong_signature' }
}

const judgeBody = (body: Buffer, id: string | undefined): Verdict => {
  const malformed = { ok: false, reason: 'malformed_body' } as const
  const text = body.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(body) || text.startsWith('\ufeff')) return malformed
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    return malformed
  }
  const isObject = (value: unknown): value is object => Object.prototype.toString.call(value) === '[object Object]'
  if (!isObject(event) || !('event_id' in event && 'type' in event && 'payload' in event)) return malformed
  if (typeof event.event_id !== 'string' || typeof event.type !== 'string' || !isObject(event.payload)) return malformed
  return event.event_id === id ? { ok: true } : { ok: false, reason: 'id_mismatch' }
}
