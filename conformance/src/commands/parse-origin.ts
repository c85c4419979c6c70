/** The gateway that a command names: its one argument, an address without a path. Null for anything else. */
export const parseOrigin = (positionals: readonly string[]): URL | null => {
  const [origin, ...rest] = positionals
  const url = origin === undefined || rest.length > 0 ? null : URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' ? url : null
}
