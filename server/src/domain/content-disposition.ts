/** Characters that RFC 8187 allows unescaped in an extended value. */
const PLAIN = /[A-Za-z0-9!#$&+.^_`|~-]/

/**
 * The Content-Disposition of a download (RFC 6266): always an attachment, so that no browser shows it. If a quoted
 * ASCII string cannot represent the name safely, it contains an approximation. The extended parameter (RFC 8187),
 * which clients prefer, then contains the exact name.
 */
export const attachmentDisposition = (filename: string): string => {
  const approximate = filename.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_')
  const quoted = `attachment; filename="${approximate}"`
  return approximate === filename ? quoted : `${quoted}; filename*=UTF-8''${encodeExtended(filename)}`
}

const encodeExtended = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
