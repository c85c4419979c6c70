/**
 * The headers of an answer that comes piece by piece. The caller's are kept; `no-transform` is added, since a proxy or a
 * middleware that compresses would hold the pieces back.
 */
export const streamHeaders = (given: HeadersInit | undefined): Headers => {
  const headers = new Headers(given)
  headers.set('Content-Type', 'text/event-stream; charset=utf-8')
  const caching = headers.get('Cache-Control') || 'no-store'
  const isKept = caching.split(',').some((directive) => directive.trim().toLowerCase() === 'no-transform')
  headers.set('Cache-Control', isKept ? caching : `${caching}, no-transform`)
  // nginx would hold the pieces back.
  if (!headers.has('X-Accel-Buffering')) headers.set('X-Accel-Buffering', 'no')
  return headers
}
