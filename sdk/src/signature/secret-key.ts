/** An HMAC-SHA256 key of the UTF-8 bytes of the secret's literal text: what looks like hex or base64 is not decoded. */
export const importSecret = (secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> => {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('The signing secret is empty. Was the environment variable or setting that holds it read?')
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [usage])
}
