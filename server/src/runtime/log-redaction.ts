/**
 * Names of members whose values are redacted everywhere. Here and below, repetitions before the search term are
 * bounded, because unbounded ones take quadratic time on a crafted line.
 */
const NAME = String.raw`[\w.-]{0,60}(?:authorization|cookie|passw(?:or)?d|passphrase|secret|token|api[-_]?key|private[-_]?key)[\w.-]{0,60}`
const HEADER = `(?:proxy-)?authorization|(?:set-)?cookie|x-api-key`
const REDACTED = '[redacted]'

/** Most lines contain none of these, and need no other search. */
const SUSPECT =
  /gk_|gop_|sk-|bearer|basic|:\/\/|authorization|cookie|passw|passphrase|secret|token|api[-_]?key|private[-_]?key/i

const MEMBER = new RegExp(`"${NAME}":`, 'gi')

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Members of JSON within a string.
  [new RegExp(String.raw`(\\{1,15}")(${NAME})\1(\s*:\s*)\1.*?\1`, 'gi'), `$1$2$1$3$1${REDACTED}$1`],
  // Raw headers, as pairs in a list or as text.
  [new RegExp(String.raw`"(${HEADER})","(?:[^"\\]|\\.)*"`, 'gi'), `"$1","${REDACTED}"`],
  [new RegExp(String.raw`\b(${HEADER})(\s*:\s*)[^"\\]+`, 'gi'), `$1$2${REDACTED}`],
  [/\b(bearer|basic)(?:\s+|%20)[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\b(gk|gop)_[\w-]+/g, `$1_${REDACTED}`],
  [/\bsk-[\w-]{8,}/g, `sk-${REDACTED}`],
  // The password of a database URL may contain characters that are invalid in URLs.
  [/\b(postgres(?:ql)?:\/\/)(?:[^\s"\\]|\\.){0,500}@/gi, `$1${REDACTED}@`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s"\\/?#]*@/gi, `$1${REDACTED}@`],
  [new RegExp(String.raw`([?&;\s"](?:${NAME})=)[^&\s"\\;]+`, 'gi'), `$1${REDACTED}`],
]

/** Minimum length of a known secret; shorter ones would match ordinary words. */
const SHORTEST_SECRET = 8

/**
 * Creates a function that redacts credentials in a line of JSON, which stays valid JSON: by member names, by their
 * format, and by known values.
 */
export const createRedaction = (secrets: readonly string[]): ((line: string) => string) => {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  return (line) => {
    let clean = line
    for (const secret of known) clean = clean.replaceAll(secret, REDACTED)
    if (!SUSPECT.test(clean)) return clean
    clean = redactMembers(clean)
    for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement)
    return clean
  }
}

/** Replaces the whole value of each member with such a name, unless it is a number, a boolean or null. */
const redactMembers = (line: string): string => {
  let clean = ''
  let from = 0
  MEMBER.lastIndex = 0
  for (let match = MEMBER.exec(line); match !== null; match = MEMBER.exec(line)) {
    const start = match.index + match[0].length
    const end = endOfValue(line, start)
    if (end === start) continue
    clean += `${line.slice(from, start)}"${REDACTED}"`
    from = end
    MEMBER.lastIndex = end
  }
  return clean + line.slice(from)
}

/** The end of the string, object or list that starts here; the start itself for anything else. */
const endOfValue = (line: string, start: number): number => {
  let depth = 0
  let quoted = false
  for (let at = start; at < line.length; at += 1) {
    const char = line[at]
    if (quoted) {
      if (char === '\\') at += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (!quoted && depth <= 0) return char === '"' || char === '}' || char === ']' ? at + 1 : start
  }
  return start
}
