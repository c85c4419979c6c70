import type { PreviousSecret } from '../domain/secret-rotation.ts'

/** The columns that everything with a signing secret has. */
export const SECRET_COLUMNS = `secret as "sealedSecret", previous_secret as "previousSealed",
  previous_secret_until as "previousUntil", file_secret as "sealedFileSecret"`

/** How the secret from before a rotation comes out of the database. */
export interface SecretColumns {
  readonly previousSealed: Uint8Array | null
  readonly previousUntil: Date | null
}

export const previousOf = ({ previousSealed, previousUntil }: SecretColumns): PreviousSecret | null =>
  previousSealed === null || previousUntil === null ? null : { sealed: previousSealed, expiresAt: previousUntil }

/** A signing secret as it is stored, with what goes with it. */
export interface SealedSecrets {
  readonly sealedSecret: Uint8Array
  readonly previousSecret: PreviousSecret | null
  /** What a bootstrap file has set as the secret; null where none has. */
  readonly sealedFileSecret: Uint8Array | null
}

/** In the order of `SECRET_COLUMNS`. */
export const secretParams = ({ sealedSecret, previousSecret, sealedFileSecret }: SealedSecrets) => [
  sealedSecret,
  previousSecret?.sealed ?? null,
  previousSecret?.expiresAt ?? null,
  sealedFileSecret,
]
