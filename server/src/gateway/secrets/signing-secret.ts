import { randomBytes } from 'node:crypto'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'

/** A new signing secret of 256 random bits (D-36). */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`

/** The refusal of a gateway that cannot store secrets. */
export const NO_SECRET_KEY: Refusal = refuse(
  'CAPABILITY_UNAVAILABLE',
  'Secrets cannot be stored: set GATEWAY_SECRET_KEY to what `openssl rand -hex 32` prints, the same for all processes.',
  { retryAfterSeconds: 60 },
)
