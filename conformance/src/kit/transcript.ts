/** A message that was sent or received, or a note. Secrets are redacted and long texts are truncated. */
export interface TranscriptEntry {
  /** Milliseconds since the check began. */
  readonly elapsedMs: number
  /** `out`: sent by the suite. `in`: received by the suite. `note`: another step of the suite. */
  readonly direction: 'out' | 'in' | 'note'
  /** A message as on the wire (start line, headers, empty line, body), or the text of the note. */
  readonly text: string
}

export interface Transcript {
  add(direction: TranscriptEntry['direction'], text: string): void
  entries(): readonly TranscriptEntry[]
}

const MAX_ENTRIES = 400
const MAX_ENTRY_CHARACTERS = 16_384

/** Records what one check sends and receives. @param redact removes secrets from a text. */
export function createTranscript(
  redact: (text: string) => string,
  now: () => number = () => performance.now(),
): Transcript {
  const startedAt = now()
  const entries: TranscriptEntry[] = []
  let omitted = 0
  return {
    add: (direction, text) => {
      if (entries.length >= MAX_ENTRIES) {
        omitted += 1
        return
      }
      const clean = redact(text)
      const cut = clean.length - MAX_ENTRY_CHARACTERS
      entries.push({
        elapsedMs: Math.round(now() - startedAt),
        direction,
        text: cut > 0 ? `${clean.slice(0, MAX_ENTRY_CHARACTERS)}\n… ${cut} more characters` : clean,
      })
    },
    entries: () =>
      omitted === 0
        ? entries
        : [
            ...entries,
            { elapsedMs: Math.round(now() - startedAt), direction: 'note', text: `… ${omitted} more entries` },
          ],
  }
}

const CREDENTIAL_HEADERS = /^(authorization|cookie|set-cookie|proxy-authorization):.*$/gim

export interface Redaction {
  redact(text: string): string
  /** Redacts these secrets as well from now on. */
  learn(...secrets: readonly string[]): void
}

/** Creates a redaction that removes these secrets, and the values of all headers that carry credentials. */
export function createRedaction(secrets: Iterable<string>): Redaction {
  let known: readonly string[] = []
  const learn = (...more: readonly string[]): void => {
    known = [...new Set([...known, ...more])].filter(isLongEnough).sort((a, b) => b.length - a.length)
  }
  learn(...secrets)
  return {
    learn,
    redact: (text) =>
      known
        .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
        .replace(CREDENTIAL_HEADERS, (_line, name: string) => `${name}: [redacted]`),
  }
}

/** A shorter secret would match ordinary text. */
const isLongEnough = (secret: string): boolean => secret.length >= 6
