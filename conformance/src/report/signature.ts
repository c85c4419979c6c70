import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { hashOfReport, type SealedReport } from './seal.ts'

/** By whom a report is vouched for. */
export interface ReportSignature {
  readonly algorithm: 'Ed25519'
  /** The signer's public key, SPKI in base64. */
  readonly publicKey: string
  /** Over the text of the report's `sha256`, in base64. */
  readonly value: string
}

/** Signs a report's hash, which is computed anew. @throws {Error} the key is no private key of Ed25519 in PEM. */
export function signReport(report: SealedReport, pem: string): ReportSignature {
  const key = createPrivateKey(pem)
  demandEd25519(key)
  return {
    algorithm: 'Ed25519',
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
    value: sign(null, Buffer.from(hashOfReport(report)), key).toString('base64'),
  }
}

/**
 * Whether the signature is that of the report's content by this public key (PEM). Without a key: by the one that the report
 * itself names, which shows that nothing was changed, and not who signed it.
 * @throws {Error} the key is no public key of Ed25519.
 */
export function isSignedBy(report: SealedReport, { publicKey, value }: ReportSignature, pem?: string): boolean {
  const key =
    pem === undefined
      ? createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' })
      : createPublicKey(pem)
  demandEd25519(key)
  return verify(null, Buffer.from(hashOfReport(report)), key, Buffer.from(value, 'base64'))
}

function demandEd25519({ asymmetricKeyType }: KeyObject): void {
  if (asymmetricKeyType !== 'ed25519')
    throw new Error(
      `The key must be of Ed25519, not ${asymmetricKeyType}: openssl genpkey -algorithm ed25519 makes one.`,
    )
}
