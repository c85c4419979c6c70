import { importSecret, signedBytes, toHex } from '../src/signature/sign.ts'
import type { SignatureErrorReason } from '../src/signature/signature-error.ts'

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: SignatureErrorReason }

/** One case of `signature-vectors.json`, in its wire form. */
export interface Vector {
  readonly name: string
  readonly description: string
  readonly secrets: readonly string[]
  /** The verifier's clock: Unix time in seconds. */
  readonly now: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body_base64: string
  /** Whether HTTP can carry these header values unchanged. */
  readonly over_http: boolean
  /** The verdict on the signature alone. */
  readonly expect: Verdict
  /** The verdict of a callback receiver, which also reads the body. */
  readonly expect_callback: Verdict
}

/** The properties in which a vector differs from a valid callback. */
export interface VectorDraft {
  readonly id?: string
  readonly timestamp?: string
  readonly body?: Uint8Array
  /** The receiver's secrets. */
  readonly secrets?: readonly string[]
  readonly now?: number
  /** The signed content, if it differs from the sent one. */
  readonly signed?: {
    readonly id?: string
    readonly timestamp?: string
    readonly body?: Uint8Array
    readonly secret?: string
  }
  /** Replaces the computed signature. */
  readonly signature?: (made: string) => string
  /** Replaces the headers, lower-case names in the order of the specification. */
  readonly headers?: (made: readonly Header[]) => readonly Header[]
  /** Why the signature is refused. Default: it is accepted. */
  readonly refused?: SignatureErrorReason
  /** Why a callback receiver refuses a body with a valid signature. Default: it is accepted. */
  readonly bodyRefused?: SignatureErrorReason
}

export type Header = readonly [name: string, value: string]

export const NOW = 1_767_225_600
export const EVENT = 'evt_0199d3a1c1b07d77e8f9011223344559'
export const SECRET = 'callback-secret-of-the-vectors'

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The JSON of a valid event. */
export const eventJson = (id: string = EVENT, text: string = 'Hello'): string =>
  JSON.stringify({
    conversation_id: 'conv_0199d3a1c0de7f30a1b2c3d4e5f60718',
    generation: 1,
    event_id: id,
    seq: 4,
    run_id: 'run_0199d3a1c0e37b55c6d7e8f901122334',
    message_id: 'msg_0199d3a1c0e27a44b5c6d7e8f9011223',
    type: 'run.completed',
    payload: { state: 'succeeded', result: { text } },
  })

/** The signature over these literal texts, whether or not their format is valid. */
export const signTexts = async (id: string, timestamp: string, body: Uint8Array, secret: string): Promise<string> => {
  const key = await importSecret(secret, 'sign')
  return `v1,${toHex(await crypto.subtle.sign('HMAC', key, signedBytes(id, timestamp, body)))}`
}

export const createVector = async (name: string, description: string, draft: VectorDraft = {}): Promise<Vector> => {
  const { id = EVENT, timestamp = String(NOW), secrets = [SECRET], now = NOW, signed = {} } = draft
  const body = draft.body ?? utf8(eventJson(id))
  const made = await signTexts(
    signed.id ?? id,
    signed.timestamp ?? timestamp,
    signed.body ?? body,
    signed.secret ?? secrets[0] ?? SECRET,
  )
  const all: readonly Header[] = [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', draft.signature?.(made) ?? made],
    ['content-type', 'application/json'],
  ]
  const headers = draft.headers?.(all) ?? all
  return {
    name,
    description,
    secrets,
    now,
    headers,
    body_base64: Buffer.from(body).toString('base64'),
    over_http: headers.every(([, value]) => /^([!-~]([\t -~]*[!-~])?)?$/.test(value)),
    expect: toVerdict(draft.refused),
    expect_callback: toVerdict(draft.refused ?? draft.bodyRefused),
  }
}

const toVerdict = (reason: SignatureErrorReason | undefined): Verdict =>
  reason === undefined ? { ok: true } : { ok: false, reason }
