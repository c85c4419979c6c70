/** Parses the gateway's origin, the only argument of a command. Null for anything else. */
export const parseOrigin = (positionals: readonly string[]): URL | null => {
  const [origin, ...rest] = positionals
  const url = origin === undefined || rest.length > 0 ? null : URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url : null
}
