import type { PreviousSecret } from '../domain/secret-rotation.ts'

/** The columns of every table with a signing secret. */
export const SECRET_COLUMNS = `secret as "sealedSecret", previous_secret as "previousSealed",
  previous_secret_until as "previousUntil", file_secret as "sealedFileSecret"`

/** The type of an old secret after a rotation, as read from the database. */
export interface SecretColumns {
  readonly previousSealed: Uint8Array | null
  readonly previousUntil: Date | null
}

export const previousOf = ({ previousSealed, previousUntil }: SecretColumns): PreviousSecret | null =>
  previousSealed === null || previousUntil === null ? null : { sealed: previousSealed, expiresAt: previousUntil }

/** A stored signing secret with its rotation state. */
export interface SealedSecrets {
  readonly sealedSecret: Uint8Array
  readonly previousSecret: PreviousSecret | null
  /** The encrypted hash of the secret that a bootstrap file has set; null if none. */
  readonly sealedFileSecret: Uint8Array | null
}

/** The parameters for the columns, in the order of `SECRET_COLUMNS`. */
export const secretParams = ({ sealedSecret, previousSecret, sealedFileSecret }: SealedSecrets) => [
  sealedSecret,
  previousSecret?.sealed ?? null,
  previousSecret?.expiresAt ?? null,
  sealedFileSecret,
]
