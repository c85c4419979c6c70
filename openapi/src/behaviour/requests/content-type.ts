/** Whether a `Content-Type` announces JSON in UTF-8. Parameters other than the charset have no meaning for JSON. */
export const isJson = (contentType: string | undefined): boolean => {
  if (contentType === 'application/json') return true
  if (contentType === undefined) return false
  const [mediaType, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  return (
    mediaType === 'application/json' &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || UTF_8.has(parameter))
  )
}

const UTF_8: ReadonlySet<string> = new Set(['charset=utf-8', 'charset="utf-8"', 'charset=utf8'])

/** Whether the body is not encoded. The gateway does not decompress bodies. */
export const isPlain = (contentEncoding: string | undefined): boolean =>
  contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity' || contentEncoding.trim() === ''
